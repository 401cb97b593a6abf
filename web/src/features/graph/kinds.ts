import { t } from "~/lib/language";
import type { GraphNode } from "./graph";

/** The colour of each kind of node, and of each type of entity. */
const TOKENS: Record<string, string> = {
  document: "--kind-document",
  memory: "--kind-memory",
  tag: "--kind-tag",
  person: "--kind-person",
  organization: "--kind-organization",
  place: "--kind-place",
  location: "--kind-place",
  product: "--kind-product",
  technology: "--kind-product",
};

export function kindKey(node: Pick<GraphNode, "kind" | "type">): string {
  const key = node.kind === "entity" ? node.type : node.kind;
  return key === "location" ? "place" : key in TOKENS ? key : "other";
}

export const KIND_KEYS = [
  "document",
  "memory",
  "tag",
  "person",
  "organization",
  "place",
  "product",
  "technology",
  "other",
];

export function tokenOf(key: string): string {
  return TOKENS[key] ?? "--kind-other";
}

/** The current value of a colour token; a canvas cannot use CSS variables. */
export function colourOf(token: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(${token})`;
  document.body.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}

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
