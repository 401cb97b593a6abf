import { useQuery } from "@tanstack/react-query";
import clsx from "clsx";
import { Check } from "lucide-react";
import { Link } from "react-router";
import { dueQuery, isSomeoneElse, type Memory, useMarkDone } from "~/features/memories/memories";
import { addDays, dayOf, dueDay, longDay } from "~/lib/format";
import { t } from "~/lib/language";
import { Button } from "~/ui/button";
import { Row, Rows, Section } from "~/ui/layout";

const SHOWN = 6;
const DAYS_AHEAD = 14;
/** What was due earlier is not worth a place at the top. */
const DAYS_OVERDUE = 7;

/** What is due today and in the next days, and what was not done in the last ones. */
export function Due() {
  const today = dayOf(new Date());
  const { data = [] } = useQuery(
    dueQuery({
      since: addDays(today, -DAYS_OVERDUE),
      until: addDays(today, DAYS_AHEAD),
      limit: SHOWN,
    }),
  );
  if (!data.length) return null;
  return (
    <Section
      title={t("Due today and soon")}
      actions={
        <Link to="/timeline?by=due" className="text-sm text-accent hover:underline">
          {t("All that is due")}
        </Link>
      }
    >
      <Rows>
        {data.map((memory) => (
          <DueRow key={memory.id} memory={memory} today={today} />
        ))}
      </Rows>
    </Section>
  );
}

function DueRow({ memory, today }: { memory: Memory; today: string }) {
  const done = useMarkDone();
  const dueAt = memory.dueAt ?? "";
  const isOverdue = dayOf(dueAt) < today;
  return (
    <Row className="flex-nowrap gap-x-3!">
      <div className="min-w-0 flex-1">
        <time
          dateTime={dueAt}
          title={longDay(dueAt)}
          className={clsx("text-xs font-semibold", isOverdue ? "text-danger" : "text-accent")}
        >
          {dueDay(dueAt)}
        </time>
        <Link
          to={`/memories/${memory.partOf ?? memory.id}`}
          className="line-clamp-3 break-words hover:text-accent"
          dir="auto"
        >
          {memory.content}
        </Link>
        {isSomeoneElse(memory.speaker) && (
          <p className="text-xs text-muted">{t("said by {name}", { name: memory.speaker })}</p>
        )}
      </div>
      <Button
        variant="secondary"
        size="icon"
        aria-label={t("Done: {content}", { content: memory.content })}
        title={t("Done")}
        onClick={() => done.mutate(memory)}
      >
        <Check size={16} />
      </Button>
    </Row>
  );
}
