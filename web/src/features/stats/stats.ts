import { queryOptions } from "@tanstack/react-query";
import { answerOf, api, type Schemas } from "~/lib/api";

export type Stats = Schemas["StatsOut"];

export const statsQuery = queryOptions({
  queryKey: ["stats"],
  queryFn: ({ signal }) => answerOf(api.GET("/v3/stats", { signal })),
});
