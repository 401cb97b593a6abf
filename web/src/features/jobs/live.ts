import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";

/** New documents and finished jobs appear without a reload. */
export function useLiveUpdates(): void {
  const queries = useQueryClient();
  useEffect(() => {
    const refresh = () => {
      if (document.visibilityState === "visible") queries.invalidateQueries({ queryKey: ["jobs"] });
    };
    document.addEventListener("visibilitychange", refresh);
    return () => document.removeEventListener("visibilitychange", refresh);
  }, [queries]);
}
