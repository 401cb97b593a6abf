/** Opens the panel in the tab where the user asked for it. */

import { defineUnlistedScript } from "wxt/utils/define-unlisted-script";
import { watchComposition } from "@/lib/insert/insert-text";
import { openPanel } from "@/lib/insert/panel";

export default defineUnlistedScript(async () => {
  watchComposition();
  await openPanel();
});
