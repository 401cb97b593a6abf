import { Bookmark, BookmarkCheck, CalendarDays, SlidersHorizontal } from "lucide-react";
import { toast } from "sonner";
import { CONTENT_TYPES, kindOf } from "~/features/documents/kinds";
import { ProjectSelect } from "~/features/projects/project-select";
import { useSavedSearches } from "~/features/search/saved-searches";
import { BASE_PATH } from "~/lib/base";
import { plural } from "~/lib/format";
import { t } from "~/lib/language";
import { toggled } from "~/lib/toggled";
import { Button } from "~/ui/button";
import { Chip } from "~/ui/chip";
import { DateInput, Select } from "~/ui/input";
import { Menu, MenuItem, Popover } from "~/ui/menu";

export const MODES = ["best", "balanced", "fast", "deep"] as const;
export type Mode = (typeof MODES)[number];
export const DEFAULT_MODE: Mode = "best";
const MODE_NAMES: Record<Mode, string> = {
  fast: t("Fast"),
  balanced: t("Balanced"),
  deep: t("Deep"),
  best: t("Best"),
};

export type Filters = {
  project: string;
  types: string[];
  tags: string[];
  after: string;
  before: string;
  mode: Mode;
  /** Also show results that are unlikely to answer. */
  weak: boolean;
};

type Change = (changes: Record<string, string | string[] | null>) => void;
type Props = { filters: Filters; query: string; change: Change };

export function FilterBar({ filters, query, change }: Props) {
  const { searches, save, remove } = useSavedSearches();
  const here = window.location.pathname.slice(BASE_PATH.length) + window.location.search;
  const isSaved = searches.some((search) => search.to === here);
  const unsave = () => {
    remove(here);
    toast(t("Saved search removed"), {
      action: { label: t("Undo"), onClick: () => save({ name: query, to: here }) },
    });
  };
  const saveThis = () => {
    save({ name: query, to: here });
    toast.success(t("Search saved"), {
      description: t("Find it in the sidebar, and on this page while the search field is empty."),
      action: { label: t("Undo"), onClick: () => remove(here) },
    });
  };
  return (
    <div className="mt-3 flex flex-wrap items-center gap-2">
      <ProjectSelect
        label={t("Project")}
        none={t("All projects")}
        value={filters.project}
        onChange={(project) => change({ project })}
        className="h-7!"
      />
      <Menu
        trigger={
          <Button size="sm">
            <SlidersHorizontal size={14} />
            {filters.types.length ? plural(filters.types.length, "type") : t("Any type")}
          </Button>
        }
      >
        {CONTENT_TYPES.map((type) => (
          <MenuItem
            key={type}
            stay
            checked={filters.types.includes(type)}
            onSelect={() => change({ type: toggled(filters.types, type) })}
          >
            {kindOf(type).label}
          </MenuItem>
        ))}
      </Menu>
      <Popover
        label={t("Dates")}
        trigger={
          <Button size="sm">
            <CalendarDays size={14} />
            {filters.after || filters.before
              ? `${filters.after || "…"} – ${filters.before || "…"}`
              : t("Any date")}
          </Button>
        }
      >
        <div className="space-y-2">
          <DateInput
            label={t("Saved from")}
            value={filters.after}
            onChange={(after) => change({ after })}
          />
          <DateInput
            label="until"
            value={filters.before}
            onChange={(before) => change({ before })}
          />
        </div>
      </Popover>
      <Select
        aria-label={t("How thoroughly to search")}
        className="h-7!"
        value={filters.mode}
        onChange={(event) =>
          change({
            mode: event.target.value === DEFAULT_MODE ? null : event.target.value,
          })
        }
      >
        {MODES.map((mode) => (
          <option key={mode} value={mode}>
            {MODE_NAMES[mode]}
          </option>
        ))}
      </Select>
      {filters.tags.map((tag) => (
        <Chip
          key={tag}
          tone="accent"
          removeLabel={t("Remove the tag {tag}", { tag })}
          onRemove={() => change({ tag: toggled(filters.tags, tag) })}
        >
          #{tag}
        </Chip>
      ))}
      {query && (
        <Button
          variant="quiet"
          size="sm"
          className="ms-auto"
          aria-pressed={isSaved}
          onClick={isSaved ? unsave : saveThis}
        >
          {isSaved ? <BookmarkCheck size={14} className="text-accent" /> : <Bookmark size={14} />}
          {isSaved ? t("Saved search") : t("Save this search")}
        </Button>
      )}
    </div>
  );
}
