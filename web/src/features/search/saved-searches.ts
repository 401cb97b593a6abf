import { useSyncExternalStore } from "react";

export type SavedSearch = { name: string; to: string };

const KEY = "remem.searches";
const listeners = new Set<() => void>();
let searches: SavedSearch[] = JSON.parse(localStorage.getItem(KEY) ?? "[]");

function store(next: SavedSearch[]): void {
  searches = next;
  localStorage.setItem(KEY, JSON.stringify(next));
  for (const listener of listeners) listener();
}

/** The saved searches of this browser, shown in the sidebar. */
export function useSavedSearches() {
  const current = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => searches,
  );
  return {
    searches: current,
    save: (search: SavedSearch) =>
      store([...searches.filter(({ to }) => to !== search.to), search]),
    remove: (to: string) => store(searches.filter((search) => search.to !== to)),
  };
}
