/** Read a tab: only one that the person acted on can be read at all. */

import { browser } from "wxt/browser";
import type { Draft, FileDraft } from "../draft";
import { Failure } from "../messages";
import { BYTES_LIMIT } from "../queue";
import { t } from "../words";

export async function captureTab(tab: number): Promise<Draft> {
  let draft: Draft | undefined;
  try {
    const [frame] = await browser.scripting.executeScript({
      target: { tabId: tab },
      files: ["/capture.js"],
    });
    draft = frame?.result as Draft | undefined;
  } catch {
    draft = await fileOfTab(tab);
  }
  if (!draft) throw new Failure("unreadable", t("problem_unreadable"));
  const { version } = browser.runtime.getManifest();
  return { ...draft, metadata: { ...draft.metadata, extension_version: version } };
}

/** The browser's own viewer of PDFs lets no script in. */
async function fileOfTab(tab: number): Promise<FileDraft | undefined> {
  const { url, title } = await browser.tabs.get(tab);
  if (!url || !/^https?:/.test(url) || !/\.pdf$/i.test(new URL(url).pathname)) return undefined;
  const name = decodeURIComponent(new URL(url).pathname.split("/").pop() ?? "") || "file.pdf";
  const metadata = { site: new URL(url).hostname, captured_at: new Date().toISOString() };
  return { kind: "file", title: title || name, name, type: "application/pdf", url, metadata };
}

/** The bytes of a file that a tab shows, in the person's session. */
export async function downloadFile(draft: FileDraft): Promise<Blob> {
  const reply = await fetch(draft.url, { credentials: "include" }).catch(() => null);
  if (!reply?.ok) throw new Failure("no_file", t("problem_file"));
  const file = await reply.blob();
  if (file.size > BYTES_LIMIT) throw new Failure("too_large", t("problem_too_large"));
  return file;
}
