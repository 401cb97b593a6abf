import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { BASE_PATH } from "~/lib/base";

const RETRY_MS = 5_000;
const SECONDS = 600;
const SETTLE_MS = 300;
/** The queries to refetch when an item of a kind changes. */
const KEYS: Record<string, string[]> = {
  document: ["documents", "document", "projects", "stats"],
  memory: ["memories", "memory", "stats"],
  project: ["projects"],
};

/** Shows new documents and finished jobs without a reload; without the stream, queries poll. */
export function useLiveUpdates(): void {
  const queries = useQueryClient();
  useEffect(() => {
    let source: EventSource | undefined;
    let timer: number | undefined;
    const refresh = collect(queries);
    function open() {
      source = new EventSource(`${BASE_PATH}/v3/live?seconds=${SECONDS}`);
      source.addEventListener("job", () => refresh(["jobs"]));
      source.addEventListener("change", (event) => {
        const { kind } = JSON.parse((event as MessageEvent<string>).data) as { kind: string };
        refresh(KEYS[kind] ?? []);
      });
      source.addEventListener("reset", () => void queries.invalidateQueries());
      for (const event of ["end", "error"]) source.addEventListener(event, reconnect);
    }
    function reconnect() {
      source?.close();
      window.clearTimeout(timer);
      timer = window.setTimeout(open, RETRY_MS);
    }
    open();
    return () => {
      source?.close();
      window.clearTimeout(timer);
    };
  }, [queries]);
}

/** Combines events that arrive together into one refresh. */
function collect(queries: QueryClient): (keys: string[]) => void {
  const waiting = new Set<string>();
  return (keys) => {
    const isFirst = waiting.size === 0 && keys.length > 0;
    for (const key of keys) waiting.add(key);
    if (!isFirst) return;
    window.setTimeout(() => {
      for (const key of waiting) queries.invalidateQueries({ queryKey: [key] });
      waiting.clear();
    }, SETTLE_MS);
  };
}
