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

/** "mod+k", "?", "g h" (one key after the other), "Escape". */
function nameOf(event: KeyboardEvent): string {
  const mod = event.metaKey || event.ctrlKey ? "mod+" : "";
  return mod + (event.key.length === 1 && mod ? event.key.toLowerCase() : event.key);
}

const SEQUENCE_MS = 1000;
let prefix = "";
let prefixAt = 0;
/** The first key of the sequence that the key being handled ends. */
let begun = "";

/** Keys that work while the component is shown, except while the user types into a field. */
export function useKeys(keys: Keys, enabled = true): void {
  const latest = useRef(keys);
  latest.current = keys;
  // With the first paint: what can be seen can be used.
  useLayoutEffect(() => {
    if (!enabled) return;
    function press(event: KeyboardEvent) {
      if (event.defaultPrevented || event.altKey) return;
      const name = nameOf(event);
      if (isTyping(event.target) && !name.startsWith("mod+")) return;
      if (document.querySelector("dialog[open]") && !name.startsWith("mod+")) return;
      const action = latest.current[begun ? `${begun} ${name}` : name];
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
    begun = !ignored && event.timeStamp - prefixAt < SEQUENCE_MS ? prefix : "";
    prefix = !ignored && !begun && prefixes.includes(event.key) ? event.key : "";
    prefixAt = event.timeStamp;
  }
  window.addEventListener("keydown", press, true);
  return () => window.removeEventListener("keydown", press, true);
}
