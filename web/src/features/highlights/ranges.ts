/**
 * Finds passages in rendered text by their letters and digits, as the server does: offsets of the
 * server count characters of Markdown, those of the page count UTF-16 units of what is shown.
 */
const LETTER = /[\p{L}\p{N}]/u;
const BLOCKS = "p, li, h1, h2, h3, h4, h5, h6, blockquote, pre, td, th, div";
const CONTEXT = 120;
const COMPARED = 60;

type Place = { node: Text; start: number; end: number };
type Letters = { letters: string; places: Place[] };
export type Passage = { quote: string; before: string; after: string };

function partsOf(character: string): string[] {
  if (character < "\u0080") return LETTER.test(character) ? [character.toLowerCase()] : [];
  const parts = [...character.toLowerCase().normalize("NFKD")];
  return parts.filter((part) => LETTER.test(part)).flatMap((part) => part.split(""));
}

function lettersOf(text: string): string {
  return [...text].flatMap(partsOf).join("");
}

function isShown(node: Node): boolean {
  return !node.parentElement?.closest("[data-not-text], script, style, noscript");
}

function textNodes(root: Node): Text[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const nodes: Text[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (isShown(node)) nodes.push(node as Text);
  }
  return nodes;
}

export function indexOf(root: Node): Letters {
  const letters: string[] = [];
  const places: Place[] = [];
  for (const node of textNodes(root)) {
    let start = 0;
    for (const character of node.data) {
      const end = start + character.length;
      for (const part of partsOf(character)) {
        letters.push(part);
        places.push({ node, start, end });
      }
      start = end;
    }
  }
  return { letters: letters.join(""), places };
}

/** The length of the common end, or with `forwards` of the common beginning. */
function common(first: string, second: string, forwards: boolean): number {
  const most = Math.min(first.length, second.length, COMPARED);
  let same = 0;
  const at = (text: string, n: number) => text[forwards ? n : text.length - 1 - n];
  while (same < most && at(first, same) === at(second, same)) same += 1;
  return same;
}

/** The range of a passage; of several with the same words, the one with the same surroundings. */
export function rangeOf({ letters, places }: Letters, passage: Passage): Range | undefined {
  const wanted = lettersOf(passage.quote);
  if (!wanted) return undefined;
  const [before, after] = [lettersOf(passage.before), lettersOf(passage.after)];
  let best = -1;
  let bestScore = -1;
  for (let at = letters.indexOf(wanted); at >= 0; at = letters.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    const score =
      common(letters.slice(Math.max(0, at - COMPARED), at), before, false) +
      common(letters.slice(end, end + COMPARED), after, true);
    if (score > bestScore) [best, bestScore] = [at, score];
  }
  const first = places[best];
  const last = places[best + wanted.length - 1];
  if (!first || !last) return undefined;
  const range = document.createRange();
  range.setStart(first.node, first.start);
  range.setEnd(last.node, last.end);
  return range;
}

/** The words of a range as they are shown, with what is before and after it. */
export function passageOf(root: HTMLElement, range: Range): Passage {
  const before = document.createRange();
  before.setStart(root, 0);
  before.setEnd(range.startContainer, range.startOffset);
  const after = document.createRange();
  after.setStart(range.endContainer, range.endOffset);
  after.setEnd(root, root.childNodes.length);
  return {
    quote: shownText(range).trim(),
    before: shownText(before).slice(-CONTEXT),
    after: shownText(after).slice(0, CONTEXT),
  };
}

function shownText(range: Range): string {
  let text = "";
  let block: Element | null = null;
  for (const node of textNodes(range.commonAncestorContainer)) addNode(node);
  if (range.commonAncestorContainer instanceof Text) addNode(range.commonAncestorContainer);
  return text;

  function addNode(node: Text) {
    if (!range.intersectsNode(node) || !isShown(node)) return;
    const start = node === range.startContainer ? range.startOffset : 0;
    const end = node === range.endContainer ? range.endOffset : node.length;
    const own = node.parentElement?.closest(BLOCKS) ?? null;
    if (block && own !== block) text += "\n";
    block = own;
    text += node.data.slice(start, end);
  }
}
