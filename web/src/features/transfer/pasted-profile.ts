import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { answerOf, api, type Schemas } from "~/lib/api";

export type Pasted = Schemas["PastedOut"];

/** The prompt that asks another assistant what it remembers. */
export const profilePromptQuery = queryOptions({
  queryKey: ["profile prompt"],
  queryFn: async ({ signal }) => (await answerOf(api.GET("/v3/pasted-profile", { signal }))).prompt,
  staleTime: Number.POSITIVE_INFINITY,
});

/** Reads the statements of its answer; nothing is saved. */
export function useReadAnswer() {
  return useMutation({
    mutationFn: async (text: string) =>
      (await answerOf(api.POST("/v3/pasted-profile", { body: { text } }))).statements,
  });
}

export function useAcceptStatement() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ content, said_at }: Pasted) => {
      const body = {
        content,
        ...(said_at ? { saidAt: said_at } : {}),
        context: { imported_from: "assistant" },
        source: "profile",
      };
      return answerOf(api.POST("/api/memories", { body: body as Schemas["StatementIn"] }));
    },
    onSuccess: () => {
      queries.invalidateQueries({ queryKey: ["memories"] });
      queries.invalidateQueries({ queryKey: ["profile"] });
    },
  });
}
