import { useState } from "react";
import { toast } from "sonner";
import { ProjectField } from "~/features/projects/project-select";
import { useProject } from "~/features/projects/projects";
import { messageOf } from "~/lib/api";
import { dayOf } from "~/lib/format";
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
    <Dialog open={open} title={memory ? "Edit memory" : "Add a memory"} onClose={onClose}>
      <Form key={memory?.id} memory={memory} onClose={onClose} onSaved={onSaved} />
    </Dialog>
  );
}

function Form({ memory, onClose, onSaved }: Omit<Props, "open">) {
  const [content, setContent] = useState(memory?.content ?? "");
  const known = memory?.category ?? "";
  const [category, setCategory] = useState<Category | "">(isCategory(known) ? known : "");
  const knownProject = useProject(memory?.projectId);
  const [chosen, setProject] = useState<string>();
  const project = chosen ?? knownProject?.slug ?? "";
  const [due, setDue] = useState(memory?.dueAt ? dayOf(memory.dueAt) : "");
  const save = useSaveMemory();
  const change = useChangeMemory();
  const error = save.error ?? change.error;
  // At nine in the morning, local time.
  const dueAt = due ? new Date(`${due}T09:00:00`).toISOString() : null;
  function submit() {
    const done = (words: string) => ({
      onSuccess: ({ id }: { id: string }) => {
        toast.success(words);
        onClose();
        onSaved?.(id);
      },
    });
    if (memory) {
      const body = {
        content,
        dueAt,
        ...(category ? { category } : {}),
        ...(project ? { project } : {}),
      };
      change.mutate({ id: memory.id, body }, done("Saved"));
    } else {
      const body = { content, dueAt, category: category || null, project: project || null };
      save.mutate(body, done("Memory added"));
    }
  }
  return (
    <form
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Field label="Statement" error={error ? messageOf(error) : null}>
        {(id) => (
          <TextArea
            id={id}
            rows={3}
            required
            dir="auto"
            value={content}
            onChange={(event) => setContent(event.target.value)}
          />
        )}
      </Field>
      <div className="grid grid-cols-2 gap-4">
        <Field label="Kind">
          {(id) => (
            <Select
              id={id}
              className="w-full"
              value={category}
              onChange={(event) => setCategory(event.target.value as Category)}
            >
              {!memory && <option value="">Automatic</option>}
              {CATEGORIES.map((name) => (
                <option key={name} value={name}>
                  {categoryName(name)}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <ProjectField
          label="Project"
          none={memory ? undefined : "Default project"}
          value={project}
          onChange={setProject}
        />
      </div>
      <Field label="Due on">
        {(id) => (
          <Input id={id} type="date" value={due} onChange={(event) => setDue(event.target.value)} />
        )}
      </Field>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" busy={save.isPending || change.isPending}>
          {memory ? "Save" : "Add memory"}
        </Button>
      </DialogActions>
    </form>
  );
}
