/** A closed shadow root at the corner of an editor: the page's styles and scripts stay outside. */

import tokens from "../../../web/src/tokens.css?inline";
import style from "./panel.css?inline";

const GAP = 8;

export function openShadow(name: string): { host: HTMLElement; root: ShadowRoot } {
  const host = document.createElement(name);
  const root = host.attachShadow({ mode: "closed" });
  const sheet = new CSSStyleSheet();
  // The tokens are written for a page; here the host stands for it.
  sheet.replaceSync(
    tokens.replace(/:root(\[[^\]]*\])?/g, (_all, rest) => (rest ? `:host(${rest})` : ":host")) +
      style,
  );
  root.adoptedStyleSheets = [sheet];
  host.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  document.documentElement.append(host);
  return { host, root };
}

/** Above the editor where there is room, else below it; in a corner when there is none. */
export function place(host: HTMLElement, editor: HTMLElement | null): void {
  const set = (name: string, value: string) => host.style.setProperty(name, value, "important");
  for (const [name, value] of Object.entries({
    all: "initial",
    position: "fixed",
    "z-index": "2147483647",
  }))
    set(name, value);
  if (!editor) {
    set("right", "16px");
    set("bottom", "16px");
    return;
  }
  const box = editor.getBoundingClientRect();
  const width = Math.min(380, innerWidth - 2 * GAP);
  set("left", `${Math.max(GAP, Math.min(box.left, innerWidth - width - GAP))}px`);
  if (box.top > innerHeight / 2) set("bottom", `${Math.max(GAP, innerHeight - box.top + GAP)}px`);
  else set("top", `${Math.min(Math.max(GAP, box.bottom + GAP), innerHeight - 200)}px`);
}

/** Text is always text: nothing here is parsed as HTML. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Record<string, string>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}
