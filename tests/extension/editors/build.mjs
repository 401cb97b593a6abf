// Bundles the editors into the file that is named: `node build.mjs OUT`.

import { fileURLToPath } from "node:url";
import { build } from "esbuild";

await build({
  entryPoints: [fileURLToPath(new URL("./editors.js", import.meta.url))],
  outfile: process.argv[2],
  bundle: true,
  format: "iife",
  minify: true,
  logLevel: "error",
  define: { "process.env.NODE_ENV": '"production"' },
});
