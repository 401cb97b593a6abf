import { queryOptions } from "@tanstack/react-query";
import { answerOf, api, type Schemas } from "~/lib/api";

export type GraphNode = Schemas["GraphNode"] & {
  created_at?: string | null;
  project_id?: string | null;
};
export type GraphEdge = Schemas["GraphEdge"];
export type GraphData = {
  nodes: GraphNode[];
  edges: GraphEdge[];
  truncated: boolean;
};

export function graphQuery(filter: { project?: string; limit: number }) {
  return queryOptions({
    queryKey: ["graph", filter],
    queryFn: async ({ signal }): Promise<GraphData> => {
      const query = {
        limit: filter.limit,
        ...(filter.project ? { project: filter.project } : {}),
      };
      return answerOf(api.GET("/v3/memory-graph", { params: { query }, signal }));
    },
    staleTime: 60_000,
  });
}

export function nodePath(node: GraphNode): string | null {
  if (node.kind === "document") return `/memory/${node.id}`;
  if (node.kind === "memory") return `/memories/${node.id}`;
  if (node.kind === "tag") return `/tags/${encodeURIComponent(node.label)}`;
  return `/search?q=${encodeURIComponent(node.label)}`;
}
