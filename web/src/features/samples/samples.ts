import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { toast } from "sonner";
import { answerOf, api, messageOf } from "~/lib/api";
import { t } from "~/lib/language";

export const samplesQuery = queryOptions({
  queryKey: ["samples"],
  queryFn: ({ signal }) => answerOf(api.GET("/v3/samples", { signal })),
  staleTime: 60_000,
});

export function useAddSamples() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => answerOf(api.POST("/v3/samples")),
    onSuccess: () => void queries.invalidateQueries(),
    onError: (error) => toast.error(messageOf(error)),
  });
}

export function useRemoveSamples() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => answerOf(api.DELETE("/v3/samples")),
    onSuccess: () => {
      toast.success(t("Sample data removed"));
      void queries.invalidateQueries();
    },
    onError: (error) => toast.error(messageOf(error)),
  });
}
