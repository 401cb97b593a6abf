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
