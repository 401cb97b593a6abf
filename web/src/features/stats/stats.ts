import { queryOptions } from "@tanstack/react-query";
import { answerOf, api, type Schemas } from "~/lib/api";
import { present } from "~/lib/present";

export type Stats = Schemas["StatsOut"];

export const statsQuery = queryOptions({
  queryKey: ["stats"],
  queryFn: ({ signal }) => answerOf(api.GET("/v3/stats", { signal })),
});

/** Statistics for a number of days that end with `until`, or today if absent. */
export function dailyQuery(days: number, project?: string, until?: string) {
  const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return queryOptions({
    queryKey: ["stats", "daily", days, project, until],
    queryFn: async ({ signal }) => {
      const query = { days, timezone, ...present({ project, until }) };
      return (await answerOf(api.GET("/v3/stats/daily", { params: { query }, signal }))).days;
    },
  });
}

/** Sums of seven days each, the latest week last. */
export function weekly(values: number[]): number[] {
  const weeks: number[] = [];
  for (let end = values.length; end > 0; end -= 7) {
    weeks.unshift(values.slice(Math.max(0, end - 7), end).reduce((sum, value) => sum + value, 0));
  }
  return weeks;
}
