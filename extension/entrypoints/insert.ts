/** Runs in the tab where the person asked for their memory. */

import { defineUnlistedScript } from "wxt/utils/define-unlisted-script";
import { watchComposition } from "@/lib/insert/ladder";
import { openPanel } from "@/lib/insert/panel";

export default defineUnlistedScript(async () => {
  watchComposition();
  await openPanel();
});
