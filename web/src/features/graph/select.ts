import type { GraphData, GraphNode } from "./graph";
import { kindKey } from "./kinds";

export type GraphFilter = { kinds: string[]; relations: string[]; until?: string };

/** The nodes that match the filters, and the edges between them. */
export function filtered(graph: GraphData, { kinds, relations, until }: GraphFilter): GraphData {
  const nodes = graph.nodes.filter(
    (node) =>
      (!kinds.length || kinds.includes(kindKey(node))) &&
      (!until || !node.created_at || node.created_at <= until),
  );
  const ids = new Set(nodes.map(({ id }) => id));
  const edges = graph.edges.filter(
    ({ source, target, relation }) =>
      ids.has(source) && ids.has(target) && (!relations.length || relations.includes(relation)),
  );
  return { nodes, edges, truncated: graph.truncated };
}

/** Nodes whose label contains the words: exact matches first, names before texts, short before long. */
export function findNodes(graph: GraphData, words: string): GraphNode[] {
  const wanted = words.toLowerCase();
  const rank = ({ label, kind }: GraphNode) => {
    const name = label.toLowerCase();
    const place = name === wanted ? 0 : name.startsWith(wanted) ? 1 : 2;
    return [place, kind === "entity" || kind === "tag" ? 0 : 1, name.length] as const;
  };
  return graph.nodes
    .filter(({ label }) => label.toLowerCase().includes(wanted))
    .map((node) => ({ node, at: rank(node) }))
    .sort((a, b) => a.at[0] - b.at[0] || a.at[1] - b.at[1] || a.at[2] - b.at[2])
    .map(({ node }) => node);
}

export function neighboursOf(graph: GraphData, id: string): Map<string, string> {
  const neighbours = new Map<string, string>();
  for (const { source, target, relation } of graph.edges) {
    if (source === id) neighbours.set(target, relation);
    if (target === id) neighbours.set(source, relation);
  }
  return neighbours;
}

/** The shortest path between two nodes, including both. */
export function pathBetween(graph: GraphData, from: string, to: string): string[] | null {
  const adjacent = new Map<string, string[]>();
  for (const { source, target } of graph.edges) {
    adjacent.set(source, [...(adjacent.get(source) ?? []), target]);
    adjacent.set(target, [...(adjacent.get(target) ?? []), source]);
  }
  const previous = new Map<string, string | null>([[from, null]]);
  const queue = [from];
  for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
    if (at === to) break;
    for (const next of adjacent.get(at) ?? []) {
      if (previous.has(next)) continue;
      previous.set(next, at);
      queue.push(next);
    }
  }
  if (!previous.has(to)) return null;
  const path: string[] = [];
  for (let at: string | null = to; at !== null; at = previous.get(at) ?? null) path.unshift(at);
  return path;
}

/** The ids to highlight: the path, else the selected node with its neighbours; null for all. */
export function litBy(graph: GraphData, selected: string | null, path: string[] | null) {
  if (path) return new Set(path);
  if (!selected || !graph.nodes.some(({ id }) => id === selected)) return null;
  return new Set([selected, ...neighboursOf(graph, selected).keys()]);
}

/** Whether the browser renders with a graphics card; without one, large graphs are slow. */
export function hasGraphicsCard(): boolean {
  const context = document.createElement("canvas").getContext("webgl2");
  if (!context) return false;
  const info = context.getExtension("WEBGL_debug_renderer_info");
  const name = info ? String(context.getParameter(info.UNMASKED_RENDERER_WEBGL)) : "";
  context.getExtension("WEBGL_lose_context")?.loseContext();
  return !/swiftshader|llvmpipe|software/i.test(name);
}
