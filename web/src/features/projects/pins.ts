import { useSyncExternalStore } from "react";

const KEY = "remem.pins";
const listeners = new Set<() => void>();
let pins: string[] = JSON.parse(localStorage.getItem(KEY) ?? "[]");

function toggle(slug: string): void {
  pins = pins.includes(slug) ? pins.filter((pin) => pin !== slug) : [...pins, slug];
  localStorage.setItem(KEY, JSON.stringify(pins));
  for (const listener of listeners) listener();
}

/** Projects that stand first in the sidebar of this browser. */
export function usePins() {
  const current = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => pins,
  );
  return { pins: current, toggle };
}
