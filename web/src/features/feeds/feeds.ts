import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { answerOf, api, type Schemas } from "~/lib/api";

export type Feed = Schemas["FeedOut"];
export type FeedKind = NonNullable<Schemas["FeedIn"]["kind"]>;

export const feedsQuery = queryOptions({
  queryKey: ["feeds"],
  queryFn: async ({ signal }) => (await answerOf(api.GET("/api/feeds", { signal }))).feeds,
});

export function useFeeds() {
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries({ queryKey: ["feeds"] });
  return {
    add: useMutation({
      mutationFn: (body: { url: string; kind: FeedKind; project?: string }) =>
        answerOf(api.POST("/api/feeds", { body })),
      onSuccess,
    }),
    remove: useMutation({
      mutationFn: (id: string) =>
        answerOf(api.DELETE("/api/feeds/{id}", { params: { path: { id } } })),
      onSuccess,
    }),
    collect: useMutation({ mutationFn: () => answerOf(api.POST("/api/feeds/collect")) }),
  };
}
