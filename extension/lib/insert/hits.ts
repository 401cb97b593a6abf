/** The list in the panel: each result with a checkbox, its kind, and its date. */

import type { Hit } from "../messages";
import { t } from "../words";
import { element } from "./shadow";

/** Clicks and keys are ignored while the list has only just appeared. */
const READ_MS = 300;

export type HitList = {
  list: HTMLElement;
  footer: HTMLElement;
  focus: () => void;
  /** Insert the checked items after a click or a key. */
  submit: (event: Event) => void;
};

type Options = {
  hits: Hit[];
  insert: (hits: Hit[]) => void;
  /** Whether the user can see the list. */
  isSeen: () => boolean;
  onReady: () => void;
};

export function hitList({ hits, insert, isSeen, onReady }: Options): HitList {
  const rows = hits.map(hitRow);
  const list = element("ul", {}, ...rows.map(({ row }) => row));
  const button = element("button", { type: "button", class: "primary" });
  const hint = element("span", { class: "hint", role: "status" }, t("panel_keys"));
  const chosen = () => hits.filter((_hit, place) => rows[place]?.box.checked);
  const count = () => {
    const number = chosen().length;
    button.disabled = !number;
    button.textContent = number ? t("panel_insert", number) : t("panel_insert_none");
  };
  let isReady = false;
  setTimeout(() => {
    isReady = true;
    onReady();
  }, READ_MS);
  const submit = (event: Event) => {
    if (!isReady || !event.isTrusted || !chosen().length) return;
    if (isSeen()) return insert(chosen());
    hint.textContent = t("panel_covered");
  };
  button.addEventListener("click", submit);
  list.addEventListener("change", count);
  count();
  const footer = element("footer", {}, hint, button);
  return { list, footer, focus: () => rows[0]?.box.focus(), submit };
}

function hitRow(hit: Hit): { row: HTMLElement; box: HTMLInputElement } {
  const box = element("input", { type: "checkbox" });
  // Only memories are checked by default: they are single sentences, so the user can read what is inserted.
  box.checked = hit.kind === "memory";
  const details = [t(hit.kind === "memory" ? "panel_memory" : "panel_document"), hit.date];
  if (hit.kind === "document" && hit.title !== hit.text) details.splice(1, 0, hit.title);
  const text = element("span", { class: "hit", dir: "auto" }, hit.text);
  const line = element("span", { class: "why", dir: "auto" }, details.filter(Boolean).join(" · "));
  return {
    row: element("li", {}, element("label", {}, box, element("span", {}, text, line))),
    box,
  };
}
