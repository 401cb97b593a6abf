import clsx from "clsx";
import { useEffect, useRef } from "react";
import { dayOf, longDay, plural } from "~/lib/format";

const DAY_MS = 86_400_000;
const LEVELS = ["bg-raised", "bg-accent/25", "bg-accent/50", "bg-accent/75", "bg-accent"];

type Props = {
  counts: Record<string, number>;
  weeks: number;
  /** The last day that is shown; today if absent. */
  endsOn?: string;
  selected: string;
  onSelect: (day: string) => void;
};

function levelOf(count: number, top: number): string {
  if (!count) return LEVELS[0] ?? "";
  return LEVELS[Math.min(4, 1 + Math.floor((count / top) * 3.99))] ?? "";
}

/** One square a day, one column a week, ending with the week of the last day. */
export function HeatMap({ counts, weeks, endsOn, selected, onSelect }: Props) {
  const end = new Date(endsOn ?? Date.now());
  const last = new Date(end.getTime() + (6 - ((end.getDay() + 6) % 7)) * DAY_MS);
  const first = new Date(last.getTime() - (weeks * 7 - 1) * DAY_MS);
  const top = Math.max(1, ...Object.values(counts));
  const columns = Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: 7 }, (_, day) => new Date(first.getTime() + (week * 7 + day) * DAY_MS)),
  );
  const box = useRef<HTMLDivElement>(null);
  // Where not all of it fits, the last weeks are what one looks for.
  useEffect(() => {
    const frame = box.current?.parentElement;
    if (frame) frame.scrollLeft = frame.scrollWidth;
  }, []);
  return (
    <div ref={box} className="flex w-fit gap-1">
      {columns.map((days, week) => (
        <div key={dayOf(days[0] ?? first)} className="space-y-1">
          <div className="h-4 w-4 text-xs whitespace-nowrap text-muted">
            {monthLabel(days, week)}
          </div>
          {days.map((date) => {
            const day = dayOf(date);
            const count = counts[day] ?? 0;
            const label = `${longDay(date.toISOString())}: ${plural(count, "item")}`;
            return (
              <button
                key={day}
                type="button"
                disabled={!count}
                title={label}
                aria-label={label}
                aria-pressed={selected === day}
                onClick={() => onSelect(day)}
                className={clsx(
                  "block size-4 rounded-sm",
                  levelOf(count, top),
                  selected === day && "outline-2 outline-ink",
                )}
              />
            );
          })}
        </div>
      ))}
    </div>
  );
}

function monthLabel(days: Date[], week: number): string {
  const begins = days.find((day) => day.getDate() === 1);
  if (!begins && week === 0 && (days[0]?.getDate() ?? 0) < 15) return shortMonth(days[0]);
  return shortMonth(begins);
}

function shortMonth(day: Date | undefined): string {
  return day?.toLocaleDateString(undefined, { month: "short" }) ?? "";
}
