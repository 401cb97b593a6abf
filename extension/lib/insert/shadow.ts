/** A closed shadow root at the corner of an editor: the page's styles and scripts stay outside. */

import tokens from "../../../web/src/tokens.css?inline";
import { createElement, rootOf } from "../dom";
import style from "./panel.css?inline";

const GAP = 8;
const LEAST_HEIGHT = 200;

/** A host that is not in the page yet. */
export function openShadow(name: string): { host: HTMLElement; root: ShadowRoot } {
  const host = createElement(document, name as "div");
  const root = host.attachShadow({ mode: "closed" });
  const sheet = new CSSStyleSheet();
  // The tokens are written for a page; here the host stands for it.
  sheet.replaceSync(
    tokens.replace(/:root(\[[^\]]*\])?/g, (_all, rest) => (rest ? `:host(${rest})` : ":host")) +
      style,
  );
  root.adoptedStyleSheets = [sheet];
  host.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  return { host, root };
}

/** Show it above everything that the page has, whatever its z-index. */
export function raise(host: HTMLElement): void {
  host.setAttribute("popover", "manual");
  if (!host.isConnected) rootOf(document).append(host);
  if (host.matches(":popover-open")) host.hidePopover();
  host.showPopover();
}

export function setStyles(host: HTMLElement, styles: Record<string, string>): void {
  for (const [name, value] of Object.entries(styles))
    host.style.setProperty(name, value, "important");
}

/** Above the editor where there is room, else below it; in a corner when there is none. */
export function place(host: HTMLElement, editor: HTMLElement | null): void {
  const fixed = { all: "initial", position: "fixed", "z-index": "2147483647" };
  if (!editor) {
    setStyles(host, { ...fixed, right: "16px", bottom: "16px" });
    return;
  }
  const box = editor.getBoundingClientRect();
  const width = Math.min(380, innerWidth - 2 * GAP);
  const left = `${Math.max(GAP, Math.min(box.left, innerWidth - width - GAP))}px`;
  const isAbove = box.top > innerHeight / 2;
  const distance = isAbove
    ? Math.max(GAP, innerHeight - box.top + GAP)
    : Math.min(Math.max(GAP, box.bottom + GAP), innerHeight - LEAST_HEIGHT);
  const vertical = { [isAbove ? "bottom" : "top"]: `${distance}px` };
  // A list that is longer than the room is scrolled, for what is out of sight is not inserted.
  const room = { "--room": `${innerHeight - distance - GAP}px` };
  setStyles(host, { ...fixed, left, ...vertical, ...room });
}

/** Whether the person sees it: nothing of the page covers it or made it transparent. */
export function isUncovered(host: HTMLElement, inner: HTMLElement): boolean {
  const { opacity, visibility, clipPath, filter, transform } = getComputedStyle(host);
  const plain = [clipPath, filter, transform].every((value) => value === "none");
  if (!plain || opacity !== "1" || visibility !== "visible") return false;
  const { left, right, top, bottom } = inner.getBoundingClientRect();
  const across = [left + GAP, (left + right) / 2, right - GAP];
  const down = [top + GAP, (top + bottom) / 2, bottom - GAP];
  const at = (x: number, y: number) => Document.prototype.elementFromPoint.call(document, x, y);
  return across.every((x) => down.every((y) => at(x, y) === host));
}

/** Text is always text: nothing here is parsed as HTML. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Record<string, string>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = createElement(document, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}
