import { useCallback, useEffect, useRef } from "react";
import { useNavigation, useSearchParams } from "react-router";

type Changes = Record<string, string | string[] | null | undefined>;

/** View state lives in the address, so that every view can be linked, reloaded and gone back to. */
export function useUrlState() {
  const [params, setParams] = useSearchParams();
  const isLeaving = useIsLeaving();
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
      // The router would call off the way to the page that was asked for meanwhile.
      if (isLeaving.current) window.history.replaceState(window.history.state, "", `?${next}`);
      else setParams(next, options);
    },
    [setParams, isLeaving],
  );
  return [params, change] as const;
}

/** Whether another page is being loaded; a reference, for what is called later than it is drawn. */
function useIsLeaving() {
  const navigation = useNavigation();
  const isLeaving = useRef(false);
  useEffect(() => {
    const { state, location } = navigation;
    isLeaving.current = state !== "idle" && location.pathname !== window.location.pathname;
  }, [navigation]);
  return isLeaving;
}
