/** The selected text, with the heading above it and a link to it. */

import { cleanAddress, type Extracted, findAll, type Page } from "./page";

const WORDS_AT_EACH_END = 5;

export function extractSelection(page: Page, selected: string): Extracted | null {
  const content = selected.trim();
  if (!content) return null;
  return {
    content,
    contentType: "text",
    url: cleanAddress(page.url).replace(/#.*$/, "") + textFragment(content),
    metadata: { selection: true, page: cleanAddress(page.url), heading: headingAbove(page) },
  };
}

/** A text fragment (`#:~:text=…`): browsers highlight the text when they open the link. */
export function textFragment(text: string): string {
  const words = text.split(/\s+/).filter(Boolean);
  const start = words.slice(0, WORDS_AT_EACH_END).join(" ");
  const end = words.length > WORDS_AT_EACH_END * 2 ? words.slice(-WORDS_AT_EACH_END).join(" ") : "";
  const all = words.join(" ");
  return `#:~:text=${end ? `${encode(start)},${encode(end)}` : encode(all.slice(0, 300))}`;
}

/** Also encodes dashes, which have a meaning in a text fragment. */
function encode(text: string): string {
  return encodeURIComponent(text.slice(0, 300)).replaceAll("-", "%2D");
}

function headingAbove({ document }: Page): string | undefined {
  const selection = getSelection();
  if (!selection || selection.rangeCount === 0) return undefined;
  const start = selection.getRangeAt(0).startContainer;
  const heading = lastBefore(findAll(document, "h1, h2, h3, h4"), start);
  return (
    heading?.textContent?.slice(0, 2_000).replace(/\s+/g, " ").trim().slice(0, 200) || undefined
  );
}

/** The last element before a node, found by binary search: elements are in document order, and comparing distant nodes
 * is slow. */
function lastBefore(elements: Element[], node: Node): Element | undefined {
  let [first, end] = [0, elements.length];
  while (first < end) {
    const middle = (first + end) >> 1;
    const position = elements[middle]?.compareDocumentPosition(node) ?? 0;
    if (position & Node.DOCUMENT_POSITION_FOLLOWING) first = middle + 1;
    else end = middle;
  }
  return elements[first - 1];
}
