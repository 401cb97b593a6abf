import { queryOptions } from "@tanstack/react-query";
import { answerOf, api } from "~/lib/api";
import type { Memory } from "./memories";

export function documentMemoriesQuery(document: string) {
  return queryOptions({
    queryKey: ["memories", "document", document],
    queryFn: async ({ signal }) => {
      const query = { document_id: document, limit: 100 };
      return (await answerOf(api.GET("/api/memories", { params: { query }, signal }))).memories;
    },
  });
}

/** The words in the text that a memory stands on. */
export function quoteOf(memory: Memory): string {
  const { quote } = memory.evidence as { quote?: unknown };
  return typeof quote === "string" && quote ? quote : memory.content;
}
