/** A copy of the page in which nothing loads and nothing runs, for a reader that changes what it reads.
 * However large or deep the page is, the copy has a bounded size. */

import { attributesOf, createElement, find, findAll, shadowOf, typeOfNode } from "../dom";
import {
  ATTRIBUTE_CHARACTERS,
  Budget,
  CHARACTERS,
  COMMENT_CHARACTERS,
  DEPTH,
  ELEMENTS,
  SHADOWS,
} from "./limits";
import { isLeftOut, isWrapper, markIcon } from "./shown";

/** `fullLength`: the number of characters of a page that was too large to be copied whole. */
type Copy = { document: Document; fullLength?: number };
type Copying = { to: Document; budget: Budget; isLarge: boolean; shadows: number };

export function copyPage(document: Document): Copy {
  const to = Node.prototype.cloneNode.call(document, false) as Document;
  const fullLength = lengthOf(document);
  const elements = Document.prototype.getElementsByTagName.call(document, "*").length;
  const isLarge = fullLength > CHARACTERS || elements > ELEMENTS;
  const budget = new Budget();
  copyInside(document, to, 0, { to, budget, isLarge, shadows: 0 });
  return budget.isSpent ? { document: to, fullLength } : { document: to };
}

/** Of the text that could be shown. */
function lengthOf(document: Document): number {
  const body = find(document, "body");
  if (!body) return 0;
  const unseen = findAll(body, "script, style").map((element) => element.textContent?.length ?? 0);
  return (body.textContent ?? "").length - unseen.reduce((sum, length) => sum + length, 0);
}

/** Step by step, not by recursion: a page can be nested deeper than a script may call itself. */
function copyInside(
  from: Document | ShadowRoot,
  into: Node,
  depth: number,
  copying: Copying,
): void {
  const kinds = NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT | NodeFilter.SHOW_COMMENT;
  const walker = Document.prototype.createTreeWalker.call(document, from, kinds);
  const parents: Node[] = [into];
  let node = walker.firstChild();
  while (node && !copying.budget.isSpent) {
    const place = Math.max(1, Math.min(parents.length, DEPTH - depth));
    const parent = parents[place - 1] ?? into;
    const inside = copyNode(node, parent, depth + parents.length, copying);
    const first = inside && walker.firstChild();
    if (inside && first) parents.push(inside);
    node = first ?? nextOf(walker, parents);
  }
}

/** The node after this one and all that is inside it. */
function nextOf(walker: TreeWalker, parents: Node[]): Node | null {
  for (;;) {
    const sibling = walker.nextSibling();
    if (sibling) return sibling;
    parents.pop();
    if (!parents.length || !walker.parentNode()) return null;
  }
}

/** Where that which is inside the node goes; nowhere when it is left out. */
function copyNode(node: Node, parent: Node, depth: number, copying: Copying): Node | null {
  copying.budget.steps -= 1;
  const type = typeOfNode(node);
  if (type !== Node.ELEMENT_NODE) {
    const twin = type === Node.TEXT_NODE ? copyText(node as Text, copying) : marking(node);
    if (twin) Node.prototype.appendChild.call(parent, twin);
    return null;
  }
  const element = node as Element;
  if ((copying.isLarge || depth > DEPTH) && isLeftOut(element)) return null;
  if (depth > DEPTH && isWrapper(element)) return parent;
  return Node.prototype.appendChild.call(parent, copyElement(element, depth, copying));
}

function copyText(text: Text, { to, budget }: Copying): Node {
  const { data } = text;
  const kind = /^(SCRIPT|STYLE)$/.test(text.parentNode?.nodeName ?? "") ? "scripts" : "characters";
  // Half a script means nothing.
  const left = kind === "scripts" && data.length > budget.scripts ? 0 : budget[kind];
  if (kind === "characters" || left) budget[kind] -= data.length;
  return Document.prototype.createTextNode.call(to, data.slice(0, left));
}

/** With short comments a page marks what it sends in parts; the reader puts it together by them. */
function marking(comment: Node): Node | null {
  const isShort = (comment.nodeValue ?? "").length <= COMMENT_CHARACTERS;
  return isShort ? Node.prototype.cloneNode.call(comment) : null;
}

function copyElement(element: Element, depth: number, copying: Copying): Node {
  const { to, budget, shadows } = copying;
  budget.elements -= 1;
  budget.nesting -= Math.min(depth, DEPTH);
  // Made by the copy, in which nothing loads: a clone of a picture would ask for it.
  const twin = Document.prototype.importNode.call(to, element, false) as Element;
  dropLongAttributes(twin);
  if (/^(img|svg)$/i.test(element.nodeName)) markIcon(element, twin);
  const shadow = shadows < SHADOWS && shadowOf(element);
  if (shadow) {
    const inside = { ...copying, shadows: shadows + 1 };
    Node.prototype.appendChild.call(twin, copyShadow(shadow, Math.min(depth, DEPTH), inside));
  }
  return twin;
}

function dropLongAttributes(element: Element): void {
  for (const { name, value } of [...attributesOf(element)]) {
    if (value.length > ATTRIBUTE_CHARACTERS) Element.prototype.removeAttribute.call(element, name);
  }
}

/** As a page writes it down, which the reader knows; a copy of an element has no shadow root. */
function copyShadow(root: ShadowRoot, depth: number, copying: Copying): HTMLTemplateElement {
  const template = createElement(copying.to, "template");
  template.setAttribute("shadowrootmode", "open");
  copyInside(root, template.content, depth, copying);
  return template;
}
