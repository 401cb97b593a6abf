import { queryOptions } from "@tanstack/react-query";
import { answerOf, api, type Schemas } from "~/lib/api";
import { t } from "~/lib/language";

export type JobLine = Schemas["JobLine"];

const NAMES: Record<string, string> = {
  process_document: t("Reading a document"),
  distil_document: t("Extracting memories"),
  sum_up_document: t("Summarizing a document"),
  import: t("Importing"),
};

export function jobLabel(name: string): string {
  return NAMES[name] ?? name.replaceAll("_", " ");
}

export const openJobsQuery = queryOptions({
  queryKey: ["jobs", "open"],
  queryFn: async ({ signal }) => {
    const [running, waiting] = await Promise.all(
      (["processing", "pending"] as const).map((status) =>
        answerOf(
          api.GET("/v3/jobs", {
            params: { query: { status, limit: 20 } },
            signal,
          }),
        ),
      ),
    );
    return [...(running?.jobs ?? []), ...(waiting?.jobs ?? [])];
  },
  refetchInterval: ({ state }) => (state.data?.length ? 2_000 : 30_000),
});

export function jobQuery(id: string) {
  return queryOptions({
    queryKey: ["jobs", id],
    queryFn: ({ signal }) =>
      answerOf(api.GET("/v3/jobs/{id}", { params: { path: { id } }, signal })),
    refetchInterval: ({ state }) =>
      state.data && ["completed", "failed"].includes(state.data.status) ? false : 1_500,
  });
}
