import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { CalendarDays, ChevronLeft, ChevronRight, FileText } from "lucide-react";
import { type ReactNode, useMemo } from "react";
import { Link } from "react-router";
import { documentsQuery } from "~/features/documents/documents";
import { dueQuery, type Memory, memoriesQuery } from "~/features/memories/memories";
import { MemoryLine } from "~/features/memories/memory-line";
import { ProjectSelect } from "~/features/projects/project-select";
import { dailyQuery } from "~/features/stats/stats";
import { addDays, dayOf, endOfDay, isDay, longDay, shortDate, startOfDay } from "~/lib/format";
import { t } from "~/lib/language";
import { plainText } from "~/lib/plain-text";
import { useUrlState } from "~/lib/url-state";
import { useTitle } from "~/lib/use-title";
import { Button } from "~/ui/button";
import { HeatMap, spanOfMap } from "~/ui/heat-map";
import { PageLayout } from "~/ui/layout";
import { ShowMore } from "~/ui/show-more";
import { EmptyState, ErrorState, SkeletonList } from "~/ui/states";
import { Segments } from "~/ui/tabs";
import { AsOf } from "./as-of";
import { Month } from "./month";

type Order = "learned" | "happened" | "due";
type Entry = { id: string; at: string; memory?: Memory; title?: string };
const WEEKS = 44;
/** Days to move at once: half of the calendar. */
const STEP_DAYS = WEEKS * 3.5;
/** How many days ahead the calendar of due items goes. */
const DUE_AHEAD_DAYS = 38 * 7;

export default function Timeline() {
  useTitle(t("Timeline"));
  const [params, change] = useUrlState();
  const order = (params.get("by") as Order) || "learned";
  const project = params.get("project") ?? "";
  const dayIn = (name: string) => (isDay(params.get(name) ?? "") ? (params.get(name) ?? "") : "");
  const [day, asOf] = [dayIn("day"), dayIn("as_of")];
  const isMonth = params.get("view") === "month";
  return (
    <PageLayout
      title={t("Timeline")}
      description={t("What happened, what you learned, and what is due.")}
      actions={
        <>
          <ProjectSelect
            label={t("Project")}
            none={t("All projects")}
            value={project}
            onChange={(slug) => change({ project: slug })}
          />
          <Segments<"list" | "month">
            label={t("View")}
            value={isMonth ? "month" : "list"}
            options={[
              { value: "list", label: t("List") },
              { value: "month", label: t("Month") },
            ]}
            onChange={(view) => change({ view: view === "month" ? view : null, day: null })}
          />
          {!isMonth && (
            <Segments<Order>
              label={t("Order by")}
              value={order}
              options={[
                { value: "learned", label: t("Learned") },
                { value: "happened", label: t("Happened") },
                { value: "due", label: t("Due") },
              ]}
              onChange={(by) =>
                change({ by: by === "learned" ? null : by, day: null, until: null })
              }
            />
          )}
        </>
      }
    >
      {isMonth ? (
        <Month
          project={project}
          day={dayIn("month") || dayOf(new Date())}
          selected={day}
          onMonth={(month) => change({ month, day: null })}
          onDay={(next) => change({ day: next === day ? null : next, month: next })}
        />
      ) : (
        <>
          <AsOf value={asOf} onChange={(value) => change({ as_of: value })} />
          <Days
            key={`${order}-${asOf}-${project}`}
            order={order}
            project={project}
            asOf={asOf}
            day={day}
            last={dayIn("until") || lastDay(order)}
            onLast={(next) => change({ until: next === lastDay(order) ? null : next, day: null })}
            onDay={(next) => change({ day: next === day ? null : next })}
          />
        </>
      )}
    </PageLayout>
  );
}

type DaysProps = {
  order: Order;
  project: string;
  asOf: string;
  day: string;
  /** The last day of the calendar. */
  last: string;
  onLast: (day: string) => void;
  onDay: (day: string) => void;
};

/** The last day of the calendar: today, or later for due items. */
function lastDay(order: Order): string {
  return addDays(dayOf(new Date()), order === "due" ? DUE_AHEAD_DAYS : 0);
}

/** The time by which a memory is listed. With `asOf`, this is when it became valid, not when it was saved. */
function momentOf(memory: Memory, order: Order, asOf: string): string | null {
  if (order === "due") return memory.dueAt;
  if (order === "learned" && asOf) return memory.validFrom ?? memory.createdAt;
  return order === "happened" ? memory.occurredAt : memory.createdAt;
}

/** From midnight to midnight, in local time. */
function spanOf(day: string): { since?: string; until?: string } {
  return day ? { since: startOfDay(day), until: startOfDay(addDays(day, 1)) } : {};
}

/** The number of items on each day, from the server, or from the loaded entries with `asOf`. */
function useCounts({ order, project, asOf, last }: DaysProps, entries: Entry[]) {
  const [, until] = spanOfMap(last, WEEKS);
  const daily = useQuery({
    ...dailyQuery(WEEKS * 7, project || undefined, until),
    enabled: !asOf,
  });
  return useMemo((): Record<string, number> => {
    const byDay: Record<string, number> = {};
    if (daily.data && !asOf) {
      for (const { day, documents, memories, occurred, due } of daily.data)
        byDay[day] = { learned: documents + memories, happened: occurred, due }[order];
      return byDay;
    }
    for (const { at } of entries) byDay[dayOf(at)] = (byDay[dayOf(at)] ?? 0) + 1;
    return byDay;
  }, [daily.data, entries, order, asOf]);
}

