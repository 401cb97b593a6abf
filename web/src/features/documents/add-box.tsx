import clsx from "clsx";
import { Link as LinkIcon, Paperclip } from "lucide-react";
import { type ClipboardEvent, type DragEvent, useEffect, useRef, useState } from "react";
import { ProjectSelect } from "~/features/projects/project-select";
import { caretAtEnd } from "~/lib/caret";
import { modifier } from "~/lib/keyboard";
import { t } from "~/lib/language";
import { useDraft } from "~/lib/unsaved";
import { Button } from "~/ui/button";
import { Checkbox } from "~/ui/input";
import { Kbd } from "~/ui/kbd";
import { bodyOf, isAddress } from "./add";
import { filesOf } from "./dropped-files";
import { type Pending, saveLater, usePending } from "./outbox";
import { PendingList } from "./pending-list";
import { UploadList } from "./upload-list";
import { useUploads } from "./uploads";

type Props = {
  project?: string;
  /** Called when all that was saved here is done, or waits for the connection. */
  onSaved?: () => void;
  autoFocus?: boolean;
};
type Draft = { text: string; project: string };

/** A box to type, paste, drop or pick anything into. What is saved leaves it at once. */
export function AddBox({ project: fixed, onSaved, autoFocus }: Props) {
  const [draft, setDraft] = useDraft<Draft | null>(fixed ? `note/${fixed}` : "note", null);
  const text = draft?.text ?? "";
  const [chosen, setChosen] = useState("");
  const project = fixed ?? draft?.project ?? chosen;
  const [over, setOver] = useState(false);
  const picker = useRef<HTMLInputElement>(null);
  const box = useRef<HTMLTextAreaElement>(null);
  const [saved, setSaved] = useState<string[]>([]);
  useWhenDone(saved, !text, onSaved);
  useEffect(() => caretAtEnd(box.current), []);
  const [isOwn, setIsOwn] = useState(false);
  const { uploads, send } = useUploads();

  const setText = (next: string) => setDraft(next ? { text: next, project } : null);
  const append = (more: string) => setText(text.trim() ? `${text}\n${more}` : more);
  function setProject(next: string) {
    setChosen(next);
    if (text) setDraft({ text, project: next });
  }
  function save() {
    if (!text.trim()) return;
    setSaved([...saved, saveLater(bodyOf({ text, project, isOwn }))]);
    setText("");
    box.current?.focus();
  }
  function edit(note: Pending) {
    setDraft({
      text: text.trim() ? `${text}\n\n${note.text}` : note.text,
      project: text.trim() ? project : (note.project ?? ""),
    });
    box.current?.focus();
  }
  function paste(event: ClipboardEvent) {
    const files = [...event.clipboardData.files];
    if (!files.length) return;
    event.preventDefault();
    send(files, project, isOwn);
  }
  async function drop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    const files = await filesOf(event.dataTransfer);
    if (files.length) return send(files, project, isOwn);
    const dropped =
      event.dataTransfer.getData("text/uri-list") || event.dataTransfer.getData("text");
    if (dropped) append(dropped);
  }

  return (
    <section
      aria-label={t("Add something")}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={clsx(
        "rounded-lg border bg-surface transition-colors duration-150 focus-within:border-accent",
        over ? "border-accent bg-accent-soft" : "border-line-strong",
      )}
    >
      <textarea
        ref={box}
        aria-label={t("Write, or paste text, an address or a picture")}
        placeholder={t("Write something to remember, paste a link, or drop files here…")}
        // biome-ignore lint/a11y/noAutofocus: the dialog is opened to type into this field
        autoFocus={autoFocus}
        value={text}
        rows={text.includes("\n") ? 6 : 2}
        dir="auto"
        onChange={(event) => setText(event.target.value)}
        onPaste={paste}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) save();
        }}
        className="block w-full resize-none bg-transparent px-4 pt-3 pb-1 text-base outline-none"
      />
      <div className="flex flex-wrap items-center gap-2 px-2 pb-2">
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          aria-label={t("Files")}
          onChange={(event) => {
            send([...(event.target.files ?? [])], project, isOwn);
            event.target.value = "";
          }}
        />
        <Button variant="quiet" size="sm" onClick={() => picker.current?.click()}>
          <Paperclip size={14} /> {t("Files")}
        </Button>
        <Checkbox
          label={t("This is mine")}
          title={t(
            "“I” and “my” in these files and pages mean you. What you type is yours anyway.",
          )}
          checked={isOwn}
          onChange={(event) => setIsOwn(event.target.checked)}
          className="h-7 px-1 text-muted"
        />
        {!fixed && (
          <ProjectSelect
            label={t("Project")}
            none={t("Default project")}
            value={project}
            onChange={setProject}
            className="h-7 max-w-44 border-transparent! bg-transparent text-muted"
          />
        )}
        {isAddress(text) && (
          <span className="flex items-center gap-1 text-xs text-muted">
            <LinkIcon size={12} /> {t("The page will be fetched and saved")}
          </span>
        )}
        <span className="ms-auto hidden items-center gap-1 text-xs text-muted sm:flex">
          <Kbd>{modifier}</Kbd>
          <Kbd>↵</Kbd>
        </span>
        <Button
          variant="primary"
          size="sm"
          className="max-sm:ms-auto"
          disabled={!text.trim()}
          onClick={save}
        >
          {t("Save")}
        </Button>
      </div>
      <PendingList onEdit={edit} />
      <UploadList uploads={uploads} />
    </section>
  );
}

/** Calls `onDone` once none of these notes is being sent, none has failed and the box is empty. */
function useWhenDone(ids: string[], isEmpty: boolean, onDone?: () => void) {
  const pending = usePending();
  const open = pending.filter(({ id }) => ids.includes(id));
  const isDone =
    isEmpty &&
    ids.length > 0 &&
    open.every(({ state, problem }) => state === "waiting" && problem !== undefined);
  const latest = useRef(onDone);
  latest.current = onDone;
  useEffect(() => {
    if (isDone) latest.current?.();
  }, [isDone]);
}
