/** A page of bounded size for the extraction of its article, whose time grows with the page. */

import { CONTENT_LIMIT } from "../draft";
import { find } from "./page";

/** More than is saved, since menus and the like are dropped. */
const CHARACTERS = CONTENT_LIMIT * 1.3;
const ELEMENTS = 8_000;

type Bounded = { document: Document; fullLength?: number };

/** The page itself, or the first part of a copy of it with the number of characters there were. */
export function bounded(document: Document): Bounded {
  const body = find<HTMLElement>(document, "body");
  if (!body) return { document };
  const fullLength = (body.textContent ?? "").length;
  const elements = Element.prototype.getElementsByTagName.call(body, "*").length;
  if (fullLength <= CHARACTERS && elements <= ELEMENTS) return { document };
  const copy = Node.prototype.cloneNode.call(document, true) as Document;
  const start = find(copy, "body");
  if (start) prune(start);
  return { document: copy, fullLength };
}

function prune(body: Element): void {
  const walker = body.ownerDocument.createTreeWalker(
    body,
    NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT,
  );
  let [characters, elements] = [0, 0];
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node.nodeType === Node.TEXT_NODE) characters += node.nodeValue?.length ?? 0;
    else elements += 1;
    if (characters > CHARACTERS || elements > ELEMENTS) {
      removeAfter(node, body);
      return;
    }
  }
}

/** Everything that comes later in the page. */
function removeAfter(node: Node, root: Node): void {
  for (let at: Node | null = node; at && at !== root; at = at.parentNode) {
    while (at.nextSibling) at.nextSibling.parentNode?.removeChild(at.nextSibling);
  }
}
