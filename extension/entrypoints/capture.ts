/** Runs in the tab to save, and returns the draft. */

import { defineUnlistedScript } from "wxt/utils/define-unlisted-script";
import { capture } from "@/lib/capture/capture";

export default defineUnlistedScript(async () => {
  const { rememWholePage: isWhole } = globalThis as { rememWholePage?: boolean };
  const selected = isWhole ? "" : (getSelection()?.toString() ?? "");
  const page = { document, url: new URL(location.href), fetch: fetch.bind(globalThis) };
  return await capture(page, selected);
});
