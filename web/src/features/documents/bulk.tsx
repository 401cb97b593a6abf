import { useQueryClient } from "@tanstack/react-query";
import { Archive, CircleDot, Download, FolderInput, Star, Tag, Trash2 } from "lucide-react";
import { useState } from "react";
import { toast } from "sonner";
import { ProjectField } from "~/features/projects/project-select";
import { messageOf } from "~/lib/api";
import { plural } from "~/lib/format";
import { t } from "~/lib/language";
import { Button } from "~/ui/button";
import { Dialog, DialogActions } from "~/ui/dialog";
import { Field, Input } from "~/ui/input";
import { SelectionBar } from "~/ui/selection-bar";
import { useDeleteDocuments } from "./delete";
import { changeMany, type DocumentLine, refreshDocuments } from "./documents";
import { exportDocuments } from "./export";
import { allHave, FLAG_ACTIONS, type Flag, useToggleFlag } from "./flags";

const FLAGS: [Flag, typeof Star][] = [
  ["unread", CircleDot],
  ["favourite", Star],
  ["archived", Archive],
];

type Props = { selected: DocumentLine[]; onClear: () => void };

/** Actions for all selected documents. */
export function BulkBar({ selected, onClear }: Props) {
  const [asking, setAsking] = useState<"move" | "tag" | null>(null);
  const remove = useDeleteDocuments();
  const toggleFlag = useToggleFlag();
  if (!selected.length) return null;
  return (
    <SelectionBar label={t("Selected documents")} count={selected.length} onClear={onClear}>
      {FLAGS.map(([flag, Icon]) => {
        const { set, unset } = FLAG_ACTIONS[flag];
        return (
          <Button
            key={flag}
            variant="quiet"
            size="sm"
            onClick={() => {
              toggleFlag(selected, flag);
              onClear();
            }}
          >
            <Icon size={14} /> {allHave(selected, flag) ? unset : set}
          </Button>
        );
      })}
      <Button variant="quiet" size="sm" onClick={() => setAsking("move")}>
        <FolderInput size={14} /> {t("Move")}
      </Button>
      <Button variant="quiet" size="sm" onClick={() => setAsking("tag")}>
        <Tag size={14} /> {t("Tag")}
      </Button>
      <Button variant="quiet" size="sm" onClick={() => exportDocuments(selected)}>
        <Download size={14} /> {t("Export")}
      </Button>
      <Button
        variant="quiet"
        size="sm"
        onClick={() => {
          remove(selected.map(({ id }) => id));
          onClear();
        }}
      >
        <Trash2 size={14} /> {t("Delete")}
      </Button>
      <BulkDialog
        action={asking}
        selected={selected}
        onClose={(done) => {
          setAsking(null);
          if (done) onClear();
        }}
      />
    </SelectionBar>
  );
}

type DialogProps = {
  action: "move" | "tag" | null;
  selected: DocumentLine[];
  onClose: (done: boolean) => void;
};

function BulkDialog({ action, selected, onClose }: DialogProps) {
  const queries = useQueryClient();
  const [value, setValue] = useState("");
  const [busy, setBusy] = useState(false);
  const count = plural(selected.length, "document");
  async function apply() {
    setBusy(true);
    const ids = selected.map(({ id }) => id);
    const tags = value.split(/[,\s]+/).filter(Boolean);
    try {
      const { failed, results } = await changeMany(
        ids,
        action === "move" ? { action: "move", project: value } : { action: "tag", tags },
      );
      const refused = results.find(({ ok }) => !ok);
      if (refused) toast.error(t("{failed} failed: {error}", { failed, error: refused.error }));
      else
        toast.success(
          action === "move" ? t("{count} moved", { count }) : t("{count} tagged", { count }),
        );
    } catch (error) {
      toast.error(messageOf(error));
    }
    await refreshDocuments(queries);
    setBusy(false);
    setValue("");
    onClose(true);
  }
  return (
    <Dialog
      open={action !== null}
      title={action === "move" ? t("Move {count}", { count }) : t("Tag {count}", { count })}
      onClose={() => onClose(false)}
    >
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          apply();
        }}
      >
        {action === "move" ? (
          <ProjectField
            label={t("Move to")}
            none={t("Choose…")}
            value={value}
            onChange={setValue}
          />
        ) : (
          <Field label={t("Tags to add")} hint={t("Separated by spaces or commas")}>
            {(id) => (
              <Input id={id} value={value} onChange={(event) => setValue(event.target.value)} />
            )}
          </Field>
        )}
        <DialogActions>
          <Button onClick={() => onClose(false)}>{t("Cancel")}</Button>
          <Button type="submit" variant="primary" busy={busy} disabled={!value.trim()}>
            {action === "move" ? t("Move") : t("Add tags")}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
