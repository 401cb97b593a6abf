import { useRef, useState } from "react";
import { toast } from "sonner";
import { ProjectField } from "~/features/projects/project-select";
import { useProject } from "~/features/projects/projects";
import { messageOf } from "~/lib/api";
import { caretAtEnd } from "~/lib/caret";
import { dayOf } from "~/lib/format";
import { t } from "~/lib/language";
import { useDraft } from "~/lib/unsaved";
import { Button } from "~/ui/button";
import { Dialog, DialogActions } from "~/ui/dialog";
import { Field, Input, Select, TextArea } from "~/ui/input";
import { CATEGORIES, type Category, categoryName, isCategory } from "./categories";
import { type Memory, useChangeMemory, useSaveMemory } from "./memories";

type Props = {
  open: boolean;
  memory?: Memory;
  onClose: () => void;
  /** Called with the id of the new version. */
  onSaved?: (id: string) => void;
};

/** Adds a memory, or changes one: a changed statement becomes a new version. */
export function MemoryEditor({ open, memory, onClose, onSaved }: Props) {
  return (
    <Dialog open={open} title={memory ? t("Edit memory") : t("Add a memory")} onClose={onClose}>
      <Form key={memory?.id} memory={memory} onClose={onClose} onSaved={onSaved} />
    </Dialog>
  );
}

/** An empty project is the one that the memory is in, or the default project. */
type Fields = { content: string; category: Category | ""; project: string; due: string };

function fieldsOf(memory?: Memory): Fields {
  const known = memory?.category ?? "";
  return {
    content: memory?.content ?? "",
    category: isCategory(known) ? known : "",
    project: "",
    due: memory?.dueAt ? dayOf(memory.dueAt) : "",
  };
}

const isSame = (a: Fields, b: Fields) => JSON.stringify(a) === JSON.stringify(b);

function Form({ memory, onClose, onSaved }: Omit<Props, "open">) {
  const original = fieldsOf(memory);
  const [draft, setDraft] = useDraft<Fields | null>(`memory/${memory?.rootId ?? "new"}`, null);
  const fields = draft ?? original;
  const knownProject = useProject(memory?.projectId);
  const [isRestored] = useState(draft !== null);
  // What was typed while a save was on its way becomes a version of what was saved.
  const [savedId, setSavedId] = useState(memory?.id);
  const latest = useRef(fields);
  latest.current = fields;
  const save = useSaveMemory();
  const change = useChangeMemory();
  const isPending = save.isPending || change.isPending;
  const error = save.error ?? change.error;
  function set(changes: Partial<Fields>) {
    const next = { ...fields, ...changes };
    setDraft(isSame(next, original) && savedId === memory?.id ? null : next);
  }
  function submit() {
    if (isPending) return;
    const { content, category, project, due } = fields;
    // At nine in the morning, local time.
    const dueAt = due ? new Date(`${due}T09:00:00`).toISOString() : null;
    const onSuccess = ({ id }: { id: string }) => {
      toast.success(memory ? t("Saved") : t("Memory added"));
      if (!isSame(latest.current, fields)) return setSavedId(id);
      setDraft(null);
      onClose();
      onSaved?.(id);
    };
    if (savedId) {
      const body = {
        content,
        dueAt,
        ...(category ? { category } : {}),
        ...(project ? { project } : {}),
      };
      change.mutate({ id: savedId, body }, { onSuccess });
    } else {
      const body = { content, dueAt, category: category || null, project: project || null };
      save.mutate(body, { onSuccess });
    }
  }
  function discardDraft() {
    onClose();
    setDraft(null);
    toast(t("Changes discarded"), { action: { label: t("Undo"), onClick: () => setDraft(draft) } });
  }
  return (
    <form
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Field
        label={t("Statement")}
        error={error ? messageOf(error) : null}
        hint={isRestored && draft ? t("This is what you typed before. It is not saved yet.") : null}
      >
        {(id) => (
          <TextArea
            id={id}
            ref={isRestored ? caretAtEnd : undefined}
            rows={3}
            required
            dir="auto"
            value={fields.content}
            onChange={(event) => set({ content: event.target.value })}
            onKeyDown={(event) => {
              if (event.key === "Enter" && (event.metaKey || event.ctrlKey))
                event.currentTarget.form?.requestSubmit();
            }}
          />
        )}
      </Field>
      <div className="grid grid-cols-2 gap-4">
        <Field label={t("Kind")}>
          {(id) => (
            <Select
              id={id}
              className="w-full"
              value={fields.category}
              onChange={(event) => set({ category: event.target.value as Category })}
            >
              {!memory && <option value="">{t("Automatic")}</option>}
              {CATEGORIES.map((name) => (
                <option key={name} value={name}>
                  {categoryName(name)}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <ProjectField
          label={t("Project")}
          none={memory ? undefined : t("Default project")}
          value={fields.project || (knownProject?.slug ?? "")}
          onChange={(project) => set({ project })}
        />
      </div>
      <Field label={t("Due on")}>
        {(id) => (
          <Input
            id={id}
            type="date"
            value={fields.due}
            onChange={(event) => set({ due: event.target.value })}
          />
        )}
      </Field>
      <DialogActions>
        {draft && !isPending && (
          <Button variant="quiet" className="me-auto -ms-3" onClick={discardDraft}>
            {t("Discard changes")}
          </Button>
        )}
        <Button onClick={onClose}>{t("Close")}</Button>
        <Button type="submit" variant="primary" busy={isPending}>
          {memory ? t("Save") : t("Add memory")}
        </Button>
      </DialogActions>
    </form>
  );
}
