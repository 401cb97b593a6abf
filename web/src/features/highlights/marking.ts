import { indexOf, type Passage, rangeOf } from "./ranges";

/** Marks highlights in rendered text without changing the elements that React created. */
const KEPT = "kept";
const CURRENT = "kept-current";

export type Marked = Map<string, Range>;

export function markAll(root: HTMLElement, highlights: (Passage & { id: string })[]): Marked {
  const index = highlights.length ? indexOf(root) : { letters: "", places: [] };
  const marked: Marked = new Map();
  for (const highlight of highlights) {
    const range = rangeOf(index, highlight);
    if (range) marked.set(highlight.id, range);
  }
  if ("highlights" in CSS) CSS.highlights.set(KEPT, new Highlight(...marked.values()));
  return marked;
}

export function markCurrent(range: Range | undefined): void {
  if (!("highlights" in CSS)) return;
  if (range) CSS.highlights.set(CURRENT, new Highlight(range));
  else CSS.highlights.delete(CURRENT);
}

export function clearMarks(): void {
  if (!("highlights" in CSS)) return;
  CSS.highlights.delete(KEPT);
  CSS.highlights.delete(CURRENT);
}

/** The highlight at a point of the window. */
export function highlightAt(marked: Marked, x: number, y: number): string | undefined {
  for (const [id, range] of marked) {
    for (const { left, right, top, bottom } of range.getClientRects()) {
      if (x >= left && x <= right && y >= top && y <= bottom) return id;
    }
  }
  return undefined;
}
