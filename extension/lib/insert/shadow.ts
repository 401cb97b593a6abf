/** A closed shadow root at the corner of an editor: the page's styles and scripts stay outside. */

import tokens from "../../../web/src/tokens.css?inline";
import { createElement, rootOf } from "../dom";
import style from "./panel.css?inline";

const GAP = 8;
const MIN_HEIGHT = 200;

/** Create a host element that is not in the page yet. */
export function openShadow(name: string): { host: HTMLElement; root: ShadowRoot } {
  const host = createElement(document, name as "div");
  const root = host.attachShadow({ mode: "closed" });
  const sheet = new CSSStyleSheet();
  // The tokens are defined on `:root`; here they apply to the host.
  sheet.replaceSync(
    tokens.replace(/:root(\[[^\]]*\])?/g, (_all, rest) => (rest ? `:host(${rest})` : ":host")) +
      style,
  );
  root.adoptedStyleSheets = [sheet];
  host.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  return { host, root };
}

/** Show the host above everything in the page, whatever its z-index. */
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

/** Place the host above or below the editor, or in the corner if there is no editor. */
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
    : Math.min(Math.max(GAP, box.bottom + GAP), innerHeight - MIN_HEIGHT);
  const vertical = { [isAbove ? "bottom" : "top"]: `${distance}px` };
  // A longer list scrolls, because items that the user cannot see must not be inserted.
  const room = { "--room": `${innerHeight - distance - GAP}px` };
  setStyles(host, { ...fixed, left, ...vertical, ...room });
}

/** Whether the panel is visible: the page neither covers it nor makes it transparent. */
export function isUncovered(host: HTMLElement, inner: HTMLElement): boolean {
  const { opacity, visibility, clipPath, filter, transform } = getComputedStyle(host);
  const isUnstyled = [clipPath, filter, transform].every((value) => value === "none");
  if (!isUnstyled || opacity !== "1" || visibility !== "visible") return false;
  const { left, right, top, bottom } = inner.getBoundingClientRect();
  const xs = [left + GAP, (left + right) / 2, right - GAP];
  const ys = [top + GAP, (top + bottom) / 2, bottom - GAP];
  const at = (x: number, y: number) => Document.prototype.elementFromPoint.call(document, x, y);
  return xs.every((x) => ys.every((y) => at(x, y) === host));
}

/** Create an element. Strings are added as text and never parsed as HTML. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Record<string, string>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const created = createElement(document, name);
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, value);
  created.append(...children);
  return created;
}
