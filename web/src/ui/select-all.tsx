import { t } from "~/lib/language";
import { Checkbox } from "./input";

type Props = {
  /** The number of items, such as "3 documents". */
  count: string;
  ids: string[];
  selected: string[];
  onChange: (ids: string[]) => void;
};

/** Shown above a list: selects all rows, and shows how many there are. */
export function SelectAll({ count, ids, selected, onChange }: Props) {
  const all = ids.length > 0 && ids.every((id) => selected.includes(id));
  return (
    <div className="mb-2 flex flex-wrap items-center gap-x-4 gap-y-1 text-xs text-muted">
      <Checkbox
        label={t("Select all")}
        className="text-xs!"
        checked={all}
        ref={(box) => {
          if (box) box.indeterminate = !all && selected.length > 0;
        }}
        onChange={() => onChange(all ? [] : ids)}
      />
      <span>{count}</span>
    </div>
  );
}
