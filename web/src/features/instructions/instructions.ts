import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { answerOf, api, type Schemas } from "~/lib/api";

export type Instruction = Schemas["InstructionOut"];

/** All of the user, or those that apply in one project. */
export function instructionsQuery(project?: string) {
  return queryOptions({
    queryKey: ["instructions", project ?? null],
    queryFn: ({ signal }) => {
      const params = { query: project ? { project } : {} };
      return answerOf(api.GET("/v3/instructions", { params, signal }));
    },
  });
}

function useRefresh() {
  const queries = useQueryClient();
  return () => {
    queries.invalidateQueries({ queryKey: ["instructions"] });
    queries.invalidateQueries({ queryKey: ["profile"] });
  };
}

export function usePinInstruction() {
  const onSuccess = useRefresh();
  return useMutation({
    mutationFn: (body: Schemas["InstructionIn"]) =>
      answerOf(api.POST("/v3/instructions", { body })),
    onSuccess,
  });
}

export function useChangeInstruction() {
  const onSuccess = useRefresh();
  return useMutation({
    mutationFn: ({ id, content }: { id: string; content: string }) =>
      answerOf(api.PATCH("/v3/instructions/{id}", { params: { path: { id } }, body: { content } })),
    onSuccess,
  });
}

export function useUnpinInstruction() {
  const onSuccess = useRefresh();
  return useMutation({
    mutationFn: (id: string) =>
      answerOf(api.DELETE("/v3/instructions/{id}", { params: { path: { id } } })),
    onSuccess,
  });
}
