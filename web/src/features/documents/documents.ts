import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { answerOf, api, type paths, type Schemas } from "~/lib/api";
import { BASE_PATH } from "~/lib/base";
import { present } from "~/lib/present";
import { sameKinds } from "./kinds";

export type DocumentLine = Schemas["DocumentLine"];
export type Document = Schemas["DocumentOut"];
export type Neighbour = Schemas["NeighbourOut"];
export type DocumentPage = {
  documents: DocumentLine[];
  total: number;
  next_cursor: string | null;
};

export const PROCESSING = ["queued", "extracting", "chunking", "embedding", "indexing"];

export function isProcessing(status: string): boolean {
  return PROCESSING.includes(status);
}

export function tagsOf(document: { tags: string[] }): string[] {
  return document.tags;
}

export type DocumentFilter = {
  project?: string;
  types?: string[];
  tags?: string[];
  status?: string;
  flag?: "unread" | "favourite" | "archived";
  after?: string;
  before?: string;
  sort?: string;
  q?: string;
};

const PAGE = 50;
type Query = NonNullable<paths["/v3/documents"]["get"]["parameters"]["query"]>;
type ContentTypes = Query["content_type"];
type Status = Query["status"];
type Sort = Query["sort"];

export function documentsQuery(filter: DocumentFilter = {}, limit = PAGE) {
  return infiniteQueryOptions({
    queryKey: ["documents", filter, limit],
    queryFn: ({ pageParam, signal }) => fetchPage(filter, limit, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page: DocumentPage) => page.next_cursor,
    refetchInterval: ({ state }) => (hasProcessing(state.data) ? 2_000 : false),
  });
}

function hasProcessing(data: InfiniteData<DocumentPage> | undefined): boolean {
  return Boolean(
    data?.pages.some((page) => page.documents.some((line) => isProcessing(line.status))),
  );
}

async function fetchPage(
  filter: DocumentFilter,
  limit: number,
  cursor: string | null,
  signal: AbortSignal,
): Promise<DocumentPage> {
  const [sort, order] = (filter.sort ?? "").split("-");
  const query = {
    limit,
    ...present({
      cursor,
      project: filter.project,
      content_type: filter.types?.length ? (sameKinds(filter.types) as ContentTypes) : undefined,
      tags: filter.tags?.length ? filter.tags : undefined,
      status: filter.status as Status | undefined,
      is: filter.flag ? [filter.flag] : undefined,
      title: filter.q,
      created_after: filter.after,
      created_before: filter.before,
      sort: sort as Sort | undefined,
      order: order as "asc" | "desc" | undefined,
    }),
  };
  return answerOf(api.GET("/v3/documents", { params: { query }, signal }));
}

export function documentQuery(id: string) {
  return queryOptions({
    queryKey: ["document", id],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET("/v3/documents/{id}", {
          params: { path: { id }, query: { include_versions: true } },
          signal,
        }),
      ),
    refetchInterval: ({ state }) => (isProcessing(state.data?.status ?? "") ? 1_500 : false),
  });
}

export function relatedQuery(id: string) {
  return queryOptions({
    queryKey: ["document", id, "related"],
    queryFn: async ({ signal }) =>
      (
        await answerOf(
          api.GET("/v3/documents/{id}/related", {
            params: { path: { id }, query: { limit: 6 } },
            signal,
          }),
        )
      ).related,
  });
}

/** Refetches everything that shows documents or counts them. */
export function refreshDocuments(queries: QueryClient): Promise<unknown> {
  return Promise.all(
    [
      "documents",
      "document",
      "projects",
      "stats",
      "jobs",
      "recall",
      "memories",
      "graph",
      "events",
    ].map((key) => queries.invalidateQueries({ queryKey: [key] })),
  );
}

export function useChangeDocument(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["DocumentChange"]) => changeDocument(id, body),
    onSuccess: () => refreshDocuments(queries),
  });
}

export function changeDocument(id: string, body: Schemas["DocumentChange"]) {
  return answerOf(api.PATCH("/v3/documents/{id}", { params: { path: { id } }, body }));
}

const BATCH = 500;
type Bulk = Omit<Schemas["BulkIn"], "ids">;
export type BulkResult = Schemas["BulkOut"];

/** Applies a change to many documents; `results` has the outcome for each. */
export async function changeMany(ids: string[], body: Partial<Bulk>): Promise<BulkResult> {
  const all: BulkResult = { done: 0, failed: 0, results: [] };
  for (let from = 0; from < ids.length; from += BATCH) {
    const batch = { ...body, ids: ids.slice(from, from + BATCH) } as Schemas["BulkIn"];
    const result = await answerOf(api.POST("/v3/documents/bulk", { body: batch }));
    all.done += result.done;
    all.failed += result.failed;
    all.results.push(...result.results);
  }
  return all;
}

export function useRetryDocument(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => answerOf(api.POST("/v3/documents/{id}/retry", { params: { path: { id } } })),
    onSuccess: () => refreshDocuments(queries),
  });
}

export function originalUrl(id: string): string {
  return `${BASE_PATH}/v3/documents/${id}/original`;
}

/** The copy of the page as it was saved, to be shown in a frame. */
export function copyUrl(id: string): string {
  return originalUrl(id).replace(/original$/, "copy");
}

/** The original, to be shown in the page: pictures, sound, video and PDF. */
export function inlineUrl(id: string): string {
  return `${originalUrl(id)}?inline=true`;
}
