import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { toast } from "sonner";
import { refreshDocuments } from "~/features/documents/documents";
import { sendPending, startSending } from "~/features/documents/outbox";
import { sessionQuery } from "~/features/session/session";
import { plural } from "~/lib/format";

const COUNTED_MS = 4_000;

/** Sends pending notes in the background, on every page, and says when they are saved. */
export function useSending(): void {
  const queries = useQueryClient();
  const { dataUpdatedAt } = useQuery(sessionQuery);
  useEffect(() => {
    let [count, last] = [0, 0];
    return startSending(({ duplicate }) => {
      // One message for several notes that are saved together.
      count = Date.now() - last < COUNTED_MS ? count + 1 : 1;
      last = Date.now();
      const words = duplicate ? "Already saved" : "Saved";
      toast.success(count > 1 ? `${plural(count, "note")} saved` : words, { id: "saved" });
      void refreshDocuments(queries);
    });
  }, [queries]);
  // Someone who signed in again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the time stands for the sign-in
  useEffect(() => sendPending(), [dataUpdatedAt]);
}
