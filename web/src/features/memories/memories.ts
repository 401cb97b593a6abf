import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { toast } from "sonner";
import { answerOf, api, messageOf, type Schemas } from "~/lib/api";
import { plural, sameWords, startOfDay } from "~/lib/format";
import { t } from "~/lib/language";
import { present } from "~/lib/present";
import type { Category } from "./categories";

export type Memory = Schemas["AgentMemory"];

/** Whether a statement is by another person than the user. */
export function isSomeoneElse(speaker: string | null | undefined): boolean {
  return Boolean(speaker) && speaker !== "user";
}

export type State = "active" | "superseded" | "quarantined";

export type MemoryFilter = {
  /** Only memories that contain each of these words, or words that begin with them. */
  contains?: string;
  category?: Category;
  project?: string;
  tags?: string[];
  state?: State;
  review?: "pending" | "unsure";
  asOf?: string;
  since?: string;
  until?: string;
};

const PAGE = 50;
const UNDO_MS = 10_000;

export function memoriesQuery({ asOf, ...filter }: MemoryFilter = {}, limit = PAGE) {
  return infiniteQueryOptions({
    queryKey: ["memories", { asOf, ...filter }, limit],
    queryFn: ({ pageParam, signal }) => {
      const query = {
        ...present({ ...filter, as_of: asOf, cursor: pageParam }),
        limit,
      };
      return answerOf(api.GET("/api/memories", { params: { query }, signal }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
}

export function memoryQuery(id: string) {
  return queryOptions({
    queryKey: ["memory", id],
    queryFn: ({ signal }) =>
      answerOf(api.GET("/api/memories/{id}", { params: { path: { id } }, signal })),
  });
}

export function historyQuery(id: string) {
  return queryOptions({
    queryKey: ["memory", id, "history"],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET("/api/memories/{id}/history", {
          params: { path: { id } },
          signal,
        }),
      ),
  });
}

export function memoryRelationsQuery(id: string) {
  return queryOptions({
    queryKey: ["memory", id, "related"],
    queryFn: async ({ signal }) =>
      (
        await answerOf(
          api.GET("/v1/memories/{id}/related", {
            params: { path: { id } },
            signal,
          }),
        )
      ).related,
  });
}

type DueFilter = {
  project?: string;
  /** Days, each from its first moment on; without them all days, overdue ones too. */
  since?: string;
  until?: string;
  limit: number;
};

export function dueQuery({ project, since, until, limit }: DueFilter) {
  return queryOptions({
    queryKey: ["memories", "due", project, since, until, limit],
    queryFn: async ({ signal }) => {
      const days = {
        since: since && startOfDay(since),
        until: until && startOfDay(until),
      };
      const query = { overdue: true, limit, ...present({ project, ...days }) };
      const path = "/api/memories/foresight/active";
      return (await answerOf(api.GET(path, { params: { query }, signal }))).memories;
    },
  });
}

export type Change = { old: Memory; current: { id: string; content: string }; changedAt: string };

/** The memories that were replaced last, with what is valid instead. */
export function changesQuery(limit: number) {
  return queryOptions({
    queryKey: ["memories", "changes", limit],
    queryFn: async ({ signal }): Promise<Change[]> => {
      const query = { kind: "memory", type: "supersede", limit };
      const { events } = await answerOf(api.GET("/api/events", { params: { query }, signal }));
      const ids = [...new Set(events.map(({ subjectId }) => subjectId))];
      if (!ids.length) return [];
      const { memories } = await answerOf(
        api.POST("/api/memories/batch-get", { body: { ids }, signal }),
      );
      return memories.flatMap((old) => {
        const changedAt = events.find(({ subjectId }) => subjectId === old.id)?.createdAt ?? "";
        const current = old.replacedBy;
        // What was restored is its own successor.
        const isRestored = !current || sameWords(current.content, old.content);
        return isRestored ? [] : [{ old, current, changedAt }];
      });
    },
  });
}

export type ProfileItem = Schemas["ProfileItem"];

export const profileQuery = queryOptions({
  queryKey: ["memories", "profile"],
  queryFn: async ({ signal }) =>
    (await answerOf(
      api.GET("/v1/profile", { params: { query: { personal: true } }, signal }),
    )) as Schemas["ProfileOut"],
});

export function refreshMemories(queries: QueryClient): Promise<unknown> {
  return Promise.all(
    ["memories", "memory", "stats", "recall", "graph"].map((key) =>
      queries.invalidateQueries({ queryKey: [key] }),
    ),
  );
}

export function useSaveMemory() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["StatementIn"]) => answerOf(api.POST("/api/memories", { body })),
    onSuccess: () => refreshMemories(queries),
  });
}

export function useChangeMemory() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, body }: { id: string; body: Schemas["StatementChange"] }) =>
      answerOf(api.PUT("/api/memories/{id}", { params: { path: { id } }, body })),
    onSuccess: () => refreshMemories(queries),
  });
}

export function useMergeMemories() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["MergeIn"]) => answerOf(api.POST("/api/memories/merge", { body })),
    onSuccess: () => refreshMemories(queries),
  });
}

export function useLifecycle() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, body }: { id: string; body: Schemas["LifecycleIn"] }) =>
      answerOf(
        api.POST("/api/memories/{id}/lifecycle", {
          params: { path: { id } },
          body,
        }),
      ),
    onSuccess: () => refreshMemories(queries),
  });
}

export function useRestoreMemory() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      answerOf(api.POST("/api/memories/{id}/restore", { params: { path: { id } } })),
    onSuccess: () => refreshMemories(queries),
  });
}

/** Marks a due memory as done: it stays a memory but is no longer listed as due. */
export function useMarkDone() {
  const queries = useQueryClient();
  const setContext = (memory: Memory, context: Memory["context"]) =>
    answerOf(
      api.PUT("/api/memories/{id}", { params: { path: { id: memory.id } }, body: { context } }),
    );
  return useMutation({
    mutationFn: (memory: Memory) =>
      setContext(memory, { ...memory.context, done: new Date().toISOString() }),
    onSuccess: (_, memory) => {
      toast(t("Done"), {
        duration: UNDO_MS,
        action: {
          label: t("Undo"),
          onClick: async () => {
            await setContext(memory, memory.context);
            await refreshMemories(queries);
          },
        },
      });
      return refreshMemories(queries);
    },
    onError: (error) => toast.error(messageOf(error)),
  });
}

/** Forgets memories; "Undo" restores them on the server. */
export function useForgetMemories() {
  const queries = useQueryClient();
  const restore = useRestoreMemory();
  return useMutation({
    mutationFn: (ids: string[]) =>
      Promise.all(
        ids.map((id) => answerOf(api.DELETE("/api/memories/{id}", { params: { path: { id } } }))),
      ),
    onSuccess: (_, ids) => {
      toast(t("{memories} forgotten", { memories: plural(ids.length, "memory", "memories") }), {
        duration: UNDO_MS,
        action: {
          label: t("Undo"),
          onClick: () => {
            for (const id of ids) restore.mutate(id);
          },
        },
      });
      return refreshMemories(queries);
    },
    onError: (error) => toast.error(messageOf(error)),
  });
}
