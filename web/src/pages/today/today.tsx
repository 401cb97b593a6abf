import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Check, Sun } from "lucide-react";
import { Link } from "react-router";
import { DocumentCard } from "~/features/documents/document-card";
import { type DocumentFilter, documentsQuery } from "~/features/documents/documents";
import { changesQuery, dueQuery, type Memory, useMarkDone } from "~/features/memories/memories";
import { MemoryLine } from "~/features/memories/memory-line";
import { contradictionsQuery, unsureQuery } from "~/features/review/review";
import { addDays, dateOf, dayOf, longDay, startOfDay } from "~/lib/format";
import { t } from "~/lib/language";
import { useTitle } from "~/lib/use-title";
import { Button, buttonClass } from "~/ui/button";
import { Card, PageLayout, Row, Rows, Section } from "~/ui/layout";
import { EmptyState, SkeletonList } from "~/ui/states";

const LIMIT = 20;
const DAYS_OVERDUE = 7;
/** How far from the same day a year ago something may be. */
const NEAR_DAYS = 3;

/** The morning page: what is due, what changed, one thing from a year ago, one question. */
export default function Today() {
  useTitle(t("Today"));
  const today = dayOf(new Date());
  const due = useQuery(
    dueQuery({ since: addDays(today, -DAYS_OVERDUE), until: addDays(today, 1), limit: LIMIT }),
  );
  const changes = useQuery(changesQuery(LIMIT));
  const yesterday = startOfDay(addDays(today, -1));
  const saved = useInfiniteQuery(documentsQuery({ after: yesterday }, LIMIT));
  const past = useInfiniteQuery(documentsQuery(aYearAgo(today), 1));
  const isLoading = due.isPending || changes.isPending || saved.isPending || past.isPending;
  const changed = (changes.data ?? []).filter(({ changedAt }) => changedAt >= yesterday);
  const documents = saved.data?.pages[0]?.documents ?? [];
  const [old] = past.data?.pages[0]?.documents ?? [];
  const isEmpty = !due.data?.length && !changed.length && !documents.length && !old;
  return (
    <PageLayout title={longDay(today)} width="reading">
      {isLoading ? (
        <SkeletonList rows={4} height="h-14" />
      ) : (
        <div className="space-y-8">
          {due.data && due.data.length > 0 && <DueToday memories={due.data} />}
          <OneQuestion />
          {changed.length > 0 && (
            <Section title={t("Changed since yesterday")}>
              <Rows>
                {changed.map(({ old: before, current }) => (
                  <Row key={before.id} className="block">
                    <Link
                      to={`/memories/${current.id}`}
                      className="block break-words hover:text-accent"
                      dir="auto"
                    >
                      {current.content}
                    </Link>
                    <p className="text-sm break-words text-muted" dir="auto">
                      <del>{before.content}</del>
                    </p>
                  </Row>
                ))}
              </Rows>
            </Section>
          )}
          {documents.length > 0 && (
            <Section title={t("Saved since yesterday")}>
              <ul className="grid gap-3 sm:grid-cols-2">
                {documents.map((document) => (
                  <li key={document.id}>
                    <DocumentCard document={document} />
                  </li>
                ))}
              </ul>
            </Section>
          )}
          {old && (
            <Section title={t("A year ago")}>
              <DocumentCard document={old} />
            </Section>
          )}
          {isEmpty && (
            <EmptyState icon={Sun} title={t("A quiet day")}>
              {t("Nothing is due, and nothing changed since yesterday.")}
            </EmptyState>
          )}
        </div>
      )}
    </PageLayout>
  );
}

function DueToday({ memories }: { memories: Memory[] }) {
  const done = useMarkDone();
  return (
    <Section title={t("Due today, or still open")}>
      <Rows>
        {memories.map((memory) => (
          <Row key={memory.id}>
            <MemoryLine
              memory={memory}
              actions={
                <Button
                  size="icon"
                  aria-label={t("Done: {content}", { content: memory.content })}
                  title={t("Done")}
                  onClick={() => done.mutate(memory)}
                >
                  <Check size={16} />
                </Button>
              }
            />
          </Row>
        ))}
      </Rows>
    </Section>
  );
}

/** The first question of the review; the answer is given there, with its source. */
function OneQuestion() {
  const pairs = useQuery(contradictionsQuery);
  const unsure = useInfiniteQuery(unsureQuery);
  const [pair] = pairs.data?.contradictions ?? [];
  const [memory] = unsure.data?.pages[0]?.memories ?? [];
  if (!pair && !memory) return null;
  return (
    <Section title={t("One question")}>
      <Card className="flex flex-wrap items-center gap-3 p-4">
        <p className="min-w-0 flex-1 basis-60 break-words" dir="auto">
          {pair ? `${pair.older.content} → ${pair.newer.content}` : memory?.content}
        </p>
        <Link to="/memories?tab=review" className={buttonClass("primary")}>
          {pair ? t("Did this change?") : t("Is this right?")}
        </Link>
      </Card>
    </Section>
  );
}

function aYearAgo(today: string): DocumentFilter {
  const date = dateOf(today);
  date.setFullYear(date.getFullYear() - 1);
  const day = dayOf(date);
  return {
    after: startOfDay(addDays(day, -NEAR_DAYS)),
    before: startOfDay(addDays(day, NEAR_DAYS + 1)),
  };
}
