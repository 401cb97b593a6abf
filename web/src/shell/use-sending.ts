import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { toast } from "sonner";
import { refreshDocuments } from "~/features/documents/documents";
import { duplicateNote } from "~/features/documents/duplicate-note";
import { sendPending, startSending } from "~/features/documents/outbox";
import { startUploading, uploadPending } from "~/features/documents/uploads";
import { sessionQuery } from "~/features/session/session";
import { plural } from "~/lib/format";
import { t } from "~/lib/language";

const COUNTED_MS = 4_000;
const REFRESH_MS = 1_000;

let isPlanned = false;

/** Once for many files that are saved one after the other. */
function refreshSoon(refresh: () => unknown): void {
  if (isPlanned) return;
  isPlanned = true;
  setTimeout(() => {
    isPlanned = false;
    void refresh();
  }, REFRESH_MS);
}

/** Sends pending notes in the background, on every page, and says when they are saved. */
export function useSending(): void {
  const queries = useQueryClient();
  const { dataUpdatedAt } = useQuery(sessionQuery);
  useEffect(() => {
    let [count, last] = [0, 0];
    const stop = startUploading(() => refreshSoon(() => refreshDocuments(queries)));
    const stopNotes = startSending((saved) => {
      // One message for several notes that are saved together.
      count = Date.now() - last < COUNTED_MS ? count + 1 : 1;
      last = Date.now();
      const note = duplicateNote(saved);
      const words = saved.duplicate
        ? [t("Already saved"), note].filter(Boolean).join("; ")
        : t("Saved");
      toast.success(count > 1 ? t("{notes} saved", { notes: plural(count, "note") }) : words, {
        id: "saved",
      });
      void refreshDocuments(queries);
    });
    return () => {
      stop();
      stopNotes();
    };
  }, [queries]);
  // Someone who signed in again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the time stands for the sign-in
  useEffect(() => {
    sendPending();
    uploadPending();
  }, [dataUpdatedAt]);
}
