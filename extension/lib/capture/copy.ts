/** Copy the page into a document in which nothing loads and nothing runs, because the parser changes its input.
 * The copy has a limited size, however large or deep the page is. */

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

/** `fullLength`: the number of characters of a page that was too large to copy completely. */
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

/** The length of the text, without scripts and styles. */
function lengthOf(document: Document): number {
  const body = find(document, "body");
  if (!body) return 0;
  const hidden = findAll(body, "script, style").map((element) => element.textContent?.length ?? 0);
  return (body.textContent ?? "").length - hidden.reduce((sum, length) => sum + length, 0);
}

/** Iterates instead of recursing, because a page can be nested deeper than the call stack allows. */
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

/** The next node after this one and its descendants. */
function nextOf(walker: TreeWalker, parents: Node[]): Node | null {
  for (;;) {
    const sibling = walker.nextSibling();
    if (sibling) return sibling;
    parents.pop();
    if (!parents.length || !walker.parentNode()) return null;
  }
}

/** Copy a node and return the parent for copies of its children; null if the children are left out. */
function copyNode(node: Node, parent: Node, depth: number, copying: Copying): Node | null {
  copying.budget.steps -= 1;
  const type = typeOfNode(node);
  if (type !== Node.ELEMENT_NODE) {
    const copy = type === Node.TEXT_NODE ? copyText(node as Text, copying) : copyComment(node);
    if (copy) Node.prototype.appendChild.call(parent, copy);
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
  // A part of a script is useless.
  const allowed = kind === "scripts" && data.length > budget.scripts ? 0 : budget[kind];
  if (kind === "characters" || allowed) budget[kind] -= data.length;
  return Document.prototype.createTextNode.call(to, data.slice(0, allowed));
}

/** Copy short comments: pages that stream their content mark the parts with them, and the parser needs them. */
function copyComment(comment: Node): Node | null {
  const isShort = (comment.nodeValue ?? "").length <= COMMENT_CHARACTERS;
  return isShort ? Node.prototype.cloneNode.call(comment) : null;
}

function copyElement(element: Element, depth: number, copying: Copying): Node {
  const { to, budget, shadows } = copying;
  budget.elements -= 1;
  budget.nesting -= Math.min(depth, DEPTH);
  // Import into the copy, in which nothing loads; a clone of an image would request it.
  const copy = Document.prototype.importNode.call(to, element, false) as Element;
  dropLongAttributes(copy);
  if (/^(img|svg)$/i.test(element.nodeName)) markIcon(element, copy);
  const shadow = shadows < SHADOWS && shadowOf(element);
  if (shadow) {
    const inside = { ...copying, shadows: shadows + 1 };
    Node.prototype.appendChild.call(copy, copyShadow(shadow, Math.min(depth, DEPTH), inside));
  }
  return copy;
}

function dropLongAttributes(element: Element): void {
  for (const { name, value } of [...attributesOf(element)]) {
    if (value.length > ATTRIBUTE_CHARACTERS) Element.prototype.removeAttribute.call(element, name);
  }
}

/** Copy a shadow root as a declarative template, which the parser reads; imported elements have no shadow root. */
function copyShadow(root: ShadowRoot, depth: number, copying: Copying): HTMLTemplateElement {
  const template = createElement(copying.to, "template");
  template.setAttribute("shadowrootmode", "open");
  copyInside(root, template.content, depth, copying);
  return template;
}
