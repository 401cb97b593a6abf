import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useRestoreDocuments } from "~/features/documents/delete";
import { useRestoreMemory } from "~/features/memories/memories";
import { trashQuery } from "~/features/trash/trash";
import { rich, t } from "~/lib/language";
import { plainText } from "~/lib/plain-text";
import { useTitle } from "~/lib/use-title";
import { Button } from "~/ui/button";
import { Card, PageLayout } from "~/ui/layout";
import { EmptyState, Loaded, SkeletonList } from "~/ui/states";
import { Time } from "~/ui/time";

export default function TrashPage() {
  useTitle(t("Trash"));
  const trash = useQuery(trashQuery);
  const restoreDocuments = useRestoreDocuments();
  const restoreMemory = useRestoreMemory();
  return (
    <PageLayout
      title={t("Trash")}
      description={t(
        "Deleted documents can be restored for 30 days, and forgotten memories until they are erased.",
      )}
    >
      <Loaded query={trash} skeleton={<SkeletonList rows={6} height="h-12" />}>
        {({ documents, memories }) => {
          if (!documents.length && !memories.length) {
            return <EmptyState icon={Trash2} title={t("The trash is empty")} />;
          }
          return (
            <>
              <Group title={t("Documents")}>
                {documents.map((item) => (
                  <Row
                    key={item.id}
                    text={plainText(item.title).text}
                    restore={() => restoreDocuments([item.id])}
                  >
                    {rich("Deleted {deleted}, erased {erased}", {
                      deleted: <Time at={item.deleted_at} />,
                      erased: <Time at={item.restorable_until} />,
                    })}
                  </Row>
                ))}
              </Group>
              <Group title={t("Memories")}>
                {memories.map((item) => (
                  <Row
                    key={item.id}
                    text={item.content}
                    restore={() => restoreMemory.mutateAsync(item.id).then(() => true)}
                  >
                    {item.deleted_at &&
                      rich("Forgotten {time}", { time: <Time at={item.deleted_at} /> })}
                  </Row>
                ))}
              </Group>
            </>
          );
        }}
      </Loaded>
    </PageLayout>
  );
}

function Group({ title, children }: { title: string; children: ReactNode[] }) {
  if (!children.length) return null;
  return (
    <section className="mb-6">
      <h2 className="mb-2 text-sm font-semibold text-muted">{title}</h2>
      <Card>
        <ul className="divide-y">{children}</ul>
      </Card>
    </section>
  );
}

type RowProps = { text: string; restore: () => Promise<boolean>; children: ReactNode };

function Row({ text, restore, children }: RowProps) {
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  return (
    <li className="flex items-start gap-3 px-4 py-2.5 text-sm">
      <div className="min-w-0 flex-1">
        <p className="line-clamp-2 break-words" dir="auto">
          {text}
        </p>
        <p className="text-xs text-muted">{children}</p>
      </div>
      <Button
        size="sm"
        busy={busy}
        onClick={async () => {
          setBusy(true);
          await restore().catch(() => false);
          await queries.invalidateQueries({ queryKey: trashQuery.queryKey });
          setBusy(false);
        }}
      >
        {t("Restore")}
      </Button>
    </li>
  );
}
