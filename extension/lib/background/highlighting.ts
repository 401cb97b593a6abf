/** Show the highlights of a saved page on it, and highlight the selected words. */

import { browser } from "wxt/browser";
import { cleanAddress } from "../capture/page";
import { Failure } from "../messages";
import { addHighlight, fetchSavedPage, type Passage, type SavedPage } from "../server/saved";
import { readSettings } from "../settings";
import { t } from "../words";
import { captureTab } from "./capturing";
import { save } from "./saving";

const CSS = "::highlight(remem) { background-color: #fdeaa8; color: #1d1b16; }";

/** What is known of the page in a tab; its highlights are marked on it. */
export async function showSavedPage(tab: number): Promise<SavedPage | null> {
  const { url } = await browser.tabs.get(tab);
  if (!url || !/^https?:/.test(url)) return null;
  const page = await fetchSavedPage(cleanAddress(new URL(url)));
  // A page that forbids scripts is still said to be saved.
  if (page) await mark(tab, page).catch(() => undefined);
  return page;
}

async function mark(tab: number, { highlights }: SavedPage): Promise<void> {
  const target = { tabId: tab };
  await browser.scripting.executeScript({ target, func: keepForScript, args: [highlights] });
  await browser.scripting.insertCSS({ target, css: CSS });
  await browser.scripting.executeScript({ target, files: ["/marks.js"] });
}

/** Runs in the tab: the script that marks them takes no arguments. */
function keepForScript(highlights: Passage[]): void {
  (globalThis as { rememHighlights?: Passage[] }).rememHighlights = highlights;
}

/** Highlight the selected words; the page is saved first if it is not yet. */
export async function highlightSelection(tab: number): Promise<SavedPage | null> {
  const passage = await selectedPassage(tab);
  if (!passage) throw new Failure("no_selection", t("problem_select"));
  const { url = "" } = await browser.tabs.get(tab);
  const saved = await fetchSavedPage(cleanAddress(new URL(url)));
  await addHighlight(saved?.id ?? (await saveWholePage(tab)), passage);
  return showSavedPage(tab);
}

async function selectedPassage(tab: number): Promise<Passage | undefined> {
  const target = { tabId: tab };
  const [frame] = await browser.scripting.executeScript({ target, files: ["/selected.js"] });
  return (frame?.result as Passage | null) ?? undefined;
}

async function saveWholePage(tab: number): Promise<string> {
  const draft = await captureTab(tab, true);
  const { lastProject } = await readSettings();
  const { id } = await save(draft, lastProject ? { project: lastProject } : {});
  if (!id) throw new Failure("not_saved", t("problem_unreachable_now"));
  return id;
}
