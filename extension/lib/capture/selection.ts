/** The selected text, with the heading above it and an address that leads to it. */

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

/** See "Text fragments": a browser that opens the address marks the text. */
export function textFragment(text: string): string {
  const words = text.split(/\s+/).filter(Boolean);
  const start = words.slice(0, WORDS_AT_EACH_END).join(" ");
  const end = words.length > WORDS_AT_EACH_END * 2 ? words.slice(-WORDS_AT_EACH_END).join(" ") : "";
  const whole = words.join(" ");
  return `#:~:text=${end ? `${encode(start)},${encode(end)}` : encode(whole.slice(0, 300))}`;
}

/** A dash and a comma have a meaning in a fragment. */
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

/** They stand in the order of the page. Each comparison takes longer the more there is between them. */
function lastBefore(elements: Element[], node: Node): Element | undefined {
  let [first, end] = [0, elements.length];
  while (first < end) {
    const middle = (first + end) >> 1;
    const found = elements[middle]?.compareDocumentPosition(node) ?? 0;
    if (found & Node.DOCUMENT_POSITION_FOLLOWING) first = middle + 1;
    else end = middle;
  }
  return elements[first - 1];
}
