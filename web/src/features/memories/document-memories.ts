import { queryOptions } from "@tanstack/react-query";
import { answerOf, api } from "~/lib/api";
import { unitsBefore } from "~/lib/characters";
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

/** Words in a text, and how many times the same words occur before them. */
export type Quote = { words: string; nth: number };

type Place = { document_id?: string; start?: number; end?: number };
type Evidence = Place & { quote?: unknown; also?: Place[] };

/** The words in a document that a memory was extracted from, by their offsets if known. */
export function quoteOf(memory: Memory, document: { id: string; content: string }): Quote {
  const evidence = memory.evidence as Evidence;
  const place = [evidence, ...(evidence.also ?? [])].find(
    ({ document_id: id, start, end }) => id === document.id && start != null && end != null,
  );
  if (place) {
    const [start, end] = [place.start ?? 0, place.end ?? 0].map((at) =>
      unitsBefore(document.content, at),
    );
    const words = document.content.slice(start, end).trim();
    if (words) return { words, nth: document.content.slice(0, start).split(words).length - 1 };
  }
  const { quote } = evidence;
  return { words: typeof quote === "string" && quote ? quote : memory.content, nth: 0 };
}
