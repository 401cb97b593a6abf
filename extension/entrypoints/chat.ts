/** On sites that the person switched on: a button at the corner of the prompt. */

import { defineUnlistedScript } from "wxt/utils/define-unlisted-script";
import { showButton } from "@/lib/insert/button";
import { watchComposition } from "@/lib/insert/ladder";

export default defineUnlistedScript(() => {
  watchComposition();
  showButton();
});
