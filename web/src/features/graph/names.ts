import { t } from "~/lib/language";

/** The kinds of nodes and of edges, as a person reads them. */
const NAMES: Record<string, string> = {
  document: t("Document"),
  memory: t("Memory"),
  tag: t("Tag"),
  person: t("Person"),
  organization: t("Organization"),
  place: t("Place"),
  product: t("Product"),
  technology: t("Technology"),
  other: t("Other"),
  updates: t("Replaces"),
  supersedes: t("Replaces"),
  extends: t("Adds to"),
  derives: t("Derived from"),
  similar: t("Similar"),
  related: t("Related"),
  supports: t("Supports"),
  contradicts: t("Contradicts"),
  merged_into: t("Merged into"),
  mentions: t("Mentions"),
  tagged: t("Tagged"),
  part_of: t("Part of"),
};

export function plainName(name: string): string {
  const words = name.replaceAll("_", " ");
  return NAMES[name] ?? words.slice(0, 1).toUpperCase() + words.slice(1);
}
