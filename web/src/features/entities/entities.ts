import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { toast } from "sonner";
import { answerOf, api, messageOf, type Schemas } from "~/lib/api";
import { t } from "~/lib/language";

export type Entity = Schemas["EntityOut"];
export type EntityChange = Schemas["EntityChangeOut"];

const LIMIT = 200;
const UNDO_MS = 10_000;
const KEY = ["entities"];

export const entitiesQuery = (query: string) =>
  queryOptions({
    queryKey: [...KEY, "list", query],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET("/v3/entities", {
          params: { query: { limit: LIMIT, query: query || undefined } },
          signal,
        }),
      ),
    placeholderData: (before) => before,
  });

export const entityQuery = (id: string) =>
  queryOptions({
    queryKey: [...KEY, "one", id],
    queryFn: ({ signal }) =>
      answerOf(api.GET("/v3/entities/{id}", { params: { path: { id } }, signal })),
  });

export const entityChangesQuery = queryOptions({
  queryKey: [...KEY, "changes"],
  queryFn: ({ signal }) => answerOf(api.GET("/v3/entity-changes", { signal })),
});

function useRefresh() {
  const queries = useQueryClient();
  return () => {
    queries.invalidateQueries({ queryKey: ["graph"] });
    return queries.invalidateQueries({ queryKey: KEY });
  };
}

export function useUndoChange() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (id: string) =>
      answerOf(api.POST("/v3/entity-changes/{id}/undo", { params: { path: { id } } })),
    onError: (error) => toast.error(messageOf(error)),
    onSettled: refresh,
  });
}

/** Changes names, and offers to undo it. */
function useNaming<Input>(change: (input: Input) => Promise<Schemas["EntityChanged"]>) {
  const refresh = useRefresh();
  const undo = useUndoChange();
  return useMutation({
    mutationFn: change,
    onSuccess: ({ name, change_id }) => {
      toast(t("Changed: {name}", { name }), {
        duration: UNDO_MS,
        action: { label: t("Undo"), onClick: () => undo.mutate(change_id) },
      });
      return refresh();
    },
  });
}

export const useRename = () =>
  useNaming(({ id, name }: { id: string; name: string }) =>
    answerOf(api.PATCH("/v3/entities/{id}", { params: { path: { id } }, body: { name } })),
  );

export const useMerge = () =>
  useNaming(({ id, others }: { id: string; others: string[] }) =>
    answerOf(
      api.POST("/v3/entities/{id}/merge", {
        params: { path: { id } },
        body: { entity_ids: others },
      }),
    ),
  );

export const useSplit = () =>
  useNaming(({ id, ...parts }: { id: string } & Split) =>
    answerOf(
      api.POST("/v3/entities/{id}/split", {
        params: { path: { id } },
        body: { name: parts.name, spellings: parts.spellings, memory_ids: parts.memories },
      }),
    ),
  );

export type Split = { name: string; spellings: string[]; memories: string[] };
