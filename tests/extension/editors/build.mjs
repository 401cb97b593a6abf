// Bundles each editor that is named into a file of its own: `node build.mjs FOLDER NAME...`.

import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const [folder, ...names] = process.argv.slice(2);
await build({
  entryPoints: names.map((name) => fileURLToPath(new URL(`./${name}.js`, import.meta.url))),
  outdir: folder,
  bundle: true,
  format: "iife",
  minify: true,
  logLevel: "error",
  define: { "process.env.NODE_ENV": '"production"' },
});
