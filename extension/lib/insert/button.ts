/** The button at the corner of the prompt. It is not part of the site's toolbar, which changes too often. */

import { ask } from "../messages";
import { t } from "../words";
import { BUILT_IN, type Composer, composerFor, listedEditor, textInside } from "./composer";
import { openPanel } from "./panel";
import { element, openShadow } from "./shadow";

const SEARCH_MS = 300;
const QUIET_MS = 1_500;
const SIZE = 28;

export async function showButton(): Promise<void> {
  const { composers, automatic } = await ask({ type: "chat" }).catch(() => ({
    composers: BUILT_IN,
    automatic: false,
  }));
  const composer = composerFor(composers, location.hostname);
  if (composer) waitForEditor(composer, automatic);
}

/** One observer, only until the editor is found. */
function waitForEditor(composer: Composer, automatic: boolean): void {
  const found = () => listedEditor(composer, document);
  const now = found();
  if (now) {
    attach(now, composer, automatic);
    return;
  }
  let isDue = false;
  const search = () => {
    isDue = false;
    const editor = found();
    if (!editor) return;
    observer.disconnect();
    attach(editor, composer, automatic);
  };
  const observer = new MutationObserver(() => {
    if (isDue) return;
    isDue = true;
    setTimeout(search, SEARCH_MS);
  });
  observer.observe(document.documentElement, { childList: true, subtree: true });
}

function attach(editor: HTMLElement, composer: Composer, automatic: boolean): void {
  const { host, root } = openShadow("remem-button");
  const button = element(
    "button",
    { type: "button", class: "launch", "aria-label": t("button_label"), title: t("button_label") },
    "r",
  );
  button.addEventListener("mousedown", (event) => event.preventDefault());
  button.addEventListener("click", () => void openPanel(editor));
  root.append(button);
  const follow = throttled(() => {
    if (editor.isConnected) return placeAt(host, editor);
    stop();
    waitForEditor(composer, automatic);
  });
  const resized = new ResizeObserver(follow);
  resized.observe(editor);
  for (const kind of ["scroll", "resize"])
    addEventListener(kind, follow, { capture: true, passive: true });
  // Routes change without a load; the editor is then another one.
  const removed = setInterval(follow, 1_000);
  const stopCounting = automatic ? countMatches(editor, button) : () => undefined;
  const stop = () => {
    host.remove();
    resized.disconnect();
    clearInterval(removed);
    stopCounting();
    for (const kind of ["scroll", "resize"]) removeEventListener(kind, follow, { capture: true });
  };
  follow();
}

function placeAt(host: HTMLElement, editor: HTMLElement): void {
  const box = editor.getBoundingClientRect();
  const shown = box.width > 0 && box.bottom > 0 && box.top < innerHeight;
  const styles = {
    all: "initial",
    position: "fixed",
    "z-index": "2147483646",
    display: shown ? "block" : "none",
    left: `${box.right - SIZE}px`,
    top: `${Math.max(0, box.top - SIZE - 4)}px`,
  };
  for (const [name, value] of Object.entries(styles))
    host.style.setProperty(name, value, "important");
}

function throttled(act: () => void): () => void {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      act();
    });
  };
}

/** After a pause in typing, the number of matches; no text is changed. */
function countMatches(editor: HTMLElement, button: HTMLElement): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const count = async () => {
    const query = textInside(editor).trim();
    const hits = query ? await ask({ type: "recall", query, limit: 8 }).catch(() => []) : [];
    const label = hits.length ? t("button_matches", hits.length) : t("button_label");
    button.textContent = hits.length ? String(hits.length) : "r";
    button.setAttribute("aria-label", label);
  };
  const onInput = () => {
    clearTimeout(timer);
    timer = setTimeout(count, QUIET_MS);
  };
  editor.addEventListener("input", onInput);
  return () => {
    clearTimeout(timer);
    editor.removeEventListener("input", onInput);
  };
}
