/** Read a tab: only one that the person acted on can be read at all. */

import { browser } from "wxt/browser";
import { fileNameOf } from "../capture/page";
import type { Draft, FileDraft } from "../draft";
import { Failure } from "../messages";
import { BYTES_LIMIT } from "../queue";
import { patternFor } from "../server/address";
import { readSettings } from "../settings";
import { t } from "../words";

/** How long a person may think about a question of the browser. */
const ANSWER_MS = 60_000;

/** How long a page may take that is busy with itself. */
const PAGE_MS = 30_000;

export async function captureTab(tab: number): Promise<Draft> {
  const late = new Promise<"late">((resolve) => setTimeout(resolve, PAGE_MS, "late"));
  const draft = await Promise.race([readTab(tab), late]);
  if (draft === "late") throw new Failure("busy_page", t("problem_busy_page"));
  if (!draft) throw new Failure("unreadable", t("problem_unreadable"));
  const { version } = browser.runtime.getManifest();
  return { ...draft, metadata: { ...draft.metadata, extension_version: version } };
}

async function readTab(tab: number): Promise<Draft | undefined> {
  try {
    const target = { tabId: tab };
    const [frame] = await browser.scripting.executeScript({ target, files: ["/capture.js"] });
    return frame?.result as Draft | undefined;
  } catch {
    return fileOfTab(tab);
  }
}

/** The browser's own viewer of PDFs lets no script in. */
async function fileOfTab(tab: number): Promise<FileDraft | undefined> {
  const { url, title } = await browser.tabs.get(tab);
  if (!url || !/^https?:/.test(url) || !/\.pdf$/i.test(new URL(url).pathname)) return undefined;
  const name = fileNameOf(new URL(url));
  const metadata = { site: new URL(url).hostname, captured_at: new Date().toISOString() };
  return { kind: "file", title: title || name, name, type: "application/pdf", url, metadata };
}

/** The bytes of a file that a tab shows, in the person's session. `isAsked`: the person is being
 * asked for the site at this moment. */
export async function downloadFile(draft: FileDraft, isAsked = false): Promise<Blob> {
  if (!import.meta.env.FIREFOX) return download(draft);
  const access = { origins: [patternFor(draft.url)] };
  const isThere = isAsked ? await isGranted(access) : await browser.permissions.contains(access);
  if (!isThere) throw new Failure("no_access", t("problem_access"));
  try {
    return await download(draft);
  } finally {
    await giveBack(access);
  }
}

/** Only the server and the sites that are switched on are allowed for longer than for one file. */
async function giveBack(access: { origins: string[] }): Promise<void> {
  const { base, sites } = await readSettings();
  const isStanding = [base, ...sites].some((url) => access.origins.includes(patternFor(url)));
  if (!isStanding) await browser.permissions.remove(access);
}

/** The popup that asked may be closed by the question of the browser, so the answer is waited for here. */
function isGranted(access: { origins: string[] }): Promise<boolean> {
  return new Promise((resolve) => {
    const check = async () => {
      if (await browser.permissions.contains(access)) settle(true);
    };
    const settle = (granted: boolean) => {
      browser.permissions.onAdded.removeListener(check);
      resolve(granted);
    };
    browser.permissions.onAdded.addListener(check);
    setTimeout(settle, ANSWER_MS, false);
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
