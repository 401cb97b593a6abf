/** The panel beside the prompt: what memory has for it, each with a check mark. Plain DOM in a closed shadow root. */

import { type Answers, ask, Failure, type Hit } from "../messages";
import { t } from "../words";
import { writeBlock } from "./block";
import { BUILT_IN, type Composer, composerFor, findEditor, textInside } from "./composer";
import { insertText } from "./ladder";
import { element, openShadow, place } from "./shadow";

const LIMIT = 8;
const TOKENS = 600;
const CHARACTERS_PER_TOKEN = 4;

let closeOpen: (() => void) | undefined;

export async function openPanel(preferred?: HTMLElement): Promise<void> {
  closeOpen?.();
  const table = await composers();
  const editor = preferred ?? findEditor(table, document);
  const { root, host } = openShadow("remem-panel");
  const close = () => {
    host.remove();
    closeOpen = undefined;
    editor?.focus({ preventScroll: true });
  };
  closeOpen = close;
  const panel = element("section", {
    class: "panel",
    role: "dialog",
    "aria-label": t("panel_title"),
    tabindex: "-1",
  });
  root.append(panel);
  panel.addEventListener("keydown", (event) => onKey(event, panel, close));
  stopKeys(host);
  place(host, editor);
  if (!editor) return showText(panel, t("panel_no_editor"), close);
  showText(panel, t("panel_loading"), close);
  panel.focus();
  try {
    const draft = textInside(editor).trim();
    const found = await ask({ type: "recall", query: draft, limit: LIMIT });
    const hits = withinBudget(notThere(found, draft));
    if (!hits.length) return showText(panel, t("panel_nothing"), close);
    host.dataset.state = "ready";
    showHits({
      panel,
      hits,
      close,
      recent: !draft,
      insert: (chosen) => insert(panel, close, editor, table, chosen),
    });
  } catch (error) {
    showProblem(panel, error as Error, close);
  }
}

async function composers(): Promise<Composer[]> {
  return ask({ type: "composers" }).catch((): Answers["composers"] => BUILT_IN);
}

/** The page's own shortcuts must not hear what is typed in the panel. */
function stopKeys(host: HTMLElement): void {
  for (const kind of ["keydown", "keyup", "keypress"]) {
    host.addEventListener(kind, (event) => event.stopPropagation());
  }
}

/** What stands in the prompt or in the conversation already is not offered again. */
function notThere(hits: Hit[], draft: string): Hit[] {
  const page = squash(`${draft} ${document.body?.innerText ?? ""}`);
  return hits.filter(({ text }) => !page.includes(squash(text)));
}

const squash = (text: string) => text.replace(/\s+/g, " ").trim().toLowerCase();

function withinBudget(hits: Hit[]): Hit[] {
  let left = TOKENS * CHARACTERS_PER_TOKEN;
  return hits.filter(({ text }) => {
    left -= text.length;
    return left > 0;
  });
}

async function insert(
  panel: HTMLElement,
  close: () => void,
  editor: HTMLElement,
  table: Composer[],
  hits: Hit[],
): Promise<void> {
  const draft = textInside(editor).trim();
  const text = `${draft ? "\n\n" : ""}${writeBlock(hits)}\n`;
  const way = await insertText(editor, text, mayPaste(table));
  if (way) return close();
  await navigator.clipboard.writeText(text.trim()).catch(() => copyByCommand(panel, text.trim()));
  panel.dataset.state = "copied";
  showText(panel, t("panel_copied"), close);
}

/** Some sites make a card of what is pasted, and in Firefox a synthetic paste does nothing. */
function mayPaste(table: Composer[]): boolean {
  if (import.meta.env.FIREFOX) return false;
  return composerFor(table, location.hostname)?.paste ?? true;
}

/** Pages on plain http have no clipboard of the newer kind. */
function copyByCommand(panel: HTMLElement, text: string): void {
  const area = element("textarea", {});
  area.value = text;
  panel.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

function showText(panel: HTMLElement, text: string, close: () => void): void {
  panel.replaceChildren(header(close), element("p", { class: "text", role: "status" }, text));
}

function showProblem(panel: HTMLElement, error: Error, close: () => void): void {
  showText(panel, error.message, close);
  if (!(error instanceof Failure) || error.code !== "sign_in") return;
  const button = element("button", { type: "button", class: "primary" }, t("panel_connect"));
  button.addEventListener("click", () => void ask({ type: "open-options" }));
  panel.append(element("footer", {}, button));
  button.focus();
}

type Shown = {
  panel: HTMLElement;
  hits: Hit[];
  close: () => void;
  recent: boolean;
  insert: (hits: Hit[]) => void;
};

function showHits({ panel, hits, close, recent, insert: onInsert }: Shown): void {
  const rows = hits.map(hitRow);
  const list = element("ul", {}, ...rows.map(({ row }) => row));
  const button = element("button", { type: "button", class: "primary" });
  const chosen = () => hits.filter((_hit, place) => rows[place]?.box.checked);
  const count = () => {
    button.disabled = !chosen().length;
    button.textContent = chosen().length
      ? t("panel_insert", chosen().length)
      : t("panel_insert_none");
  };
  button.addEventListener("click", () => onInsert(chosen()));
  list.addEventListener("change", count);
  panel.addEventListener("submit-hits", () => chosen().length && onInsert(chosen()));
  const hint = element("span", { class: "hint" }, t("panel_keys"));
  panel.replaceChildren(
    header(close),
    ...(recent ? [element("p", { class: "text" }, t("panel_recent"))] : []),
    list,
    element("footer", {}, hint, button),
  );
  count();
  rows[0]?.box.focus();
}

function hitRow(hit: Hit): { row: HTMLElement; box: HTMLInputElement } {
  const box = element("input", { type: "checkbox" });
  // A person reads what goes in: only what memory says in one sentence is checked from the start.
  box.checked = hit.kind === "memory";
  const about = [t(hit.kind === "memory" ? "panel_memory" : "panel_document"), hit.date];
  if (hit.kind === "document" && hit.title !== hit.text) about.splice(1, 0, hit.title);
  const text = element("span", { class: "hit", dir: "auto" }, hit.text);
  const why = element("span", { class: "why", dir: "auto" }, about.filter(Boolean).join(" · "));
  return { row: element("li", {}, element("label", {}, box, element("span", {}, text, why))), box };
}

function header(close: () => void): HTMLElement {
  const button = element(
    "button",
    { type: "button", class: "close", "aria-label": t("panel_close") },
    "✕",
  );
  button.addEventListener("click", close);
  return element("header", {}, element("h1", {}, t("panel_title")), button);
}

function onKey(event: KeyboardEvent, panel: HTMLElement, close: () => void): void {
  const root = panel.getRootNode() as ShadowRoot;
  const boxes = [...panel.querySelectorAll<HTMLInputElement>("input")];
  const at = boxes.indexOf(root.activeElement as HTMLInputElement);
  if (event.key === "Escape") close();
  else if (event.key === "Enter" && !(root.activeElement instanceof HTMLButtonElement))
    panel.dispatchEvent(new Event("submit-hits"));
  else if (event.key === "ArrowDown") boxes[Math.min(at + 1, boxes.length - 1)]?.focus();
  else if (event.key === "ArrowUp") boxes[Math.max(at - 1, 0)]?.focus();
  else return;
  event.preventDefault();
}
