import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { toast } from "sonner";
import { type Document, documentQuery, useChangeDocument } from "~/features/documents/documents";
import { messageOf } from "~/lib/api";
import { shortDate } from "~/lib/format";
import { useUrlState } from "~/lib/url-state";
import { Button } from "~/ui/button";
import DiffView from "~/ui/diff-view";
import { Select } from "~/ui/input";
import { Loaded, Skeleton } from "~/ui/states";

type Props = { document: Document; onClose: () => void };

/** Compares two versions side by side; the older one can be restored. */
export default function Versions({ document, onClose }: Props) {
  const [params, change] = useUrlState();
  const navigate = useNavigate();
  const versions = [...(document.versions ?? [])].sort((a, b) => b.version - a.version);
  const older = versions.filter((version) => version.id !== document.id);
  const chosen = older.find((version) => version.id === params.get("from")) ?? older[0];
  const before = useQuery({
    ...documentQuery(chosen?.id ?? ""),
    enabled: Boolean(chosen),
  });
  const save = useChangeDocument(document.id);
  if (!chosen) return <p className="text-muted">There is only one version.</p>;
  return (
    <div className="space-y-3">
      <div className="flex flex-wrap items-center gap-2">
        <Select
          aria-label="Version to compare with"
          value={chosen.id}
          onChange={(event) => change({ from: event.target.value })}
        >
          {older.map((version) => (
            <option key={version.id} value={version.id}>
              Version {version.version}, {shortDate(version.created_at)}
            </option>
          ))}
        </Select>
        <span className="text-sm text-muted">compared with version {document.version}</span>
        <Button
          className="ms-auto"
          busy={save.isPending}
          disabled={!before.data}
          onClick={() =>
            before.data &&
            save.mutate(
              { content: before.data.content, title: before.data.title },
              {
                onSuccess: (saved) => {
                  toast.success(`Version ${chosen.version} restored`);
                  navigate(`/memory/${saved.id}`, { replace: true });
                },
                onError: (error) => toast.error(messageOf(error)),
              },
            )
          }
        >
          Restore version {chosen.version}
        </Button>
        <Button variant="quiet" onClick={onClose}>
          Close
        </Button>
      </div>
      <Loaded query={before} skeleton={<Skeleton className="h-64" />}>
        {(old) => (
          <DiffView
            before={old.content}
            after={document.content}
            beforeLabel={`Version ${chosen.version}`}
            afterLabel={`Version ${document.version}`}
          />
        )}
      </Loaded>
    </div>
  );
}
