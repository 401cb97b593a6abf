import { useQuery } from "@tanstack/react-query";
import { type EntityChange, entityChangesQuery, useUndoChange } from "~/features/entities/entities";
import { t } from "~/lib/language";
import { Button } from "~/ui/button";
import { Row, Rows, Section } from "~/ui/layout";
import { Time } from "~/ui/time";

const VERBS: Record<EntityChange["kind"], string> = {
  rename: t("Renamed"),
  merge: t("Merged"),
  split: t("Split"),
};

/** What was renamed, merged and split, with undo. */
export function EntityChanges() {
  const changes = useQuery(entityChangesQuery);
  const undo = useUndoChange();
  if (!changes.data?.changes.length) return null;
  return (
    <div className="mt-10">
      <Section title={t("What you changed")}>
        <Rows>
          {changes.data.changes.map((change) => (
            <Row key={change.id}>
              <div className="min-w-0 flex-1 basis-48">
                <div className="break-words" dir="auto">
                  {change.summary}
                </div>
                <div className="text-sm text-muted">
                  {VERBS[change.kind]} <Time at={change.created_at} />
                  {change.undone_at && ` · ${t("undone")}`}
                </div>
              </div>
              {!change.undone_at && (
                <Button
                  size="sm"
                  aria-label={t("Undo {summary}", { summary: change.summary })}
                  onClick={() => undo.mutate(change.id)}
                >
                  {t("Undo")}
                </Button>
              )}
            </Row>
          ))}
        </Rows>
      </Section>
    </div>
  );
}
