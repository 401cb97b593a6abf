import { useState } from "react";
import { type Entity, useMerge } from "~/features/entities/entities";
import { plainName } from "~/features/graph/names";
import { messageOf } from "~/lib/api";
import { t } from "~/lib/language";
import { Button } from "~/ui/button";
import { DialogActions } from "~/ui/dialog";
import { ErrorText } from "~/ui/states";

type Props = { entities: Entity[]; onClose: () => void; onDone: () => void };

/** Choose the name that stays. */
export function MergeForm({ entities, onClose, onDone }: Props) {
  const [kept, setKept] = useState(entities[0]?.id);
  const merge = useMerge();
  return (
    <form
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        const id = kept ?? entities[0]?.id;
        if (!id) return;
        const others = entities.map((entity) => entity.id).filter((other) => other !== id);
        merge.mutate({ id, others }, { onSuccess: onDone });
      }}
    >
      <fieldset className="space-y-2">
        <legend className="mb-2 text-sm text-muted">
          {t("These are one. Which name stays? The others mean it from now on.")}
        </legend>
        {entities.map((entity, place) => (
          <label key={entity.id} className="flex items-center gap-2">
            <input
              type="radio"
              name="kept"
              className="size-4 accent-(--accent)"
              checked={kept ? kept === entity.id : place === 0}
              onChange={() => setKept(entity.id)}
            />
            <span dir="auto">{entity.name}</span>
            <span className="text-sm text-muted">{plainName(entity.type)}</span>
          </label>
        ))}
      </fieldset>
      {merge.error && <ErrorText>{messageOf(merge.error)}</ErrorText>}
      <DialogActions>
        <Button onClick={onClose}>{t("Cancel")}</Button>
        <Button type="submit" variant="primary" busy={merge.isPending}>
          {t("Merge")}
        </Button>
      </DialogActions>
    </form>
  );
}
