/** Runs in the tab that was saved, and returns a copy of it in one file; null if it would be too large. */

import { defineUnlistedScript } from "wxt/utils/define-unlisted-script";
import { copyOf } from "@/lib/capture/page-copy";

export default defineUnlistedScript(() => copyOf({ document, fetch: fetch.bind(globalThis) }));
