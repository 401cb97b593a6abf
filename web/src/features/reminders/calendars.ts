import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { answerOf, api, type Schemas } from "~/lib/api";

export type Calendar = Schemas["CalendarOut"];

export const calendarsQuery = queryOptions({
  queryKey: ["calendars"],
  queryFn: ({ signal }) => answerOf(api.GET("/v3/calendars", { signal })),
});

export function useMakeCalendar() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["CalendarIn"]) => answerOf(api.POST("/v3/calendars", { body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["calendars"] }),
  });
}

export function useRevokeCalendar() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      answerOf(api.DELETE("/v3/calendars/{id}", { params: { path: { id } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["calendars"] }),
  });
}
