import { RotateCw, Trash2 } from "lucide-react";
import { Link } from "react-router";
import { toast } from "sonner";
import { t } from "~/lib/language";
import { Button } from "~/ui/button";
import { Bar } from "~/ui/sparkline";
import { clearUploads, discardUpload, retryUpload, type Upload } from "./uploads";

const IS_SAVED = new Set<Upload["state"]>(["saved", "known"]);

function Outcome({ upload }: { upload: Upload }) {
  const { state, share, problem, note, documentId } = upload;
  if (IS_SAVED.has(state)) {
    return (
      <Link to={`/memory/${documentId}`} className="text-accent hover:underline">
        {state === "known" ? t("Already saved · Open") : t("Saved · Open")}
        {note && <span className="block text-xs text-muted">{note}</span>}
      </Link>
    );
  }
  if (state === "sending") return <span className="text-muted">{Math.round(share * 100)} %</span>;
  const isFailed = state === "failed";
  return (
    <span className={isFailed ? "text-danger" : "text-muted"}>
      {isFailed ? problem : t("Waiting. {problem}", { problem: problem ?? "" })}
    </span>
  );
}

function Actions({ upload }: { upload: Upload }) {
  if (upload.state === "sending" || IS_SAVED.has(upload.state)) return null;
  const discard = () =>
    toast(t("File discarded"), {
      action: { label: t("Undo"), onClick: discardUpload(upload) },
      duration: 10_000,
    });
  return (
    <div className="-me-2 flex shrink-0">
      <Button variant="quiet" size="sm" onClick={() => retryUpload(upload)}>
        <RotateCw size={14} /> {t("Retry")}
      </Button>
      <Button variant="quiet" size="sm" aria-label={t("Discard this file")} onClick={discard}>
        <Trash2 size={14} />
      </Button>
    </div>
  );
}

/** Files on their way, and those that were saved. */
export function UploadList({ uploads }: { uploads: Upload[] }) {
  if (!uploads.length) return null;
  const isDone = uploads.every(({ state }) => state === "failed" || IS_SAVED.has(state));
  return (
    <div className="border-t px-4 py-2">
      <ul aria-label={t("Files")} className="max-h-56 space-y-2 overflow-y-auto">
        {uploads.map((upload) => (
          <li key={upload.id} className="text-sm">
            <div className="flex flex-wrap items-center gap-x-3">
              <span className="min-w-0 flex-1 truncate" dir="auto" title={upload.name}>
                {upload.name}
              </span>
              <Outcome upload={upload} />
              <Actions upload={upload} />
            </div>
            {upload.state === "sending" && <Bar value={upload.share} label={upload.name} />}
          </li>
        ))}
      </ul>
      {isDone && (
        <Button
          variant="quiet"
          size="sm"
          className="mt-1 -ms-2"
          onClick={() => clearUploads(uploads)}
        >
          {t("Clear list")}
        </Button>
      )}
    </div>
  );
}
