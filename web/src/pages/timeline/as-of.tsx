import { addDays, dateOf, dayOf, longDay } from "~/lib/format";
import { t } from "~/lib/language";
import { Button } from "~/ui/button";

const DAY_MS = 86_400_000;
const RANGE_DAYS = 365;

type Props = { value: string; onChange: (day: string | null) => void };

/** A slider over the last year, to show what was known on a day. */
export function AsOf({ value, onChange }: Props) {
  const today = dayOf(new Date());
  const daysAgo = value
    ? Math.round((dateOf(today).getTime() - dateOf(value).getTime()) / DAY_MS)
    : 0;
  return (
    <div className="mb-5 flex flex-wrap items-center gap-3 text-sm">
      <label htmlFor="as-of" className="text-muted">
        {t("What did I know on")}
      </label>
      <input
        id="as-of"
        type="range"
        min={-RANGE_DAYS}
        max={0}
        value={-daysAgo}
        aria-valuetext={value ? longDay(value) : t("today")}
        onChange={(event) => {
          const days = Number(event.target.value);
          onChange(days ? addDays(today, days) : null);
        }}
        className="w-56 accent-(--accent)"
      />
      <span className="font-medium">{value ? longDay(value) : t("today")}</span>
      {value && (
        <Button size="sm" variant="quiet" onClick={() => onChange(null)}>
          {t("Back to today")}
        </Button>
      )}
    </div>
  );
}
