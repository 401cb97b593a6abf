/** The panel beside the prompt, with the results to insert. Plain DOM in a closed shadow root. */

import { bodyOf, runCommand, shownText } from "../dom";
import { type Answers, ask, Failure, type Hit } from "../messages";
import { t } from "../words";
import { writeBlock } from "./block";
import { BUILT_IN, type Composer, composerFor, findEditor, textInside } from "./composer";
import { type HitList, hitList } from "./hits";
import { insertText } from "./insert-text";
import { element, isUncovered, openShadow, place, raise } from "./shadow";
import { closePrevious, shared } from "./shared";

const NAME = "remem-panel";
const LIMIT = 8;
const TOKEN_BUDGET = 600;
const CHARACTERS_PER_TOKEN = 4;

type Panel = { host: HTMLElement; inner: HTMLElement; close: () => void; hits?: HitList };

export async function openPanel(preferred?: HTMLElement): Promise<void> {
  closePrevious(NAME);
  const table = await composers();
  const editor = preferred ?? findEditor(table, document);
  const panel = createPanel(editor);
  if (!editor) return showText(panel, t("panel_no_editor"));
  showText(panel, t("panel_loading"));
  panel.inner.focus();
  try {
    const draft = textInside(editor).trim();
    const results = await ask({ type: "recall", query: draft, limit: LIMIT });
    const hits = withinBudget(notOnPage(results, draft));
    if (!hits.length) return showText(panel, t("panel_nothing"));
    showHits(panel, hits, !draft, (chosen) => insert(panel, editor, table, chosen));
  } catch (error) {
    showProblem(panel, error as Error);
  }
}

function createPanel(editor: HTMLElement | null): Panel {
  closePrevious(NAME);
  const { root, host } = openShadow(NAME);
  const follow = () => place(host, editor);
  const close = () => {
    removeEventListener("resize", follow);
    host.remove();
    shared().close.delete(NAME);
    editor?.focus({ preventScroll: true });
  };
  shared().close.set(NAME, close);
  const inner = element("section", {
    class: "panel",
    role: "dialog",
    "aria-label": t("panel_title"),
    tabindex: "-1",
  });
  root.append(inner);
  const panel: Panel = { host, inner, close };
  inner.addEventListener("keydown", (event) => onKey(event, panel));
  stopKeys(host);
  addEventListener("resize", follow);
  raise(host);
  follow();
  return panel;
}

async function composers(): Promise<Composer[]> {
  return ask({ type: "composers" }).catch((): Answers["composers"] => BUILT_IN);
}

/** Keys typed in the panel must not trigger shortcuts of the page. */
function stopKeys(host: HTMLElement): void {
  for (const kind of ["keydown", "keyup", "keypress"]) {
    host.addEventListener(kind, (event) => event.stopPropagation());
  }
}

/** Leave out results that are already in the prompt or in the conversation. */
function notOnPage(hits: Hit[], draft: string): Hit[] {
  const body = bodyOf(document);
  const page = squash(`${draft} ${body ? shownText(body) : ""}`);
  return hits.filter(({ text }) => !page.includes(squash(text)));
}

const squash = (text: string) => text.replace(/\s+/g, " ").trim().toLowerCase();

function withinBudget(hits: Hit[]): Hit[] {
  let remaining = TOKEN_BUDGET * CHARACTERS_PER_TOKEN;
  return hits.filter(({ text }) => {
    remaining -= text.length;
    return remaining > 0;
  });
}

async function insert(
  panel: Panel,
  editor: HTMLElement,
  table: Composer[],
  hits: Hit[],
): Promise<void> {
  const draft = textInside(editor).trim();
  const text = `${draft ? "\n\n" : ""}${writeBlock(hits)}\n`;
  const method = await insertText(editor, text, mayPaste(table));
  if (method) return panel.close();
  await navigator.clipboard.writeText(text.trim()).catch(() => copyByCommand(panel, text.trim()));
  showText(panel, t("panel_copied"));
}

/** Some sites turn pasted text into an attachment, and in Firefox a synthetic paste does nothing. */
function mayPaste(table: Composer[]): boolean {
  if (import.meta.env.FIREFOX) return false;
  return composerFor(table, location.hostname)?.paste ?? true;
}

/** The clipboard API is not available on pages with plain http. */
function copyByCommand({ inner }: Panel, text: string): void {
  const area = element("textarea", {});
  area.value = text;
  inner.append(area);
  area.select();
  runCommand(document, "copy");
  area.remove();
}

function showText(panel: Panel, text: string): void {
  panel.hits = undefined;
  panel.inner.replaceChildren(header(panel), element("p", { class: "text", role: "status" }, text));
}

function showProblem(panel: Panel, error: Error): void {
  showText(panel, error.message);
  if (!(error instanceof Failure) || error.code !== "sign_in") return;
  const button = element("button", { type: "button", class: "primary" }, t("panel_connect"));
  button.addEventListener("click", () => void ask({ type: "open-options" }));
  panel.inner.append(element("footer", {}, button));
  button.focus();
}

function showHits(
  panel: Panel,
  hits: Hit[],
  isRecent: boolean,
  onInsert: (hits: Hit[]) => void,
): void {
  const { host, inner } = panel;
  const isSeen = () => {
    if (isUncovered(host, inner)) return true;
    raise(host);
    return false;
  };
  const onReady = () => inner.setAttribute("data-state", "ready");
  panel.hits = hitList({ hits, insert: onInsert, isSeen, onReady });
  inner.replaceChildren(
    header(panel),
    ...(isRecent ? [element("p", { class: "text" }, t("panel_recent"))] : []),
    panel.hits.list,
    panel.hits.footer,
  );
  panel.hits.focus();
}

function header({ close }: Panel): HTMLElement {
  const button = element(
    "button",
    { type: "button", class: "close", "aria-label": t("panel_close") },
    "✕",
  );
  button.addEventListener("click", close);
  return element("header", {}, element("h1", {}, t("panel_title")), button);
}

function onKey(event: KeyboardEvent, { inner, close, hits }: Panel): void {
  const root = inner.getRootNode() as ShadowRoot;
  const boxes = [...inner.querySelectorAll<HTMLInputElement>("input")];
  const at = boxes.indexOf(root.activeElement as HTMLInputElement);
  if (event.key === "Escape") close();
  else if (event.key === "Enter" && !(root.activeElement instanceof HTMLButtonElement))
    hits?.submit(event);
  else if (event.key === "ArrowDown") boxes[Math.min(at + 1, boxes.length - 1)]?.focus();
  else if (event.key === "ArrowUp") boxes[Math.max(at - 1, 0)]?.focus();
  else return;
  event.preventDefault();
}
