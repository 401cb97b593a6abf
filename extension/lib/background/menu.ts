/** The context menu item "Save to Memory", and the two shortcuts. */

import { type Browser, browser } from "wxt/browser";
import type { Draft } from "../draft";
import { describe } from "../server/calls";
import { readSettings } from "../settings";
import { t } from "../words";
import { captureTab, downloadFile } from "./capturing";
import { highlightSelection } from "./highlighting";
import { save, showBadge } from "./saving";
import { rememberOpened } from "./sites";

export const MENU_ID = "save-to-memory";
const SHOWN_MS = 2_500;

export async function setUpMenu(): Promise<void> {
  await browser.contextMenus.removeAll();
  browser.contextMenus.create({
    id: MENU_ID,
    title: t("save_to_memory"),
    contexts: ["selection", "page", "link"],
  });
}

export async function onMenu(
  info: Browser.contextMenus.OnClickData,
  tab?: Browser.tabs.Tab,
): Promise<void> {
  if (info.menuItemId !== MENU_ID || tab?.id === undefined) return;
  await saveQuietly(() => draftOf(info, tab.id as number));
}

async function draftOf(info: Browser.contextMenus.OnClickData, tab: number): Promise<Draft> {
  if (info.linkUrl && !info.selectionText) return linkDraft(info.linkUrl);
  return captureTab(tab);
}

/** Only http and https: `javascript:` and the like do not lead to a page. */
function linkDraft(url: string): Draft {
  const { protocol, href } = new URL(url);
  if (!["http:", "https:"].includes(protocol)) throw new Error(t("problem_link"));
  return {
    kind: "link",
    title: "",
    url: href,
    metadata: { captured_at: new Date().toISOString() },
  };
}

export async function onCommand(command: string, activeTab?: Browser.tabs.Tab): Promise<void> {
  const tab = activeTab ?? (await browser.tabs.query({ active: true, currentWindow: true }))[0];
  if (tab?.id === undefined) return;
  if (command === "save-page") await saveQuietly(() => captureTab(tab.id as number));
  if (command === "highlight") await highlightQuietly(tab.id);
  if (command === "insert-memory") await openPanel(tab.id, tab.url);
}

export async function openPanel(tab: number, url?: string): Promise<void> {
  try {
    if (url) await rememberOpened(tab, url);
    await browser.scripting.executeScript({ target: { tabId: tab }, files: ["/insert.js"] });
  } catch {
    await show("✕", t("problem_unreadable"));
  }
}

/** Save without the popup; the badge shows the result. */
async function saveQuietly(read: () => Promise<Draft>): Promise<void> {
  try {
    const draft = await read();
    const { lastProject } = await readSettings();
    const file = draft.kind === "file" ? await downloadFile(draft) : undefined;
    const { status } = await save(draft, lastProject ? { project: lastProject } : {}, file);
    if (status !== "waiting") await show("✓", t("saved"));
  } catch (error) {
    await show("✕", describe(error).text);
  }
}

/** Highlight without the popup; the marks and the badge show the result. */
async function highlightQuietly(tab: number): Promise<void> {
  try {
    await highlightSelection(tab);
    await show("✓", t("highlighted"));
  } catch (error) {
    await show("✕", describe(error).text);
  }
}

async function show(text: string, title: string): Promise<void> {
  await browser.action.setBadgeText({ text });
  await browser.action.setTitle({ title });
  await new Promise((resolve) => setTimeout(resolve, SHOWN_MS));
  await browser.action.setTitle({ title: t("name") });
  await showBadge();
}
