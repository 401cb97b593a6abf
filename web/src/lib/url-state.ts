import { createContext, useCallback, useContext } from "react";
import { type RouterProviderProps, useSearchParams } from "react-router";

type Changes = Record<string, string | string[] | null | undefined>;

type Router = RouterProviderProps["router"];

/** The router itself: its hooks say what was drawn last, which is not yet what was clicked. */
export const CurrentRouter = createContext<Router | null>(null);

/** View state lives in the address, so that every view can be linked, reloaded and gone back to. */
export function useUrlState() {
  const [params, setParams] = useSearchParams();
  const router = useContext(CurrentRouter);
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
      if (isLeaving(router)) window.history.replaceState(window.history.state, "", `?${next}`);
      else setParams(next, options);
    },
    [setParams, router],
  );
  return [params, change] as const;
}

function isLeaving(router: Router | null): boolean {
  const next = router?.state.navigation.location;
  return next !== undefined && next.pathname !== window.location.pathname;
}
