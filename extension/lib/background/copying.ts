/** Keep a copy of the page in a tab that was saved. */

import { browser } from "wxt/browser";
import type { SaveResult } from "../messages";
import { sendCopy } from "../server/saved";

export async function keepCopy(tab: number, id: string): Promise<SaveResult["copy"]> {
  try {
    const target = { tabId: tab };
    const [frame] = await browser.scripting.executeScript({ target, files: ["/page-copy.js"] });
    if (frame?.result === null) return "too_large";
    await sendCopy(id, String(frame?.result ?? ""));
    return "kept";
  } catch {
    return "failed";
  }
}
