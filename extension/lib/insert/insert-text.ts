/** Try one insertion method after the other, until the text is in the editor. */

import { runCommand } from "../dom";
import { isField, textInside } from "./composer";
import { METHODS, type Method, methodOrder } from "./methods";
import { shared } from "./shared";

/** Editors update their selection in an asynchronous event. */
const SELECTION_MS = 60;
/** An editor may show a text and then remove it. */
const SETTLE_MS = 200;
const COMPOSING_MS = 5_000;

export async function insertText(
  editor: HTMLElement,
  text: string,
  mayPaste: boolean,
): Promise<Method | null> {
  await endOfComposition();
  for (const method of methodOrder(editor)) {
    if (method === "paste" && !mayPaste) continue;
    moveCaretToEnd(editor);
    await pause(SELECTION_MS);
    const before = count(editor, text);
    attempt(method, editor, text);
    await pause(SETTLE_MS);
    const added = count(editor, text) - before;
    if (added > 1) runCommand(document, "undo");
    if (added > 0) return method;
  }
  return null;
}

function attempt(method: Method, editor: HTMLElement, text: string): void {
  try {
    METHODS[method](editor, text);
  } catch {
    // The page's editor threw an error; the caller checks whether the text was inserted.
  }
}

const squash = (text: string) => text.replace(/[\s\u00a0\u200b\ufeff]+/g, " ").trim();

function count(editor: HTMLElement, text: string): number {
  return squash(textInside(editor)).split(squash(text)).length - 1;
}

export function moveCaretToEnd(editor: HTMLElement): void {
  editor.focus({ preventScroll: true });
  if (isField(editor)) {
    editor.setSelectionRange(editor.value.length, editor.value.length);
    return;
  }
  const range = new Range();
  range.selectNodeContents(editor);
  range.collapse(false);
  const selection = getSelection();
  selection?.removeAllRanges();
  selection?.addRange(range);
}

/** Track IME composition: inserting a text during it would lose the word that is being composed. */
export function watchComposition(): void {
  const state = shared();
  if (state.isWatching) return;
  state.isWatching = true;
  const set = (isComposing: boolean) => () => {
    state.isComposing = isComposing;
  };
  addEventListener("compositionstart", set(true), true);
  addEventListener("compositionend", set(false), true);
}

async function endOfComposition(): Promise<void> {
  if (!shared().isComposing) return;
  await new Promise<void>((resolve) => {
    addEventListener("compositionend", () => resolve(), { once: true, capture: true });
    setTimeout(resolve, COMPOSING_MS);
  });
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
