import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { answerOf, api, type Schemas } from "~/lib/api";

export type Arena = Schemas["ArenaOut"];
export type ArmScore = Schemas["ArmScore"];
export type Policy = Schemas["PolicyOut"];
export type Action = Schemas["ActionOut"];
export type EvolutionJob = Schemas["EvolutionJobOut"];
export type Run = Schemas["EvolutionRunOut"];

export function arenaQuery(project?: string) {
  return queryOptions({
    queryKey: ["evolution", "arena", project ?? ""],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET("/api/evolve/arena", { params: { query: project ? { project } : {} }, signal }),
      ),
  });
}

export function upcomingQuery() {
  return queryOptions({
    queryKey: ["evolution", "run"],
    queryFn: ({ signal }) => answerOf(api.GET("/api/evolve/run", { signal })),
  });
}

export function evolutionJobsQuery() {
  return infiniteQueryOptions({
    queryKey: ["evolution", "jobs"],
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: 10, ...(pageParam ? { cursor: pageParam } : {}) };
      return answerOf(api.GET("/api/evolve/jobs", { params: { query }, signal }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
}

export type ActionName = Action["action"];

export function actionsQuery(action?: ActionName) {
  return infiniteQueryOptions({
    queryKey: ["evolution", "actions", action ?? ""],
    queryFn: ({ pageParam, signal }) => {
      const query = {
        limit: 20,
        ...(action ? { action } : {}),
        ...(pageParam ? { cursor: pageParam } : {}),
      };
      return answerOf(api.GET("/api/evolve/actions", { params: { query }, signal }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
}

/** A mutation that refetches what it may have changed. */
function useEvolution<T, R>(change: (value: T) => Promise<R>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      await Promise.all([
        client.invalidateQueries({ queryKey: ["evolution"] }),
        client.invalidateQueries({ queryKey: ["memories"] }),
      ]);
    },
  });
}

export const useRunNow = () =>
  useEvolution((_: undefined) => answerOf(api.POST("/api/evolve/run", {})));

export const useRetry = () =>
  useEvolution(async ({ jobType, projectId }: EvolutionJob) => {
    const body = {
      jobType: jobType as Schemas["EvolutionJobIn"]["jobType"],
      ...(projectId ? { project: projectId } : {}),
    };
    await answerOf(api.POST("/api/evolve/jobs", { body }));
    return answerOf(api.POST("/api/evolve/run", {}));
  });

export const useUndo = () =>
  useEvolution((id: string) =>
    answerOf(api.POST("/api/evolve/actions/{id}/undo", { params: { path: { id } } })),
  );

export const usePin = () =>
  useEvolution((body: Schemas["PolicyIn"]) => answerOf(api.POST("/api/evolve/policy", { body })));
