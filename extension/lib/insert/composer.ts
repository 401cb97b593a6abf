/** Find the editor: the focused one, else the one in the table of sites, else the largest. */

import builtIn from "../../../src/remem/surfaces/rest/v3/composers.json";
import { activeOf, find, findAll, shownText } from "../dom";

export type Composer = { name: string; hosts: string[]; selectors: string[]; paste: boolean };

export const BUILT_IN: Composer[] = builtIn;
const EDITABLE =
  'textarea, [contenteditable="true"], [contenteditable=""], [contenteditable="plaintext-only"]';
const TEXT_INPUTS = new Set(["text", "search", ""]);

/** Parse the table that the server sends; only valid rows are used. */
export function parseComposers(value: unknown): Composer[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const rows = value.filter(isComposer);
  return rows.length ? rows : undefined;
}

function isComposer(row: unknown): row is Composer {
  const { name, hosts, selectors, paste } = (row ?? {}) as Record<string, unknown>;
  const areTexts = (list: unknown) =>
    Array.isArray(list) &&
    list.length <= 50 &&
    list.every((text) => typeof text === "string" && text.length <= 300);
  return (
    typeof name === "string" && typeof paste === "boolean" && areTexts(hosts) && areTexts(selectors)
  );
}

export function composerFor(table: Composer[], host: string): Composer | undefined {
  return table.find(({ hosts }) => hosts.includes(host));
}

export function findEditor(table: Composer[], document: Document): HTMLElement | null {
  return (
    focusedEditor(document) ??
    listedEditor(composerFor(table, location.hostname), document) ??
    largestEditor(document)
  );
}

/** The focused editor, also in open shadow roots; never a password field. */
export function focusedEditor(document: Document): HTMLElement | null {
  let active = activeOf(document);
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return active instanceof HTMLElement ? editableAt(active) : null;
}

export function listedEditor(
  composer: Composer | undefined,
  document: Document,
): HTMLElement | null {
  for (const selector of composer?.selectors ?? []) {
    for (const element of select(document, selector)) {
      const editor = editableAt(element) ?? editableInside(element);
      if (editor && isShown(editor)) return editor;
    }
  }
  return null;
}

/** A newer table may have selectors that this browser does not support. */
function select(document: Document, selector: string): HTMLElement[] {
  try {
    return findAll<HTMLElement>(document, selector);
  } catch {
    return [];
  }
}

function editableInside(element: HTMLElement): HTMLElement | null {
  return find<HTMLElement>(element, EDITABLE);
}

function editableAt(element: HTMLElement): HTMLElement | null {
  if (isField(element)) return isUsableField(element) ? element : null;
  return element.isContentEditable ? editingHost(element) : null;
}

export function isField(element: Element): element is HTMLTextAreaElement | HTMLInputElement {
  return element instanceof HTMLTextAreaElement || element instanceof HTMLInputElement;
}

function isUsableField(field: HTMLTextAreaElement | HTMLInputElement): boolean {
  const isText = field instanceof HTMLTextAreaElement || TEXT_INPUTS.has(field.type);
  return isText && !field.readOnly && !field.disabled;
}

/** The outermost editable element; the focused one may be a paragraph inside it. */
function editingHost(element: HTMLElement): HTMLElement {
  let host = element;
  while (host.parentElement?.isContentEditable) host = host.parentElement;
  return host;
}

function largestEditor(document: Document): HTMLElement | null {
  const middle = window.innerHeight / 2;
  const isInLowerHalf = (element: HTMLElement) => element.getBoundingClientRect().bottom > middle;
  const area = (element: HTMLElement) => element.offsetWidth * element.offsetHeight;
  const editors = findAll<HTMLElement>(document, EDITABLE)
    .map(editableAt)
    .filter((editor): editor is HTMLElement => editor !== null && isShown(editor));
  const lower = editors.filter(isInLowerHalf);
  const candidates = lower.length ? lower : editors;
  return candidates.sort((first, second) => area(second) - area(first))[0] ?? null;
}

function isShown(element: HTMLElement): boolean {
  const { width, height } = element.getBoundingClientRect();
  return (
    width > 0 && height > 0 && element.checkVisibility?.({ visibilityProperty: true }) !== false
  );
}

export function textInside(editor: HTMLElement): string {
  return isField(editor) ? editor.value : shownText(editor);
}
