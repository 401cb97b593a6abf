import { queryOptions } from "@tanstack/react-query";
import { answerOf, api } from "~/lib/api";

const LIMIT = 100;

/** The tags in use, most used first. */
export const tagsQuery = queryOptions({
  queryKey: ["tags"],
  queryFn: async ({ signal }) =>
    (await answerOf(api.GET("/v3/tags", { params: { query: { limit: LIMIT } }, signal }))).tags,
  staleTime: 60_000,
});
