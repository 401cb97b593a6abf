/** What our scripts in one page have in common: each injection brings its modules anew. */

type Shared = { close: Map<string, () => void>; isComposing: boolean; isWatching: boolean };

const NAME = Symbol.for("remem");

export function shared(): Shared {
  const world = globalThis as unknown as Record<symbol, Shared | undefined>;
  world[NAME] ??= { close: new Map(), isComposing: false, isWatching: false };
  return world[NAME];
}

/** There is one of each name: what was open is closed. */
export function closeFormer(name: string): void {
  shared().close.get(name)?.();
  shared().close.delete(name);
}
