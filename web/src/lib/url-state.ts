import { useCallback } from "react";
import { useSearchParams } from "react-router";

type Changes = Record<string, string | string[] | null | undefined>;

/** View state lives in the address, so that every view can be linked, reloaded and gone back to. */
export function useUrlState() {
  const [params, setParams] = useSearchParams();
  const change = useCallback(
    (changes: Changes, options: { replace?: boolean } = { replace: true }) => {
      // Not the router's own value: it is the one that was drawn last, and a change that came
      // after that would be lost.
      const next = new URLSearchParams(window.location.search);
      for (const [name, value] of Object.entries(changes)) {
        next.delete(name);
        for (const one of Array.isArray(value) ? value : [value]) {
          if (one) next.append(name, one);
        }
      }
      setParams(next, options);
    },
    [setParams],
  );
  return [params, change] as const;
}
