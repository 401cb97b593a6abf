import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Entity, entityQuery, useSplit } from "~/features/entities/entities";
import { messageOf } from "~/lib/api";
import { t } from "~/lib/language";
import { toggled } from "~/lib/toggled";
import { Button } from "~/ui/button";
import { DialogActions } from "~/ui/dialog";
import { Checkbox, Field, Input } from "~/ui/input";
import { ErrorText, Loaded, SkeletonList } from "~/ui/states";

/** Choose what belongs to a new person or thing: names, or memories. */
export function SplitForm({ entity, onClose }: { entity: Entity; onClose: () => void }) {
  const [name, setName] = useState("");
  const [spellings, setSpellings] = useState<string[]>([]);
  const [memories, setMemories] = useState<string[]>([]);
  const full = useQuery(entityQuery(entity.id));
  const split = useSplit();
  return (
    <form
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        split.mutate({ id: entity.id, name, spellings, memories }, { onSuccess: onClose });
      }}
    >
      <Field label={t("Name of the new one")}>
        {(id) => (
          <Input
            id={id}
            required
            maxLength={200}
            dir="auto"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      {entity.aliases.length > 0 && (
        <fieldset className="space-y-1">
          <legend className="mb-1 text-sm font-medium">{t("Names that mean the new one")}</legend>
          {entity.aliases.map((alias) => (
            <Checkbox
              key={alias}
              label={<span dir="auto">{alias}</span>}
              className="mr-4"
              checked={spellings.includes(alias)}
              onChange={() => setSpellings(toggled(spellings, alias))}
            />
          ))}
        </fieldset>
      )}
      <fieldset className="space-y-1">
        <legend className="mb-1 text-sm font-medium">{t("Memories about the new one")}</legend>
        <Loaded query={full} skeleton={<SkeletonList rows={3} height="h-8" />}>
          {(found) => (
            <div className="max-h-64 space-y-2 overflow-y-auto">
              {found.memories.map((memory) => (
                <Checkbox
                  key={memory.id}
                  label={
                    <span className="min-w-0 break-words" dir="auto">
                      {memory.content}
                    </span>
                  }
                  className="flex!"
                  checked={memories.includes(memory.id)}
                  onChange={() => setMemories(toggled(memories, memory.id))}
                />
              ))}
            </div>
          )}
        </Loaded>
      </fieldset>
      {split.error && <ErrorText>{messageOf(split.error)}</ErrorText>}
      <DialogActions>
        <Button onClick={onClose}>{t("Cancel")}</Button>
        <Button
          type="submit"
          variant="primary"
          disabled={!spellings.length && !memories.length}
          busy={split.isPending}
        >
          {t("Split##action")}
        </Button>
      </DialogActions>
    </form>
  );
}
