import { useQuery } from "@tanstack/react-query";
import clsx from "clsx";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { Link } from "react-router";
import { dueQuery, type Memory } from "~/features/memories/memories";
import { MemoryLine } from "~/features/memories/memory-line";
import { dailyQuery } from "~/features/stats/stats";
import { addDays, dateOf, dayOf, list, longDay, plural } from "~/lib/format";
import { locale, t } from "~/lib/language";
import { Button } from "~/ui/button";
import { Row, Rows } from "~/ui/layout";

type Props = {
  project: string;
  /** A day of the month shown. */
  day: string;
  selected: string;
  onMonth: (day: string) => void;
  onDay: (day: string) => void;
};
/** Titles in a day; the rest is a number. */
const SHOWN = 3;
/** A month touches six weeks at most. */
const DAYS = 42;
const LIMIT = 100;

/** One month: what is due on each day, and how much was saved and happened on it. */
export function Month({ project, day, selected, onMonth, onDay }: Props) {
  const days = daysOf(day);
  const [first, end] = [days[0] as string, addDays(days[0] as string, DAYS)];
  const due = useQuery(
    dueQuery({ project: project || undefined, since: first, until: end, limit: LIMIT }),
  );
  const daily = useQuery(dailyQuery(DAYS, project || undefined, addDays(end, -1)));
  const byDay = Map.groupBy(due.data ?? [], ({ dueAt }) => dayOf(dueAt ?? ""));
  const learned = new Map(
    daily.data?.map(({ day: at, documents, memories }) => [at, documents + memories]),
  );
  const shown = selected.slice(0, 7) === day.slice(0, 7) ? selected : "";
  return (
    <>
      <MonthHead day={day} onMonth={onMonth} />
      <table className="mb-6 w-full table-fixed border-collapse rounded-lg border bg-surface">
        <caption className="sr-only">{monthName(day)}</caption>
        <thead>
          <tr>
            {days.slice(0, 7).map((weekday) => (
              <th
                key={weekday}
                scope="col"
                className="border-b p-1.5 text-xs font-medium text-muted"
              >
                {dateOf(weekday).toLocaleDateString(locale, { weekday: "short" })}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(days, day.slice(0, 7)).map((week) => (
            <tr key={week[0]}>
              {week.map((at) => (
                <td key={at} className="border p-0 align-top">
                  <Day
                    at={at}
                    isOutside={at.slice(0, 7) !== day.slice(0, 7)}
                    isSelected={at === shown}
                    due={byDay.get(at) ?? []}
                    learned={learned.get(at) ?? 0}
                    onSelect={() => onDay(at)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {shown && (
        <OneDay day={shown} due={byDay.get(shown) ?? []} learned={learned.get(shown) ?? 0} />
      )}
    </>
  );
}

function MonthHead({ day, onMonth }: { day: string; onMonth: (day: string) => void }) {
  const today = dayOf(new Date());
  return (
    <div className="mb-3 flex items-center gap-1">
      <h2 className="me-auto text-md font-semibold">{monthName(day)}</h2>
      {day.slice(0, 7) !== today.slice(0, 7) && (
        <Button size="sm" variant="quiet" onClick={() => onMonth(today)}>
          {t("This month")}
        </Button>
      )}
      <Button
        size="sm"
        variant="quiet"
        aria-label={t("Previous month")}
        onClick={() => onMonth(otherMonth(day, -1))}
      >
        <ChevronLeft size={16} />
      </Button>
      <Button
        size="sm"
        variant="quiet"
        aria-label={t("Next month")}
        onClick={() => onMonth(otherMonth(day, 1))}
      >
        <ChevronRight size={16} />
      </Button>
    </div>
  );
}

type DayProps = {
  at: string;
  isOutside: boolean;
  isSelected: boolean;
  due: Memory[];
  learned: number;
  onSelect: () => void;
};

function Day({ at, isOutside, isSelected, due, learned, onSelect }: DayProps) {
  const isToday = at === dayOf(new Date());
  const label = [
    longDay(at),
    due.length && t("{count} due", { count: due.length }),
    learned && t("{learned} saved", { learned: learned }),
  ];
  return (
    <button
      type="button"
      aria-pressed={isSelected}
      aria-label={list(label.filter((part) => typeof part === "string"))}
      onClick={onSelect}
      className={clsx(
        "flex h-14 w-full flex-col gap-0.5 overflow-hidden p-1 text-start align-top sm:h-28 sm:p-1.5",
        isSelected ? "bg-accent-soft" : "hover:bg-raised",
        isOutside && "bg-bg",
      )}
    >
      <span className="flex w-full items-center justify-between text-xs">
        <span
          className={clsx(
            "grid size-5 place-items-center rounded-full tabular-nums",
            isToday ? "bg-accent font-semibold text-accent-ink" : "text-muted",
          )}
        >
          {dateOf(at).getDate()}
        </span>
        {learned > 0 && (
          <span className="text-muted max-sm:hidden">
            {t("{learned} saved", { learned: learned })}
          </span>
        )}
      </span>
      {due.slice(0, SHOWN).map((memory) => (
        <span
          key={memory.id}
          dir="auto"
          className="w-full truncate rounded-sm bg-accent-soft px-1 text-xs text-ink max-sm:hidden"
        >
          {memory.content}
        </span>
      ))}
      {due.length > SHOWN && (
        <span className="text-xs text-muted max-sm:hidden">
          {t("{count} more", { count: due.length - SHOWN })}
        </span>
      )}
      <span className="flex gap-1 px-1.5 sm:hidden">
        {due.length > 0 && <span className="size-1.5 rounded-full bg-accent" />}
        {learned > 0 && <span className="size-1.5 rounded-full bg-line-strong" />}
      </span>
    </button>
  );
}

function OneDay({ day, due, learned }: { day: string; due: Memory[]; learned: number }) {
  return (
    <section aria-label={longDay(day)}>
      <h2 className="mb-2 font-semibold">{longDay(day)}</h2>
      {due.length ? (
        <Rows>
          {due.map((memory) => (
            <Row key={memory.id}>
              <MemoryLine memory={memory} />
            </Row>
          ))}
        </Rows>
      ) : (
        <p className="text-muted">{t("Nothing is due on this day.")}</p>
      )}
      {learned > 0 && (
        <Link
          to={`/timeline?day=${day}`}
          className="mt-3 inline-block text-sm text-accent hover:underline"
        >
          {t("{things} saved on this day", { things: plural(learned, "thing") })}
        </Link>
      )}
    </section>
  );
}

function monthName(day: string): string {
  return dateOf(day).toLocaleDateString(locale, { month: "long", year: "numeric" });
}

function otherMonth(day: string, months: number): string {
  const date = dateOf(`${day.slice(0, 7)}-01`);
  date.setMonth(date.getMonth() + months);
  return dayOf(date);
}

/** Six weeks with the month, from the weekday with which weeks begin here. */
function daysOf(day: string): string[] {
  const first = `${day.slice(0, 7)}-01`;
  const before = (dateOf(first).getDay() - firstWeekday() + 7) % 7;
  return Array.from({ length: DAYS }, (_, place) => addDays(first, place - before));
}

/** The weeks that have a day of the month. */
function weeksOf(days: string[], month: string): string[][] {
  const weeks = Array.from({ length: days.length / 7 }, (_, week) => week * 7);
  return weeks
    .map((first) => days.slice(first, first + 7))
    .filter((week) => week.some((at) => at.startsWith(month)));
}

type Weeks = { firstDay: number };

/** 0 is Sunday. Browsers that do not know begin with Monday. */
function firstWeekday(): number {
  const country = new Intl.Locale(locale) as Intl.Locale & {
    getWeekInfo?: () => Weeks;
    weekInfo?: Weeks;
  };
  return ((country.getWeekInfo?.() ?? country.weekInfo)?.firstDay ?? 1) % 7;
}
