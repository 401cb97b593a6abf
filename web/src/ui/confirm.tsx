import { type ReactNode, useState } from "react";
import { t } from "~/lib/language";
import { Button } from "./button";
import { Dialog, DialogActions } from "./dialog";
import { Field, Input } from "./input";

type Props = {
  open: boolean;
  title: string;
  description: ReactNode;
  action: string;
  /** Text that must be typed to enable the action. */
  phrase?: string;
  busy?: boolean;
  onConfirm: () => void;
  onClose: () => void;
  children?: ReactNode;
};

export function Confirm(props: Props) {
  const { open, title, description, action, phrase, busy, onConfirm, onClose, children } = props;
  const [typed, setTyped] = useState("");
  return (
    <Dialog open={open} title={title} description={description} onClose={onClose}>
      {children}
      {phrase && (
        <Field label={t('Type "{phrase}" to confirm', { phrase })}>
          {(id) => (
            <Input
              id={id}
              value={typed}
              autoComplete="off"
              onChange={(event) => setTyped(event.target.value)}
            />
          )}
        </Field>
      )}
      <DialogActions>
        <Button onClick={onClose}>{t("Cancel")}</Button>
        <Button
          variant="danger"
          busy={busy}
          disabled={phrase !== undefined && typed !== phrase}
          onClick={onConfirm}
        >
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
