/** The button at the corner of the prompt. It is not added to the site's toolbar, which changes too often. */

import { browser } from "wxt/browser";
import { rootOf } from "../dom";
import { ask } from "../messages";
import { watchSettings } from "../settings";
import { t } from "../words";
import { BUILT_IN, type Composer, composerFor, listedEditor, textInside } from "./composer";
import { openPanel } from "./panel";
import { element, openShadow, setStyles } from "./shadow";
import { closePrevious, shared } from "./shared";

const NAME = "remem-button";
const SEARCH_MS = 300;
const TYPING_PAUSE_MS = 1_500;
const SIZE = 28;

type Stop = () => void;

/** Show the button until the user disables the site, or the extension is removed. */
export async function showButton(): Promise<void> {
  closePrevious(NAME);
  const { composers, automatic } = await ask({ type: "chat" }).catch(() => ({
    composers: BUILT_IN,
    automatic: false,
  }));
  const composer = composerFor(composers, location.hostname);
  if (!composer) return;
  let stop: Stop = () => undefined;
  let isCounting: boolean | undefined;
  const start = (counts: boolean) => {
    if (counts === isCounting) return;
    isCounting = counts;
    stop();
    stop = waitForEditor(composer, counts, (next) => {
      stop = next;
    });
  };
  start(automatic);
  const unwatch = watchSettings((settings) => {
    if (!settings.sites.includes(location.origin)) closePrevious(NAME);
    else start(settings.automatic);
  });
  shared().close.set(NAME, () => {
    unwatch();
    stop();
  });
}

/** Observe the page until the editor is found. `onChange` is called with the function that stops the next state. */
function waitForEditor(
  composer: Composer,
  automatic: boolean,
  onChange: (stop: Stop) => void,
): Stop {
  const search = (): boolean => {
    const editor = listedEditor(composer, document);
    if (!editor) return false;
    const restart = () => onChange(waitForEditor(composer, automatic, onChange));
    onChange(attach(editor, automatic, restart));
    return true;
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const observer = new MutationObserver(() => {
    timer ??= setTimeout(() => {
      timer = undefined;
      if (search()) observer.disconnect();
    }, SEARCH_MS);
  });
  const stop = () => {
    clearTimeout(timer);
    observer.disconnect();
  };
  // Asynchronous, so that the caller has `stop` before `onChange` is called.
  timer = setTimeout(() => {
    timer = undefined;
    if (!search()) observer.observe(rootOf(document), { childList: true, subtree: true });
  });
  return stop;
}

/** Attach the button to an editor. `onLost` is called when the editor is removed, as sites change routes without a
 * reload. */
function attach(editor: HTMLElement, automatic: boolean, onLost: () => void): Stop {
  const { host, root } = openShadow(NAME);
  // Position it at once; without a position it would shift the content of the page.
  placeAt(host, editor);
  const button = element(
    "button",
    { type: "button", class: "launch", "aria-label": t("button_label"), title: t("button_label") },
    "r",
  );
  button.addEventListener("mousedown", (event) => event.preventDefault());
  button.addEventListener("click", ({ isTrusted }) => isTrusted && void openPanel(editor));
  root.append(button);
  const follow = throttled(() => {
    if (!browser.runtime?.id) return stop();
    if (editor.isConnected) return placeAt(host, editor);
    stop();
    onLost();
  });
  const resizeObserver = new ResizeObserver(follow);
  resizeObserver.observe(editor);
  for (const kind of ["scroll", "resize"])
    addEventListener(kind, follow, { capture: true, passive: true });
  const timer = setInterval(follow, 1_000);
  const stopCounting = automatic ? countMatches(editor, button) : () => undefined;
  const stop = () => {
    host.remove();
    resizeObserver.disconnect();
    clearInterval(timer);
    stopCounting();
    for (const kind of ["scroll", "resize"]) removeEventListener(kind, follow, { capture: true });
  };
  return stop;
}

function placeAt(host: HTMLElement, editor: HTMLElement): void {
  // A site that rebuilds its page removes elements that it does not know.
  if (!host.isConnected) rootOf(document).append(host);
  const box = editor.getBoundingClientRect();
  const shown = box.width > 0 && box.bottom > 0 && box.top < innerHeight;
  setStyles(host, {
    all: "initial",
    position: "fixed",
    "z-index": "2147483646",
    display: shown ? "block" : "none",
    left: `${box.right - SIZE}px`,
    top: `${Math.max(0, box.top - SIZE - 4)}px`,
  });
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

/** Show the number of matches after a pause in typing; the text is not changed. Only trusted events
 * count, so that a page cannot search in the user's name. */
function countMatches(editor: HTMLElement, button: HTMLElement): Stop {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const count = async () => {
    const query = textInside(editor).trim();
    const hits = query ? await ask({ type: "recall", query, limit: 8 }).catch(() => []) : [];
    const label = hits.length ? t("button_matches", hits.length) : t("button_label");
    button.textContent = hits.length ? String(hits.length) : "r";
    button.setAttribute("aria-label", label);
  };
  const onInput = ({ isTrusted }: Event) => {
    if (!isTrusted) return;
    clearTimeout(timer);
    timer = setTimeout(count, TYPING_PAUSE_MS);
  };
  // Editors that handle typing themselves fire key events but no input events.
  for (const kind of ["input", "keyup"]) editor.addEventListener(kind, onInput);
  return () => {
    clearTimeout(timer);
    for (const kind of ["input", "keyup"]) editor.removeEventListener(kind, onInput);
  };
}
