import { useState } from "react";
import { type Entity, useRename } from "~/features/entities/entities";
import { messageOf } from "~/lib/api";
import { t } from "~/lib/language";
import { Button } from "~/ui/button";
import { DialogActions } from "~/ui/dialog";
import { Field, Input } from "~/ui/input";
import { ErrorText } from "~/ui/states";

export function RenameForm({ entity, onClose }: { entity: Entity; onClose: () => void }) {
  const [name, setName] = useState(entity.name);
  const rename = useRename();
  return (
    <form
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        rename.mutate({ id: entity.id, name }, { onSuccess: onClose });
      }}
    >
      <Field
        label={t("Name")}
        hint={t("“{name}” means it from now on, too.", { name: entity.name })}
      >
        {(id, describedBy) => (
          <Input
            id={id}
            aria-describedby={describedBy}
            required
            maxLength={200}
            dir="auto"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      {rename.error && <ErrorText>{messageOf(rename.error)}</ErrorText>}
      <DialogActions>
        <Button onClick={onClose}>{t("Cancel")}</Button>
        <Button type="submit" variant="primary" busy={rename.isPending}>
          {t("Save")}
        </Button>
      </DialogActions>
    </form>
  );
}
