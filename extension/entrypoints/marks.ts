/** Runs in a tab, and marks the highlights of the saved page without changing its elements. */

import { defineUnlistedScript } from "wxt/utils/define-unlisted-script";
import { indexOf, type Passage, rangeOf } from "../../web/src/features/highlights/ranges";

export default defineUnlistedScript(() => {
  if (!("highlights" in CSS)) return 0;
  const { rememHighlights = [] } = globalThis as { rememHighlights?: Passage[] };
  const index = rememHighlights.length ? indexOf(document.body) : { letters: "", places: [] };
  const ranges = rememHighlights
    .map((passage) => rangeOf(index, passage))
    .filter((range) => range !== undefined);
  CSS.highlights.set("remem", new Highlight(...ranges));
  return ranges.length;
});
