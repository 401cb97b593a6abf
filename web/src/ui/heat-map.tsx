import clsx from "clsx";
import { useEffect, useRef } from "react";
import { addDays, dateOf, dayOf, longDay, plural } from "~/lib/format";
import { locale } from "~/lib/language";

const LEVELS = ["bg-raised", "bg-accent/25", "bg-accent/50", "bg-accent/75", "bg-accent"];

type Props = {
  counts: Record<string, number>;
  weeks: number;
  /** A day in the last week shown. */
  endsOn: string;
  selected: string;
  onSelect: (day: string) => void;
};

function levelOf(count: number, top: number): string {
  if (!count) return LEVELS[0] ?? "";
  return LEVELS[Math.min(4, 1 + Math.floor((count / top) * 3.99))] ?? "";
}

/** The first and the last day of the map, which shows whole weeks. */
export function spanOfMap(endsOn: string, weeks: number): [first: string, last: string] {
  const last = addDays(endsOn, 6 - ((dateOf(endsOn).getDay() + 6) % 7));
  return [addDays(last, 1 - weeks * 7), last];
}

/** A calendar with one square per day and one column per week. */
export function HeatMap({ counts, weeks, endsOn, selected, onSelect }: Props) {
  const [first] = spanOfMap(endsOn, weeks);
  const top = Math.max(1, ...Object.values(counts));
  const today = dayOf(new Date());
  const columns = Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: 7 }, (_, day) => addDays(first, week * 7 + day)),
  );
  const labels = monthLabels(columns);
  const box = useRef<HTMLDivElement>(null);
  // If it does not fit, scroll to today, or else to the last weeks.
  useEffect(() => {
    const frame = box.current?.parentElement;
    if (!frame) return;
    const todaySquare = box.current?.querySelector<HTMLElement>("[aria-current=date]");
    frame.scrollLeft = todaySquare
      ? todaySquare.offsetLeft - frame.clientWidth / 2
      : frame.scrollWidth;
  }, []);
  return (
    <div ref={box} className="flex w-fit gap-1">
      {columns.map((days, week) => (
        <div key={days[0]} className="space-y-1">
          <div className="h-4 w-4 text-xs whitespace-nowrap text-muted">{labels[week]}</div>
          {days.map((day) => {
            const count = counts[day] ?? 0;
            const label = `${longDay(day)}: ${plural(count, "item")}`;
            return (
              <button
                key={day}
                type="button"
                disabled={!count}
                title={label}
                aria-label={label}
                aria-current={day === today ? "date" : undefined}
                aria-pressed={selected === day}
                onClick={() => onSelect(day)}
                className={clsx(
                  "block size-4 rounded-sm",
                  levelOf(count, top),
                  selected === day
                    ? "outline-2 outline-ink"
                    : day === today && "outline-1 outline-muted",
                )}
              />
            );
          })}
        </div>
      ))}
    </div>
  );
}

/** Labels the columns in which a month begins; the first one and each January have the year. */
function monthLabels(columns: string[][]): string[] {
  let first = true;
  return columns.map((days) => {
    const firstOfMonth = days.find((day) => day.endsWith("-01"));
    if (!firstOfMonth) return "";
    const year = first || firstOfMonth.slice(5, 7) === "01" ? { year: "numeric" as const } : {};
    first = false;
    return dateOf(firstOfMonth).toLocaleDateString(locale, { month: "short", ...year });
  });
}
