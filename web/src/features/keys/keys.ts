import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { answerOf, api, type Schemas } from "~/lib/api";

export type Key = Schemas["KeyLine"];
export type Right = Schemas["Right"];
export type Grant = Schemas["GrantLine"];

export const keysQuery = queryOptions({
  queryKey: ["keys"],
  queryFn: async ({ signal }) => (await answerOf(api.GET("/v3/api-keys", { signal }))).api_keys,
  refetchInterval: 30_000,
});

export const grantsQuery = queryOptions({
  queryKey: ["grants"],
  queryFn: async ({ signal }) => (await answerOf(api.GET("/v3/grants", { signal }))).grants,
  refetchInterval: 30_000,
});

export function useCreateKey() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["KeyIn"]) => answerOf(api.POST("/v3/api-keys", { body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["keys"] }),
  });
}

export function useRevokeKey() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      answerOf(api.DELETE("/v3/api-keys/{id}", { params: { path: { id } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["keys"] }),
  });
}

export function useRevokeGrant() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      answerOf(api.DELETE("/v3/grants/{id}", { params: { path: { id } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["grants"] }),
  });
}
