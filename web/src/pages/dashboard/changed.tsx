import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { changesQuery, useRestoreMemory } from "~/features/memories/memories";
import { t } from "~/lib/language";
import { Button } from "~/ui/button";
import { Row, Rows, Section } from "~/ui/layout";
import { Meta } from "~/ui/meta";
import { Time } from "~/ui/time";

const SHOWN = 4;

/** What is no longer valid, and what is valid instead. */
export function Changed() {
  const { data = [] } = useQuery(changesQuery(SHOWN));
  const restore = useRestoreMemory();
  if (!data.length) return null;
  return (
    <Section
      title={t("What changed")}
      actions={
        <Link to="/memories?tab=replaced" className="text-sm text-accent hover:underline">
          {t("All changes")}
        </Link>
      }
    >
      <Rows>
        {data.map(({ old, current, changedAt }) => (
          <Row key={old.id} className="flex-nowrap gap-x-3!">
            <div className="min-w-0 flex-1">
              <Link
                to={`/memories/${current.id}`}
                className="line-clamp-3 break-words hover:text-accent"
                dir="auto"
              >
                {current.content}
              </Link>
              <p className="line-clamp-2 text-sm text-muted" dir="auto">
                <del>{old.content}</del>
              </p>
              <Meta className="mt-1">
                <Time at={changedAt} />
              </Meta>
            </div>
            <Button size="sm" busy={restore.isPending} onClick={() => restore.mutate(old.id)}>
              {t("Undo")}
            </Button>
          </Row>
        ))}
      </Rows>
    </Section>
  );
}
