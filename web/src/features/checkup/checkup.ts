import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { toast } from "sonner";
import { answerOf, api, messageOf, type Schemas } from "~/lib/api";
import { plural } from "~/lib/format";
import { t } from "~/lib/language";
import { present } from "~/lib/present";

export type Finding = Schemas["FindingOut"];
export type FindingItem = Schemas["FindingItemOut"];
export type FindingKind = Finding["kind"];

const PAGE = 25;
const UNDO_MS = 15_000;
/** How many items one request fixes. */
export const FIX_LIMIT = 100;

export const checkupQuery = queryOptions({
  queryKey: ["checkup"],
  queryFn: async ({ signal }) => (await answerOf(api.GET("/v3/checkup", { signal }))).findings,
  // Anything that was saved or deleted since may have changed it.
  staleTime: 0,
});

export function findingItemsQuery(finding: FindingKind) {
  return infiniteQueryOptions({
    queryKey: ["checkup", finding],
    queryFn: ({ pageParam, signal }) =>
      answerOf(
        api.GET("/v3/checkup/{finding}", {
          params: { path: { finding }, query: { limit: PAGE, ...present({ cursor: pageParam }) } },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
}

/** Fixes items, and offers to undo what can be undone. Everything that is shown is read again. */
export function useFix(finding: FindingKind) {
  const queries = useQueryClient();
  const undoAll = async (undo: string[]) => {
    try {
      await answerOf(api.POST("/v3/checkup/undo", { body: { undo } }));
      await queries.invalidateQueries();
    } catch (error) {
      toast.error(messageOf(error));
    }
  };
  return useMutation({
    mutationFn: (keys: string[]) =>
      answerOf(
        api.POST("/v3/checkup/{finding}/fix", { params: { path: { finding } }, body: { keys } }),
      ),
    onSuccess: ({ done, results }) => {
      const failure = results.find((result) => result.error)?.error;
      if (failure) toast.error(failure);
      const undo = results.flatMap((result) => result.undo ?? []);
      if (done) {
        toast(undo.length ? t("Fixed {items}", { items: plural(done, "item") }) : t("Started"), {
          duration: UNDO_MS,
          ...(undo.length && { action: { label: t("Undo"), onClick: () => undoAll(undo) } }),
        });
      }
    },
    onError: (error) => toast.error(messageOf(error)),
    onSettled: () => queries.invalidateQueries(),
  });
}
