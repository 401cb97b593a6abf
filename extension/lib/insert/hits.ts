/** The list of the panel: each memory with a check mark, what it is, and its date. */

import type { Hit } from "../messages";
import { t } from "../words";
import { element } from "./shadow";

/** A click or a key that is no decision: the list has only just appeared. */
const READ_MS = 300;

export type HitList = {
  list: HTMLElement;
  footer: HTMLElement;
  focus: () => void;
  /** Insert what is checked, because of a click or a key of the person. */
  submit: (event: Event) => void;
};

type Given = {
  hits: Hit[];
  insert: (hits: Hit[]) => void;
  /** Whether the person can see what they decide on. */
  isSeen: () => boolean;
  onReady: () => void;
};

export function hitList({ hits, insert, isSeen, onReady }: Given): HitList {
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
  // A person reads what goes in: only what memory says in one sentence is checked from the start.
  box.checked = hit.kind === "memory";
  const about = [t(hit.kind === "memory" ? "panel_memory" : "panel_document"), hit.date];
  if (hit.kind === "document" && hit.title !== hit.text) about.splice(1, 0, hit.title);
  const text = element("span", { class: "hit", dir: "auto" }, hit.text);
  const why = element("span", { class: "why", dir: "auto" }, about.filter(Boolean).join(" · "));
  return { row: element("li", {}, element("label", {}, box, element("span", {}, text, why))), box };
}
