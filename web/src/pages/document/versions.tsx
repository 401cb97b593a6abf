import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { toast } from "sonner";
import { type Document, documentQuery, useChangeDocument } from "~/features/documents/documents";
import { messageOf } from "~/lib/api";
import { shortDate } from "~/lib/format";
import { t } from "~/lib/language";
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
  if (!chosen) return <p className="text-muted">{t("There is only one version.")}</p>;
  return (
    <div className="space-y-3">
      <div className="flex flex-wrap items-center gap-2">
        <Select
          aria-label={t("Version to compare with")}
          value={chosen.id}
          onChange={(event) => change({ from: event.target.value })}
        >
          {older.map((version) => (
            <option key={version.id} value={version.id}>
              {t("Version {version}, {date}", {
                version: version.version,
                date: shortDate(version.created_at),
              })}
            </option>
          ))}
        </Select>
        <span className="text-sm text-muted">
          {t("compared with version {version}", { version: document.version })}
        </span>
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
                  toast.success(t("Version {version} restored", { version: chosen.version }));
                  navigate(`/memory/${saved.id}`, { replace: true });
                },
                onError: (error) => toast.error(messageOf(error)),
              },
            )
          }
        >
          {t("Restore version {version}", { version: chosen.version })}
        </Button>
        <Button variant="quiet" onClick={onClose}>
          {t("Close")}
        </Button>
      </div>
      <Loaded query={before} skeleton={<Skeleton className="h-64" />}>
        {(old) => (
          <DiffView
            before={old.content}
            after={document.content}
            beforeLabel={t("Version {version}", { version: chosen.version })}
            afterLabel={t("Version {version}", { version: document.version })}
          />
        )}
      </Loaded>
    </div>
  );
}
