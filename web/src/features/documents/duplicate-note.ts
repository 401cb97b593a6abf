import type { Schemas } from "~/lib/api";

/** The fields that someone fills in here, as the server calls them. */
const FIELDS: Record<string, string> = {
  title: "title",
  forget_after: "forget date",
  metadata: "details",
  original: "original file",
};

/** "now yours; tags added: home; not changed: title" for what was saved before, or an empty text. */
export function duplicateNote(saved: Schemas["MemoryOut"]): string {
  const { added_tags: added = [], not_taken: notTaken = [] } = saved;
  const kept = notTaken.flatMap((name) => FIELDS[name] ?? []);
  return [
    saved.made_mine ? "now yours" : "",
    added.length ? `tags added: ${added.join(", ")}` : "",
    kept.length ? `not changed: ${kept.join(", ")}` : "",
  ]
    .filter(Boolean)
    .join("; ");
}
