import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { answerOf, api, type Schemas } from "~/lib/api";

export type RecallIn = Schemas["RecallIn"];
export type Result = Schemas["ResultOut"];
export type Passage = Schemas["ChunkOut"];
export type Parts = Schemas["PartsOut"];

export function recallQuery(body: RecallIn) {
  return queryOptions({
    queryKey: ["recall", body],
    queryFn: ({ signal }) => answerOf(api.POST("/v3/recall", { body, signal })),
    placeholderData: keepPreviousData,
  });
}
