/** A page of bounded size for the extraction of its article, whose time grows with the page. */

import { CONTENT_LIMIT } from "../draft";
import { inertCopy } from "./inert";
import { find } from "./page";

/** More than is saved, since menus and the like are dropped. */
const CHARACTERS = CONTENT_LIMIT * 1.3;
const ELEMENTS = 8_000;

type Bounded = { document: Document; fullLength?: number };

/** A copy of the page, or the first part of it with the number of characters there were. */
export function bounded(document: Document): Bounded {
  const copy = inertCopy(document);
  const body = find<HTMLElement>(copy, "body");
  if (!body) return { document: copy };
  const fullLength = (body.textContent ?? "").length;
  const elements = Element.prototype.getElementsByTagName.call(body, "*").length;
  if (fullLength <= CHARACTERS && elements <= ELEMENTS) return { document: copy };
  prune(body);
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
