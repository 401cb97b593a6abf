import { createContext, useCallback, useContext } from "react";
import { type RouterProviderProps, useSearchParams } from "react-router";

type Changes = Record<string, string | string[] | null | undefined>;

type Router = RouterProviderProps["router"];

/** The router itself, because its hooks return the last rendered location, not the newest one. */
export const CurrentRouter = createContext<Router | null>(null);

/** View state is kept in the URL, so that every view can be linked, reloaded and returned to. */
export function useUrlState() {
  const [params, setParams] = useSearchParams();
  const router = useContext(CurrentRouter);
  const change = useCallback(
    (changes: Changes, options: { replace?: boolean } = { replace: true }) => {
      // Not the router's own value: it was rendered last, and changes made since would be lost.
      const next = new URLSearchParams(window.location.search);
      for (const [name, value] of Object.entries(changes)) {
        next.delete(name);
        for (const item of Array.isArray(value) ? value : [value]) {
          if (item) next.append(name, item);
        }
      }
      // `setParams` would cancel a navigation to another page that is in progress.
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
