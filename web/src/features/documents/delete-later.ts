import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";
import { toast } from "sonner";
import { answerOf, api, csrfToken, messageOf } from "~/lib/api";
import { plural } from "~/lib/format";
import { refreshDocuments } from "./documents";

/** A deleted document is hidden at once and erased when the time to undo is over. */
const UNDO_MS = 6_000;
const waiting = new Map<string, number>();
const listeners = new Set<() => void>();
let snapshot: ReadonlySet<string> = new Set();
let undoLast: (() => void) | null = null;

function changed() {
  snapshot = new Set(waiting.keys());
  for (const listener of listeners) listener();
}

export function useHiddenDocuments(): ReadonlySet<string> {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => snapshot,
  );
}

/** The key "u": takes the last delete back while that is possible. */
export function undoLastDelete(): boolean {
  undoLast?.();
  return Boolean(undoLast);
}

window.addEventListener("pagehide", () => {
  for (const id of waiting.keys()) {
    const headers = { "X-CSRF-Token": csrfToken() };
    fetch(`/v3/documents/${id}`, {
      method: "DELETE",
      headers,
      keepalive: true,
    });
  }
});

export function useDeleteDocuments() {
  const queries = useQueryClient();
  return useCallback((ids: string[]) => deleteLater(queries, ids), [queries]);
}

function deleteLater(queries: QueryClient, ids: string[]): void {
  const timer = window.setTimeout(() => erase(queries, ids), UNDO_MS);
  for (const id of ids) waiting.set(id, timer);
  changed();
  const undo = () => {
    window.clearTimeout(timer);
    for (const id of ids) waiting.delete(id);
    toast.dismiss(shown);
    undoLast = null;
    changed();
  };
  undoLast = undo;
  const shown = toast(`${plural(ids.length, "document")} deleted`, {
    duration: UNDO_MS,
    action: { label: "Undo", onClick: undo },
  });
}

async function erase(queries: QueryClient, ids: string[]): Promise<void> {
  undoLast = null;
  const results = await Promise.allSettled(
    ids.map((id) => answerOf(api.DELETE("/v3/documents/{id}", { params: { path: { id } } }))),
  );
  const failed = results.find((result) => result.status === "rejected");
  if (failed) toast.error(`Not everything was deleted: ${messageOf(failed.reason)}`);
  await refreshDocuments(queries);
  for (const id of ids) waiting.delete(id);
  changed();
}
