/** Read a tab. Only tabs in which the user acted can be read. */

import { browser } from "wxt/browser";
import { fileNameOf } from "../capture/page";
import type { Draft, FileDraft } from "../draft";
import { Failure } from "../messages";
import { BYTES_LIMIT } from "../queue";
import { patternFor } from "../server/address";
import { readSettings } from "../settings";
import { t } from "../words";

/** How long to wait for the answer to a permission prompt. */
const PROMPT_MS = 60_000;

/** How long to wait for a page that is busy. */
const PAGE_MS = 30_000;

/** Read a tab: the selection if there is one, unless the whole page is asked for. */
export async function captureTab(tab: number, whole = false): Promise<Draft> {
  const timeout = new Promise<"timeout">((resolve) => setTimeout(resolve, PAGE_MS, "timeout"));
  const draft = await Promise.race([readTab(tab, whole), timeout]);
  if (draft === "timeout") throw new Failure("busy_page", t("problem_busy_page"));
  if (!draft) throw new Failure("unreadable", t("problem_unreadable"));
  const { version } = browser.runtime.getManifest();
  return { ...draft, metadata: { ...draft.metadata, extension_version: version } };
}

async function readTab(tab: number, whole: boolean): Promise<Draft | undefined> {
  try {
    const target = { tabId: tab };
    await browser.scripting.executeScript({ target, func: askForWhole, args: [whole] });
    const [frame] = await browser.scripting.executeScript({ target, files: ["/capture.js"] });
    return frame?.result as Draft | undefined;
  } catch {
    return fileOfTab(tab);
  }
}

/** Runs in the tab: the script that reads it takes no arguments. */
function askForWhole(whole: boolean): void {
  (globalThis as { rememWholePage?: boolean }).rememWholePage = whole;
}

/** The file of a tab that shows a PDF: scripts cannot run in the browser's PDF viewer. */
async function fileOfTab(tab: number): Promise<FileDraft | undefined> {
  const { url, title } = await browser.tabs.get(tab);
  if (!url || !/^https?:/.test(url) || !/\.pdf$/i.test(new URL(url).pathname)) return undefined;
  const name = fileNameOf(new URL(url));
  const metadata = { site: new URL(url).hostname, captured_at: new Date().toISOString() };
  return { kind: "file", title: title || name, name, type: "application/pdf", url, metadata };
}

/** Download the file that a tab shows, with the user's cookies. `isPrompting`: the browser is asking
 * the user for permission. */
export async function downloadFile(draft: FileDraft, isPrompting = false): Promise<Blob> {
  if (!import.meta.env.FIREFOX) return download(draft);
  const access = { origins: [patternFor(draft.url)] };
  const isAllowed = isPrompting
    ? await waitForPermission(access)
    : await browser.permissions.contains(access);
  if (!isAllowed) throw new Failure("no_access", t("problem_access"));
  try {
    return await download(draft);
  } finally {
    await releasePermission(access);
  }
}

/** Give the permission back, unless it is for the server or for an enabled site. */
async function releasePermission(access: { origins: string[] }): Promise<void> {
  const { base, sites } = await readSettings();
  const isNeeded = [base, ...sites].some((url) => access.origins.includes(patternFor(url)));
  if (!isNeeded) await browser.permissions.remove(access);
}

/** Wait until the permission is granted. This runs here because the permission prompt may close the popup. */
function waitForPermission(access: { origins: string[] }): Promise<boolean> {
  return new Promise((resolve) => {
    const check = async () => {
      if (await browser.permissions.contains(access)) settle(true);
    };
    const settle = (granted: boolean) => {
      browser.permissions.onAdded.removeListener(check);
      resolve(granted);
    };
    browser.permissions.onAdded.addListener(check);
    setTimeout(settle, PROMPT_MS, false);
    void check();
  });
}

async function download(draft: FileDraft): Promise<Blob> {
  const reply = await fetch(draft.url, { credentials: "include" }).catch(() => null);
  if (!reply?.ok) throw new Failure("no_file", t("problem_file"));
  const file = await reply.blob();
  if (file.size > BYTES_LIMIT) throw new Failure("too_large", t("problem_too_large"));
  return file;
}
