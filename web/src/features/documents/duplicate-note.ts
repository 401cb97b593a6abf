import type { Schemas } from "~/lib/api";
import { list } from "~/lib/format";
import { t } from "~/lib/language";

/** The fields that someone fills in here, as the server calls them. */
const FIELDS: Record<string, string> = {
  title: t("title"),
  forget_after: t("forget date"),
  metadata: t("details"),
  original: t("original file"),
};

/** "now yours; tags added: home; not changed: title" for what was saved before, or an empty text. */
export function duplicateNote(saved: Schemas["MemoryOut"]): string {
  const { added_tags: added = [], not_taken: notTaken = [] } = saved;
  const kept = notTaken.flatMap((name) => FIELDS[name] ?? []);
  return [
    saved.made_mine ? t("now yours") : "",
    added.length ? t("tags added: {tags}", { tags: list(added) }) : "",
    kept.length ? t("not changed: {fields}", { fields: list(kept) }) : "",
  ]
    .filter(Boolean)
    .join("; ");
}
