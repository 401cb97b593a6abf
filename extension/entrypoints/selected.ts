/** Runs in a tab, and returns the selected words with what is around them; null if nothing is selected. */

import { defineUnlistedScript } from "wxt/utils/define-unlisted-script";
import { passageOf } from "../../web/src/features/highlights/ranges";

export default defineUnlistedScript(() => {
  const selection = getSelection();
  if (!selection?.rangeCount || !selection.toString().trim()) return null;
  return passageOf(document.body, selection.getRangeAt(0));
});
