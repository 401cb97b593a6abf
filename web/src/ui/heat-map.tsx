import clsx from "clsx";
import { useEffect, useRef } from "react";
import { addDays, dateOf, dayOf, longDay, plural } from "~/lib/format";

const LEVELS = ["bg-raised", "bg-accent/25", "bg-accent/50", "bg-accent/75", "bg-accent"];

type Props = {
  counts: Record<string, number>;
  weeks: number;
  /** A day of the last week that is shown. */
  endsOn: string;
  selected: string;
  onSelect: (day: string) => void;
};

function levelOf(count: number, top: number): string {
  if (!count) return LEVELS[0] ?? "";
  return LEVELS[Math.min(4, 1 + Math.floor((count / top) * 3.99))] ?? "";
}

/** The first day of the map and its last one, both of whole weeks. */
export function spanOfMap(endsOn: string, weeks: number): [first: string, last: string] {
  const last = addDays(endsOn, 6 - ((dateOf(endsOn).getDay() + 6) % 7));
  return [addDays(last, 1 - weeks * 7), last];
}

/** One square a day, one column a week, ending with the week of the last day. */
export function HeatMap({ counts, weeks, endsOn, selected, onSelect }: Props) {
  const [first] = spanOfMap(endsOn, weeks);
  const top = Math.max(1, ...Object.values(counts));
  const today = dayOf(new Date());
  const columns = Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: 7 }, (_, day) => addDays(first, week * 7 + day)),
  );
  const labels = monthLabels(columns);
  const box = useRef<HTMLDivElement>(null);
  // Where not all of it fits, today is what one looks for, or else the last weeks.
  useEffect(() => {
    const frame = box.current?.parentElement;
    if (!frame) return;
    const now = box.current?.querySelector<HTMLElement>("[aria-current=date]");
    frame.scrollLeft = now ? now.offsetLeft - frame.clientWidth / 2 : frame.scrollWidth;
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

/** The month where one begins, with its year on the first of them and in January. */
function monthLabels(columns: string[][]): string[] {
  let first = true;
  return columns.map((days) => {
    const begins = days.find((day) => day.endsWith("-01"));
    if (!begins) return "";
    const year = first || begins.slice(5, 7) === "01" ? { year: "numeric" as const } : {};
    first = false;
    return dateOf(begins).toLocaleDateString(undefined, { month: "short", ...year });
  });
}
