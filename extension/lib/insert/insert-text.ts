/** Try one way after the other, and stop at the first after which the text is there. */

import { runCommand } from "../dom";
import { isField, textInside } from "./composer";
import { shared } from "./shared";
import { WAYS, type Way, wayOrder } from "./ways";

/** Editors follow the selection by an event that comes later. */
const SELECTION_MS = 60;
/** An editor may show a text and take it back. */
const SETTLE_MS = 200;
const COMPOSING_MS = 5_000;

export async function insertText(
  editor: HTMLElement,
  text: string,
  mayPaste: boolean,
): Promise<Way | null> {
  await endOfComposition();
  for (const way of wayOrder(editor)) {
    if (way === "paste" && !mayPaste) continue;
    moveCaretToEnd(editor);
    await pause(SELECTION_MS);
    const before = count(editor, text);
    attempt(way, editor, text);
    await pause(SETTLE_MS);
    const added = count(editor, text) - before;
    if (added > 1) runCommand(document, "undo");
    if (added > 0) return way;
  }
  return null;
}

function attempt(way: Way, editor: HTMLElement, text: string): void {
  try {
    WAYS[way](editor, text);
  } catch {
    // The page's editor threw; the check afterwards says whether the text is there.
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

/** An input method that is in the middle of a word would lose it. */
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
