import { CircleAlert, Clock, LoaderCircle, Pencil, RotateCw, Trash2 } from "lucide-react";
import { toast } from "sonner";
import { useProject } from "~/features/projects/projects";
import { plural } from "~/lib/format";
import { t } from "~/lib/language";
import { Button, buttonClass } from "~/ui/button";
import { discard, type Pending, retry, usePending } from "./outbox";

const ICONS = { sending: LoaderCircle, waiting: Clock, failed: CircleAlert };

/** The notes that are not saved yet, with what keeps them. */
export function PendingList({ onEdit }: { onEdit: (note: Pending) => void }) {
  const pending = usePending();
  if (!pending.length) return null;
  return (
    <ul aria-label={t("Not saved yet")} className="max-h-72 divide-y overflow-y-auto border-t">
      {pending.map((note) => (
        <PendingNote key={note.id} note={note} onEdit={onEdit} />
      ))}
    </ul>
  );
}

function PendingNote({ note, onEdit }: { note: Pending; onEdit: (note: Pending) => void }) {
  const { id, text, state } = note;
  const project = useProject(note.project);
  const Icon = ICONS[state];
  const remove = () =>
    toast(t("Note discarded"), {
      action: { label: t("Undo"), onClick: discard(id) },
      duration: 10_000,
    });
  return (
    <li className="flex items-start gap-3 px-4 py-2.5 text-sm">
      <Icon
        size={14}
        aria-hidden
        className={`mt-[3px] shrink-0 ${state === "failed" ? "text-danger" : "text-muted"} ${
          state === "sending" ? "animate-spin motion-reduce:animate-none" : ""
        }`}
      />
      <div className="min-w-0 flex-1">
        <p className="line-clamp-2 break-words whitespace-pre-line" dir="auto">
          {text}
        </p>
        <p role="status" className={state === "failed" ? "text-danger" : "text-muted"}>
          {statusOf(note)}
          {project && <span className="text-muted"> · {project.name}</span>}
        </p>
      </div>
      {state !== "sending" && (
        <div className="-me-2 flex shrink-0 flex-wrap items-center justify-end">
          <Button variant="quiet" size="sm" onClick={() => retry(id)}>
            <RotateCw size={14} /> {t("Retry")}
          </Button>
          <Button
            variant="quiet"
            size="sm"
            aria-label={t("Edit this note")}
            title={t("Back into the box")}
            onClick={() => {
              discard(id);
              onEdit(note);
            }}
          >
            <Pencil size={14} />
          </Button>
          <Button
            variant="quiet"
            size="sm"
            aria-label={t("Discard this note")}
            title={t("Discard")}
            onClick={remove}
          >
            <Trash2 size={14} />
          </Button>
        </div>
      )}
    </li>
  );
}

function statusOf({ state, problem }: Pending): string {
  if (state === "sending") return t("Saving…");
  if (state === "failed") return t("Not saved. {problem}", { problem: problem ?? "" });
  return navigator.onLine
    ? t("Waiting. {problem}", { problem: problem ?? "" })
    : t("Saved in this browser. It is sent when you are back online.");
}

/** Says that notes are not saved yet, on every page, and opens the list of them. */
export function PendingButton({ onOpen }: { onOpen: () => void }) {
  const pending = usePending();
  if (!pending.length) return null;
  const isFailed = pending.some(({ state }) => state === "failed");
  const Icon = isFailed ? CircleAlert : pending.some(isSending) ? LoaderCircle : Clock;
  const label = t("{notes} not saved yet", { notes: plural(pending.length, "note") });
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={onOpen}
      className={`${buttonClass("quiet")} ${isFailed ? "text-danger!" : ""}`}
    >
      <Icon
        size={16}
        className={pending.some(isSending) ? "animate-spin motion-reduce:animate-none" : ""}
      />
      {pending.length}
    </button>
  );
}

function isSending({ state }: Pending): boolean {
  return state === "sending";
}
