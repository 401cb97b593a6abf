import { useLayoutEffect, useRef } from "react";

export type Keys = Record<string, (event: KeyboardEvent) => void>;

export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
export const modifier = isMac ? "⌘" : "Ctrl";

/** The name of a key: "mod+k", "?", "Escape"; sequences are written as "g h". */
function nameOf(event: KeyboardEvent): string {
  const mod = event.metaKey || event.ctrlKey ? "mod+" : "";
  return mod + (event.key.length === 1 && mod ? event.key.toLowerCase() : event.key);
}

const SEQUENCE_MS = 1000;
let prefix = "";
let prefixAt = 0;
/** The first key of the sequence that the current key completes. */
let firstKey = "";

/** Registers shortcuts while the component is mounted; they are ignored while the user types. */
export function useKeys(keys: Keys, enabled = true): void {
  const latest = useRef(keys);
  latest.current = keys;
  // A layout effect, so that the shortcuts work from the first paint.
  useLayoutEffect(() => {
    if (!enabled) return;
    function press(event: KeyboardEvent) {
      if (event.defaultPrevented || event.altKey) return;
      const name = nameOf(event);
      if (isTyping(event.target) && !name.startsWith("mod+")) return;
      if (document.querySelector("dialog[open]") && !name.startsWith("mod+")) return;
      const action = latest.current[firstKey ? `${firstKey} ${name}` : name];
      if (!action) return;
      event.preventDefault();
      action(event);
    }
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [enabled]);
}

/** Remembers the first key of a sequence; installed once by the shell. */
export function watchPrefixes(prefixes: string[]): () => void {
  // In the capture phase, before the listeners of useKeys.
  function press(event: KeyboardEvent) {
    const ignored = isTyping(event.target) || event.metaKey || event.ctrlKey || event.altKey;
    firstKey = !ignored && event.timeStamp - prefixAt < SEQUENCE_MS ? prefix : "";
    prefix = !ignored && !firstKey && prefixes.includes(event.key) ? event.key : "";
    prefixAt = event.timeStamp;
  }
  window.addEventListener("keydown", press, true);
  return () => window.removeEventListener("keydown", press, true);
}
