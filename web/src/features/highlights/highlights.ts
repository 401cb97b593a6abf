import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useQueryClient,
} from "@tanstack/react-query";
import { useMemo } from "react";
import { toast } from "sonner";
import { answerOf, api, messageOf, type Schemas } from "~/lib/api";
import { t } from "~/lib/language";
import { present } from "~/lib/present";

export type Highlight = Schemas["HighlightOut"];
export type HighlightLine = Schemas["HighlightLine"];
type Passage = { quote: string; before: string; after: string };

const PAGE = 20;
const UNDO_MS = 10_000;

export function highlightsQuery(document: string) {
  return queryOptions({
    queryKey: ["document", document, "highlights"],
    queryFn: async ({ signal }) => {
      const params = { path: { id: document } };
      const path = "/v3/documents/{id}/highlights";
      return (await answerOf(api.GET(path, { params, signal }))).highlights;
    },
  });
}

/** The highlights of all documents with a tag, newest first. */
export function taggedHighlightsQuery(tag: string) {
  return infiniteQueryOptions({
    queryKey: ["highlights", tag],
    queryFn: ({ pageParam, signal }) => {
      const query = { tags: [tag], limit: PAGE, ...present({ cursor: pageParam }) };
      return answerOf(api.GET("/v3/highlights", { params: { query }, signal }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
}

/** Adds, changes and removes highlights of a document; a failure is reported. */
export function useHighlightChanges(document: string) {
  const queries = useQueryClient();
  return useMemo(() => {
    const path = { id: document };
    const reported = async <T>(work: Promise<T>): Promise<T | undefined> => {
      try {
        return await work;
      } catch (error) {
        toast.error(messageOf(error));
        return undefined;
      } finally {
        await refresh(queries, document);
      }
    };
    const restore = (id: string) =>
      reported(answerOf(api.POST("/api/memories/{id}/restore", { params: { path: { id } } })));
    return {
      add: (passage: Passage) =>
        reported(
          answerOf(
            api.POST("/v3/documents/{id}/highlights", { params: { path }, body: passage as never }),
          ),
        ),
      setNote: (id: string, note: string) =>
        reported(
          answerOf(
            api.PATCH("/v3/documents/{id}/highlights/{highlight_id}", {
              params: { path: { ...path, highlight_id: id } },
              body: { note: note.trim() || null },
            }),
          ),
        ),
      remove: async (id: string) => {
        const done = await reported(
          answerOf(
            api.DELETE("/v3/documents/{id}/highlights/{highlight_id}", {
              params: { path: { ...path, highlight_id: id } },
            }),
          ).then(() => true),
        );
        if (!done) return;
        toast(t("Highlight removed"), {
          duration: UNDO_MS,
          action: { label: t("Undo"), onClick: () => void restore(id) },
        });
      },
    };
  }, [queries, document]);
}

function refresh(queries: QueryClient, document: string): Promise<unknown> {
  const keys = [["document", document, "highlights"], ["memories"], ["highlights"], ["recall"]];
  return Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })));
}
