import clsx from "clsx";
import { Pencil, Trash2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import type { Highlight } from "~/features/highlights/highlights";
import { plural } from "~/lib/format";
import { t } from "~/lib/language";
import { Button } from "~/ui/button";
import { TextArea } from "~/ui/input";
import type { Highlighting } from "./use-highlighting";

/** The highlights beside the text, in its order. */
export function HighlightList({ highlighting }: { highlighting: Highlighting }) {
  const { highlights } = highlighting;
  return (
    <aside aria-label={t("Highlights")} className="shrink-0 max-lg:border-t max-lg:pt-6 lg:w-72">
      <div className="lg:sticky lg:top-8">
        <h2 className="mb-3 text-xs font-medium text-muted">
          {highlights.length ? plural(highlights.length, "highlight") : t("Highlights")}
        </h2>
        {highlights.length === 0 && (
          <p className="text-sm text-muted">
            {t(
              "Select words to keep them, with a note if you like. What you keep here is a memory: you find it in search and in answers.",
            )}
          </p>
        )}
        <ul className="space-y-4 lg:max-h-[78vh] lg:overflow-y-auto">
          {highlights.map((highlight) => (
            <Item key={highlight.id} highlight={highlight} highlighting={highlighting} />
          ))}
        </ul>
      </div>
    </aside>
  );
}

type ItemProps = { highlight: Highlight; highlighting: Highlighting };

function Item({ highlight, highlighting }: ItemProps) {
  const { id, quote, note, start } = highlight;
  const { current, editing, setEditing, show, changes } = highlighting;
  const item = useRef<HTMLLIElement>(null);
  const isCurrent = current === id;
  useEffect(() => {
    if (isCurrent) item.current?.scrollIntoView({ block: "nearest" });
  }, [isCurrent]);
  return (
    <li
      ref={item}
      className={clsx(
        "group border-s-2 ps-3 text-sm",
        isCurrent ? "border-accent" : "border-line-strong",
      )}
    >
      <button
        type="button"
        dir="auto"
        aria-current={isCurrent || undefined}
        disabled={start === null}
        onClick={() => show(id)}
        className="line-clamp-6 w-full text-start enabled:hover:text-accent"
      >
        {quote}
      </button>
      {start === null && (
        <p className="mt-1 text-xs text-muted">{t("No longer in the text; your copy stays.")}</p>
      )}
      {editing === id ? (
        <NoteEditor
          note={note ?? ""}
          onClose={(text) => {
            setEditing(null);
            if (text !== undefined && text.trim() !== (note ?? "")) void changes.setNote(id, text);
          }}
        />
      ) : (
        note && (
          <p className="mt-1.5 whitespace-pre-wrap text-muted" dir="auto">
            {note}
          </p>
        )
      )}
      {editing !== id && (
        <div className="-ms-2 mt-1 flex items-center text-xs group-focus-within:opacity-100 group-hover:opacity-100 pointer-fine:opacity-0">
          <Button variant="quiet" size="sm" onClick={() => setEditing(id)}>
            <Pencil size={12} /> {note ? t("Edit note") : t("Add note")}
          </Button>
          <Button
            variant="quiet"
            size="sm"
            aria-label={t("Remove the highlight: {value}", { value: quote.slice(0, 60) })}
            onClick={() => void changes.remove(id)}
          >
            <Trash2 size={12} />
          </Button>
          <Link to={`/memories/${id}`} className="ms-1 text-muted hover:text-accent">
            {t("Open")}
          </Link>
        </div>
      )}
    </li>
  );
}

type NoteProps = { note: string; onClose: (note?: string) => void };

/** Saves when it is left or with Ctrl Enter; Escape discards the change. */
function NoteEditor({ note, onClose }: NoteProps) {
  const [text, setText] = useState(note);
  const field = useRef<HTMLTextAreaElement>(null);
  const isDone = useRef(false);
  useEffect(() => field.current?.focus(), []);
  const close = (value?: string) => {
    if (isDone.current) return;
    isDone.current = true;
    onClose(value);
  };
  return (
    <TextArea
      ref={field}
      aria-label={t("Note")}
      rows={3}
      maxLength={5_000}
      className="mt-2"
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => close(text)}
      onKeyDown={(event) => {
        if (event.key === "Escape") close();
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) close(text);
      }}
    />
  );
}
