import { queryOptions } from "@tanstack/react-query";
import { answerOf, api, type Schemas } from "~/lib/api";

export type ServerState = Schemas["ServerOut"];

export const diagnosticsQuery = queryOptions({
  queryKey: ["diagnostics"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/agent/diagnostics", { signal })),
  staleTime: 60_000,
});

export const serverQuery = queryOptions({
  queryKey: ["server"],
  queryFn: ({ signal }) => answerOf(api.GET("/v3/server", { signal })),
  staleTime: 60_000,
});
