import clsx from "clsx";
import { Link as LinkIcon, Paperclip } from "lucide-react";
import { type ClipboardEvent, type DragEvent, useRef, useState } from "react";
import { ProjectSelect } from "~/features/projects/project-select";
import { modifier } from "~/lib/keyboard";
import { Button } from "~/ui/button";
import { Kbd } from "~/ui/kbd";
import { isAddress, useAddText } from "./add";
import { filesOf } from "./dropped-files";
import { UploadList } from "./upload-list";
import { useUploads } from "./uploads";

type Props = { project?: string; onSaved?: () => void; autoFocus?: boolean };

/** A box to type, paste, drop or pick anything into. */
export function AddBox({ project: fixed, onSaved, autoFocus }: Props) {
  const [text, setText] = useState("");
  const [project, setProject] = useState(fixed ?? "");
  const [over, setOver] = useState(false);
  const picker = useRef<HTMLInputElement>(null);
  const add = useAddText();
  const { uploads, send, clear } = useUploads();

  function save() {
    if (!text.trim() || add.isPending) return;
    add.mutate(
      { text, project },
      {
        onSuccess: () => {
          setText("");
          onSaved?.();
        },
      },
    );
  }
  function paste(event: ClipboardEvent) {
    const files = [...event.clipboardData.files];
    if (!files.length) return;
    event.preventDefault();
    send(files, project);
  }
  async function drop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    const files = await filesOf(event.dataTransfer);
    if (files.length) return send(files, project);
    const dropped =
      event.dataTransfer.getData("text/uri-list") || event.dataTransfer.getData("text");
    if (dropped) setText((current) => (current ? `${current}\n${dropped}` : dropped));
  }

  return (
    <section
      aria-label="Add something"
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
        aria-label="Write, or paste text, an address or a picture"
        placeholder="Write something to remember, paste a link, or drop files here…"
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
          aria-label="Files"
          onChange={(event) => {
            send([...(event.target.files ?? [])], project);
            event.target.value = "";
          }}
        />
        <Button variant="quiet" size="sm" onClick={() => picker.current?.click()}>
          <Paperclip size={14} /> Files
        </Button>
        {!fixed && (
          <ProjectSelect
            label="Project"
            none="Default project"
            value={project}
            onChange={setProject}
            className="h-7 max-w-44 border-transparent! bg-transparent text-muted"
          />
        )}
        {isAddress(text) && (
          <span className="flex items-center gap-1 text-xs text-muted">
            <LinkIcon size={12} /> The page will be fetched and saved
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
          busy={add.isPending}
          onClick={save}
        >
          {add.isPending ? "Saving…" : "Save"}
        </Button>
      </div>
      <UploadList uploads={uploads} onClear={clear} />
    </section>
  );
}
