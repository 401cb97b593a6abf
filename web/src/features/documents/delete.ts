import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";
import { toast } from "sonner";
import { messageOf } from "~/lib/api";
import { plural } from "~/lib/format";
import { t } from "~/lib/language";
import { changeMany, refreshDocuments } from "./documents";

/** How long the message offers "Undo"; the trash offers it for 30 days. */
const UNDO_MS = 10_000;
const hidden = new Set<string>();
const listeners = new Set<() => void>();
let snapshot: ReadonlySet<string> = new Set();
let undoLast: (() => void) | null = null;

function hide(ids: string[]) {
  for (const id of ids) hidden.add(id);
  announce();
}

function show(ids: string[]) {
  for (const id of ids) hidden.delete(id);
  announce();
}

function announce() {
  snapshot = new Set(hidden);
  for (const listener of listeners) listener();
}

/** Documents deleted here, so that lists can hide them before the server has answered. */
export function useHiddenDocuments(): ReadonlySet<string> {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => snapshot,
  );
}

/** Undoes the last delete while that is possible (key "u"). */
export function undoLastDelete(): boolean {
  undoLast?.();
  return Boolean(undoLast);
}

export function useDeleteDocuments() {
  const queries = useQueryClient();
  return useCallback((ids: string[]) => deleteDocuments(queries, ids), [queries]);
}

export function useRestoreDocuments() {
  const queries = useQueryClient();
  return useCallback((ids: string[]) => restoreDocuments(queries, ids), [queries]);
}

async function deleteDocuments(queries: QueryClient, ids: string[]): Promise<void> {
  hide(ids);
  try {
    const { failed, results } = await changeMany(ids, { action: "delete" });
    const failures = results.filter(({ ok }) => !ok);
    show(failures.map(({ id }) => id));
    if (failures[0])
      toast.error(
        t("{documents} not deleted: {error}", {
          documents: plural(failed, "document"),
          error: failures[0].error,
        }),
      );
    const deleted = results.filter(({ ok }) => ok).map(({ id }) => id);
    for (const id of deleted) queries.removeQueries({ queryKey: ["document", id] });
    if (deleted.length) offerUndo(queries, deleted);
  } catch (error) {
    show(ids);
    toast.error(t("Nothing was deleted: {error}", { error: messageOf(error) }));
  }
  await refreshDocuments(queries);
}

function offerUndo(queries: QueryClient, ids: string[]): void {
  const undo = () => {
    toast.dismiss(message);
    undoLast = null;
    restoreDocuments(queries, ids);
  };
  const message = toast(t("{documents} deleted", { documents: plural(ids.length, "document") }), {
    duration: UNDO_MS,
    action: { label: t("Undo"), onClick: undo },
  });
  undoLast = undo;
}

async function restoreDocuments(queries: QueryClient, ids: string[]): Promise<boolean> {
  try {
    const { done, failed, results } = await changeMany(ids, { action: "restore" });
    const refused = results.find(({ ok }) => !ok);
    if (refused)
      toast.error(
        t("{documents} not restored: {error}", {
          documents: plural(failed, "document"),
          error: refused.error,
        }),
      );
    if (done) toast.success(t("{documents} restored", { documents: plural(done, "document") }));
    show(ids);
    await refreshDocuments(queries);
    return !refused;
  } catch (error) {
    toast.error(t("Nothing was restored: {error}", { error: messageOf(error) }));
    return false;
  }
}
