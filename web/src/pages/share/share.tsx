import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { FileText, Share2 } from "lucide-react";
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { isAddress } from "~/features/documents/add";
import {
  listShared,
  removeShared,
  type Shared,
  saveShared,
  textOf,
} from "~/features/documents/shared";
import { useOtherUploads } from "~/features/documents/uploads";
import { ProjectSelect } from "~/features/projects/project-select";
import { bytes } from "~/lib/format";
import { t } from "~/lib/language";
import { useTitle } from "~/lib/use-title";
import { Button, buttonClass } from "~/ui/button";
import { TextArea } from "~/ui/input";
import { Card, PageLayout } from "~/ui/layout";
import { EmptyState, Loaded, SkeletonList } from "~/ui/states";

const sharedQuery = { queryKey: ["shared"], queryFn: listShared, gcTime: 0, staleTime: 0 };

/** What other apps shared. Nothing is saved before the user says so: any site can open this page. */
export default function Share() {
  useTitle(t("Save what you shared"));
  const shared = useQuery(sharedQuery);
  return (
    <PageLayout title={t("Save what you shared")} width="reading">
      <Loaded query={shared} skeleton={<SkeletonList rows={2} height="h-24" />}>
        {(items) =>
          items.length ? (
            <ul className="space-y-4">
              {items.map((item) => (
                <li key={String(item.key)}>
                  <SharedItem item={item} isLast={items.length === 1} />
                </li>
              ))}
            </ul>
          ) : (
            <EmptyState
              icon={Share2}
              title={t("Nothing is waiting here")}
              actions={
                <Link to="/dashboard" className={buttonClass("primary")}>
                  {t("Go home")}
                </Link>
              }
            >
              {t("Install remem as an app, then choose it where another app says “Share”.")}
            </EmptyState>
          )
        }
      </Loaded>
    </PageLayout>
  );
}

function SharedItem({ item, isLast }: { item: Shared; isLast: boolean }) {
  const [text, setText] = useState(() => textOf(item));
  const [project, setProject] = useState("");
  const { send } = useOtherUploads();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const finish = useMutation({
    mutationFn: async (isSaved: boolean) => {
      if (isSaved) {
        saveShared(text, project);
        if (item.files.length) send(item.files, project || undefined);
      }
      await removeShared(item.key);
    },
    onSuccess: async () => {
      if (isLast) navigate("/dashboard", { replace: true });
      else await queries.invalidateQueries({ queryKey: ["shared"] });
    },
  });
  return (
    <Card className="space-y-3 p-4">
      {(text || !item.files.length) && (
        <TextArea
          aria-label={t("Text to save")}
          value={text}
          rows={Math.min(12, Math.max(3, text.split("\n").length + 1))}
          dir="auto"
          onChange={(event) => setText(event.target.value)}
        />
      )}
      {isAddress(text) && (
        <p className="text-sm text-muted">{t("The page will be fetched and saved.")}</p>
      )}
      {item.files.length > 0 && (
        <ul className="space-y-1 text-sm">
          {item.files.map((file, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two files may have one name
            <li key={place} className="flex items-center gap-2">
              <FileText size={14} className="shrink-0 text-kind-document" />
              <span className="min-w-0 flex-1 truncate">{file.name}</span>
              <span className="text-muted">{bytes(file.size)}</span>
            </li>
          ))}
        </ul>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <ProjectSelect
          label={t("Project")}
          none={t("Default project")}
          value={project}
          onChange={setProject}
          className="me-auto"
        />
        <Button disabled={finish.isPending} onClick={() => finish.mutate(false)}>
          {t("Discard")}
        </Button>
        <Button
          variant="primary"
          disabled={finish.isPending || !(text.trim() || item.files.length)}
          onClick={() => finish.mutate(true)}
        >
          {t("Save")}
        </Button>
      </div>
    </Card>
  );
}
