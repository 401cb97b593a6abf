import { queryOptions } from "@tanstack/react-query";
import { answerOf, api } from "~/lib/api";

const MOST = 100;

/** The tags in use, the most used first. */
export const tagsQuery = queryOptions({
  queryKey: ["tags"],
  queryFn: async ({ signal }) =>
    (await answerOf(api.GET("/v3/tags", { params: { query: { limit: MOST } }, signal }))).tags,
  staleTime: 60_000,
});
