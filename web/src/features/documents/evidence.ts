/** Highlights a quotation in rendered text without changing the elements that React created. */
const NAME = "evidence";
const MAX_SEARCH_LENGTH = 160;

function normalise(text: string): string {
  return text.replace(/[*_`#|>\\]+/g, "").replace(/\s+/g, " ");
}

type Index = { text: string; nodes: { node: Text; starts: number[] }[] };

/** The visible text, and the start of each character by text node. */
function indexOf(root: HTMLElement): Index {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const nodes: Index["nodes"] = [];
  let text = "";
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.parentElement?.closest("[data-outside-text]")) continue;
    const starts: number[] = [];
    for (const character of (node as Text).data) {
      const blank = /\s/.test(character);
      starts.push(text.length);
      if (!blank) text += character;
      else if (!text.endsWith(" ")) text += " ";
      if (character.length > 1) starts.push(text.length - 1);
    }
    nodes.push({ node: node as Text, starts });
    if (!text.endsWith(" ")) text += " ";
  }
  return { text, nodes };
}

function placeOf({ nodes }: Index, position: number): [Text, number] | undefined {
  for (const { node, starts } of nodes) {
    const offset = starts.findIndex((start) => start >= position);
    if (offset >= 0) return [node, offset];
  }
  return undefined;
}

/** The offset of the (nth + 1)th occurrence of `words`, or of the last one if there are fewer. */
function occurrence(text: string, words: string, nth: number): number {
  let at = text.indexOf(words);
  for (let n = 0; n < nth && at >= 0; n += 1) {
    const next = text.indexOf(words, at + words.length);
    if (next < 0) break;
    at = next;
  }
  return at;
}

export function findRange(root: HTMLElement, quote: string, nth = 0): Range | undefined {
  const index = indexOf(root);
  const wanted = normalise(quote).trim();
  const head = wanted.slice(0, MAX_SEARCH_LENGTH);
  const at = occurrence(index.text.toLowerCase(), head.toLowerCase(), nth);
  if (at < 0 || !head) return undefined;
  const isComplete =
    index.text.slice(at, at + wanted.length).toLowerCase() === wanted.toLowerCase();
  const start = placeOf(index, at);
  const end = placeOf(index, at + (isComplete ? wanted : head).length - 1);
  if (!start || !end) return undefined;
  const range = document.createRange();
  range.setStart(...start);
  range.setEnd(end[0], Math.min(end[1] + 1, end[0].length));
  return range;
}

export function markQuote(
  root: HTMLElement | null,
  quote: string | null,
  nth = 0,
): Range | undefined {
  if (!("highlights" in CSS)) return undefined;
  const range = root && quote ? findRange(root, quote, nth) : undefined;
  if (range) CSS.highlights.set(NAME, new Highlight(range));
  else CSS.highlights.delete(NAME);
  return range;
}

export function scrollToRange(range: Range): void {
  const reduced = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  range.startContainer.parentElement?.scrollIntoView({
    block: "center",
    behavior: reduced ? "auto" : "smooth",
  });
}
