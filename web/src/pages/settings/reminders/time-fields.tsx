import { useMemo } from "react";
import { t } from "~/lib/language";
import { Field, Input, Select } from "~/ui/input";

export type Timing = { at: string; time_zone: string };

export const localZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";

/** A time of day and where it is. */
export function TimeFields({
  value,
  onChange,
}: {
  value: Timing;
  onChange: (timing: Timing) => void;
}) {
  const zones = useMemo(() => {
    const known = Intl.supportedValuesOf("timeZone");
    return [...new Set([value.time_zone, localZone(), "UTC", ...known])].sort();
  }, [value.time_zone]);
  return (
    <div className="flex flex-wrap gap-4">
      <Field label={t("At")}>
        {(id) => (
          <Input
            id={id}
            type="time"
            required
            className="w-32!"
            value={value.at}
            onChange={(event) => onChange({ ...value, at: event.target.value.slice(0, 5) })}
          />
        )}
      </Field>
      <Field label={t("Time zone")}>
        {(id) => (
          <Select
            id={id}
            value={value.time_zone}
            onChange={(event) => onChange({ ...value, time_zone: event.target.value })}
          >
            {zones.map((zone) => (
              <option key={zone} value={zone}>
                {zone.replaceAll("_", " ")}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </div>
  );
}
