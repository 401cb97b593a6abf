import {
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { toast } from "sonner";
import { type Memory, memoriesQuery, refreshMemories } from "~/features/memories/memories";
import { answerOf, api, messageOf, type Schemas } from "~/lib/api";
import { t } from "~/lib/language";

export type Contradiction = Schemas["ContradictionOut"];
export type Truth = Schemas["SettleIn"]["true"];

const LIMIT = 20;
const UNDO_MS = 10_000;

export const contradictionsQuery = queryOptions({
  queryKey: ["memories", "contradictions"],
  queryFn: ({ signal }) =>
    answerOf(
      api.GET("/api/memories/contradictions", { params: { query: { limit: LIMIT } }, signal }),
    ),
});

/** Inferred memories of which remem is not sure. */
export const unsureQuery = memoriesQuery({ review: "unsure" }, LIMIT);

/** How many questions are open. */
export function useQuestions(): number {
  const pairs = useQuery(contradictionsQuery);
  const unsure = useInfiniteQuery(unsureQuery);
  return (pairs.data?.total ?? 0) + (unsure.data?.pages[0]?.total ?? 0);
}

/** Runs a decision, and offers to undo it. */
function useDecision<T>(
  decide: (item: T) => Promise<unknown>,
  undo: (item: T) => Promise<unknown>,
  words: (item: T) => string,
) {
  const queries = useQueryClient();
  const refresh = () => refreshMemories(queries);
  const takeBack = useMutation({
    mutationFn: undo,
    onError: (error) => toast.error(messageOf(error)),
    onSettled: refresh,
  });
  return useMutation({
    mutationFn: decide,
    onSuccess: (_, item) => {
      toast(words(item), {
        duration: UNDO_MS,
        action: { label: t("Undo"), onClick: () => takeBack.mutate(item) },
      });
    },
    onError: (error) => toast.error(messageOf(error)),
    onSettled: refresh,
  });
}

export type Settlement = { pair: Contradiction; truth: Truth };

const SETTLED: Record<Truth, string> = {
  newer: t("The new one counts now"),
  older: t("The old one still counts"),
  both: t("Both are kept"),
  open: t("Asked again"),
};

export function useSettle() {
  const settle = ({ newer, older }: Contradiction, truth: Truth) => {
    const body = { newerId: newer.id, olderId: older.id, true: truth };
    return answerOf(api.POST("/api/memories/contradictions", { body }));
  };
  return useDecision<Settlement>(
    ({ pair, truth }) => settle(pair, truth),
    ({ pair }) => settle(pair, "open"),
    ({ truth }) => SETTLED[truth],
  );
}

export type Judged = { memory: Memory; review: "accept" | "decline" };

export function useJudge() {
  const lifecycle = (id: string, body: Schemas["LifecycleIn"]) =>
    answerOf(api.POST("/api/memories/{id}/lifecycle", { params: { path: { id } }, body }));
  return useDecision<Judged>(
    ({ memory, review }) => lifecycle(memory.id, { review }),
    async ({ memory }) => {
      const { id, context, state, quality } = memory;
      await lifecycle(id, { state, quality } as Schemas["LifecycleIn"]);
      const body = { context };
      await answerOf(api.PUT("/api/memories/{id}", { params: { path: { id } }, body }));
    },
    ({ review }) => (review === "accept" ? t("Kept") : t("Removed")),
  );
}
