import { Link } from "react-router";
import { Button } from "~/ui/button";
import { Bar } from "~/ui/sparkline";
import type { Upload } from "./uploads";

type Retry = (upload: Upload) => void;

function Outcome({ upload, onRetry }: { upload: Upload; onRetry: Retry }) {
  if (upload.state === "failed") {
    return (
      <span className="text-danger">
        {upload.problem}{" "}
        <button
          type="button"
          className="text-accent hover:underline"
          onClick={() => onRetry(upload)}
        >
          Retry
        </button>
      </span>
    );
  }
  if (upload.state === "sending") {
    return <span className="text-muted">{Math.round(upload.share * 100)} %</span>;
  }
  return (
    <Link to={`/memory/${upload.id}`} className="text-accent hover:underline">
      {upload.state === "known" ? "Already saved · Open" : "Saved · Open"}
    </Link>
  );
}

type Props = { uploads: Upload[]; onRetry: Retry; onClear: () => void };

export function UploadList({ uploads, onRetry, onClear }: Props) {
  if (!uploads.length) return null;
  return (
    <div className="border-t px-4 py-2">
      <ul aria-label="Files" className="max-h-56 space-y-2 overflow-y-auto">
        {uploads.map((upload) => (
          <li key={upload.key} className="text-sm">
            <div className="flex flex-wrap gap-x-3">
              <span className="min-w-0 flex-1 truncate" dir="auto" title={upload.name}>
                {upload.name}
              </span>
              <Outcome upload={upload} onRetry={onRetry} />
            </div>
            {upload.state === "sending" && <Bar value={upload.share} label={upload.name} />}
          </li>
        ))}
      </ul>
      {uploads.every((upload) => upload.state !== "sending") && (
        <Button variant="quiet" size="sm" className="mt-1 -ms-2" onClick={onClear}>
          Clear list
        </Button>
      )}
    </div>
  );
}