function Days(props: DaysProps) {
  const { order, project, asOf, day, last, onLast, onDay } = props;
  const filter = {
    project: project || undefined,
    asOf: asOf ? endOfDay(asOf) : undefined,
  };
  // For a selected day, load everything that was learned on it, however long ago.
  const span = order === "learned" && !asOf ? spanOf(day) : {};
  const memories = useInfiniteQuery({
    ...memoriesQuery({ ...filter, ...span }, 100),
    placeholderData: keepPreviousData,
  });
  const documents = useInfiniteQuery({
    ...documentsQuery({ project: filter.project, after: span.since, before: span.until }, 100),
    placeholderData: keepPreviousData,
  });
  const due = useQuery({
    ...dueQuery({ project: filter.project, limit: 100 }),
    enabled: order === "due",
  });
  const entries = useMemo<Entry[]>(() => {
    const all = memories.data?.pages.flatMap((page) => page.memories) ?? [];
    const known = new Map(
      [...(order === "due" ? (due.data ?? []) : []), ...all].map((memory) => [memory.id, memory]),
    );
    const lines: Entry[] = [...known.values()].flatMap((memory) => {
      const at = momentOf(memory, order, asOf);
      return at ? [{ id: memory.id, at, memory }] : [];
    });
    if (order === "learned" && !asOf) {
      for (const page of documents.data?.pages ?? []) {
        for (const { id, created_at: at, title } of page.documents) lines.push({ id, at, title });
      }
    }
    const sign = order === "due" ? 1 : -1;
    return lines.sort((a, b) => sign * a.at.localeCompare(b.at));
  }, [memories.data, documents.data, due.data, order, asOf]);
  const counts = useCounts(props, entries);
  if (memories.error && !memories.data) {
    return <ErrorState error={memories.error} onRetry={memories.refetch} />;
  }
  if (memories.isPending) return <SkeletonList rows={6} height="h-12" />;
  const shown = day ? entries.filter(({ at }) => dayOf(at) === day) : entries;
  const groups = Map.groupBy(shown, ({ at }) => dayOf(at));
  return (
    <>
      <Calendar last={last} onLast={onLast} defaultDay={lastDay(order)}>
        <HeatMap
          key={last}
          counts={counts}
          weeks={WEEKS}
          endsOn={last}
          selected={day}
          onSelect={onDay}
        />
      </Calendar>
      {!shown.length && (
        <EmptyState icon={CalendarDays} title={t("Nothing on this part of the timeline")}>
          {order === "happened" &&
            t("Memories about something that happened on a date appear here.")}
          {order === "due" && t("Tasks and promises with a date appear here.")}
        </EmptyState>
      )}
      {[...groups].map(([date, group]) => (
        <section key={date} className="mb-8 grid gap-x-6 sm:grid-cols-[9rem_1fr]">
          <h2 className="mb-2 text-sm font-medium text-muted sm:sticky sm:top-4 sm:self-start">
            {longDay(date)}
          </h2>
          <ul className="divide-y divide-line rounded-lg border bg-surface">
            {group.map((entry) => (
              <li key={entry.id} className="px-4 py-3">
                {entry.memory ? (
                  <MemoryLine memory={entry.memory} />
                ) : (
                  <div className="flex items-center gap-3">
                    <FileText size={14} strokeWidth={1.75} className="text-kind-document" />
                    <Link
                      to={`/memory/${entry.id}`}
                      className="font-medium hover:text-accent"
                      dir="auto"
                    >
                      {plainText(entry.title ?? "").text}
                    </Link>
                    <span className="text-xs text-muted">{t("saved")}</span>
                  </div>
                )}
              </li>
            ))}
          </ul>
        </section>
      ))}
      <ShowMore
        list={{
          hasNextPage: memories.hasNextPage,
          isFetchingNextPage: memories.isFetchingNextPage,
          fetchNextPage: () => {
            memories.fetchNextPage();
            if (documents.hasNextPage) documents.fetchNextPage();
          },
        }}
      />
    </>
  );
}

type CalendarProps = {
  last: string;
  defaultDay: string;
  onLast: (day: string) => void;
  children: ReactNode;
};

/** The months shown, with buttons for earlier and later ones. */
function Calendar({ last, defaultDay, onLast, children }: CalendarProps) {
  const [first, end] = spanOfMap(last, WEEKS);
  return (
    <div className="mb-8 rounded-lg border bg-surface p-4">
      <div className="mb-2 flex items-center gap-1 text-sm">
        <span className="me-auto font-medium">
          {shortDate(first)} – {shortDate(end)}
        </span>
        {last !== defaultDay && (
          <Button size="sm" variant="quiet" onClick={() => onLast(defaultDay)}>
            {t("Around today")}
          </Button>
        )}
        <Button
          size="sm"
          variant="quiet"
          aria-label={t("Earlier months")}
          onClick={() => onLast(addDays(last, -STEP_DAYS))}
        >
          <ChevronLeft size={16} />
        </Button>
        <Button
          size="sm"
          variant="quiet"
          aria-label={t("Later months")}
          onClick={() => onLast(addDays(last, STEP_DAYS))}
        >
          <ChevronRight size={16} />
        </Button>
      </div>
      <div className="overflow-x-auto pb-1">{children}</div>
    </div>
  );
}
