/** Shows a button beside the prompt, on sites for which the user enabled it. */

import { defineUnlistedScript } from "wxt/utils/define-unlisted-script";
import { showButton } from "@/lib/insert/button";
import { watchComposition } from "@/lib/insert/insert-text";

export default defineUnlistedScript(() => {
  watchComposition();
  showButton();
});
