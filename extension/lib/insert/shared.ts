/** State that all content scripts in a page share: each injection loads its modules again. */

type Shared = { close: Map<string, () => void>; isComposing: boolean; isWatching: boolean };

const NAME = Symbol.for("remem");

export function shared(): Shared {
  const globals = globalThis as unknown as Record<symbol, Shared | undefined>;
  globals[NAME] ??= { close: new Map(), isComposing: false, isWatching: false };
  return globals[NAME];
}

/** Close what is open under a name; there is only one of each. */
export function closePrevious(name: string): void {
  shared().close.get(name)?.();
  shared().close.delete(name);
}
