import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";

const RETRY_MS = 5_000;
const SECONDS = 600;
const SETTLE_MS = 300;
/** What is shown of each kind of thing. */
const KEYS: Record<string, string[]> = {
  document: ["documents", "document", "projects", "stats"],
  memory: ["memories", "memory", "stats"],
  project: ["projects"],
};

/** New documents and finished jobs appear without a reload; without the stream, queries poll. */
export function useLiveUpdates(): void {
  const queries = useQueryClient();
  useEffect(() => {
    let source: EventSource | undefined;
    let timer: number | undefined;
    const refresh = collect(queries);
    function open() {
      source = new EventSource(`/v3/live?seconds=${SECONDS}`);
      source.addEventListener("job", () => refresh(["jobs"]));
      source.addEventListener("change", (event) => {
        const { kind } = JSON.parse((event as MessageEvent<string>).data) as { kind: string };
        refresh(KEYS[kind] ?? []);
      });
      source.addEventListener("reset", () => void queries.invalidateQueries());
      for (const over of ["end", "error"]) source.addEventListener(over, again);
    }
    function again() {
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

/** Many events at once cause one refresh. */
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
