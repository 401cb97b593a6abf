// Imports go one way: app > shell > pages > features > ui > lib. A page imports no other page.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const src = fileURLToPath(new URL("../src", import.meta.url));
const LAYERS = ["lib", "ui", "features", "pages", "shell"];
const IMPORT = /(?:from\s+|import\s*\(?\s*)["']([^"']+)["']/g;

const layerOf = (path) => {
  const [first, ...rest] = path.split("/");
  return rest.length ? LAYERS.indexOf(first) : LAYERS.length;
};
const pageOf = (path) => (path.startsWith("pages/") ? path.split("/")[1] : undefined);

function targetOf(file, specifier) {
  if (specifier.startsWith("~/")) return specifier.slice(2);
  if (specifier.startsWith(".")) return relative(src, resolve(dirname(join(src, file)), specifier));
  return undefined;
}

const files = readdirSync(src, { recursive: true }).filter((name) => /\.tsx?$/.test(name));
const problems = [];
for (const file of files) {
  for (const [, specifier] of readFileSync(join(src, file), "utf8").matchAll(IMPORT)) {
    const target = targetOf(file, specifier);
    if (target === undefined) continue;
    const upwards = layerOf(target) > layerOf(file);
    const sideways = pageOf(target) && pageOf(file) && pageOf(target) !== pageOf(file);
    if (upwards || sideways) problems.push(`${file} must not import ${target}`);
  }
}
if (problems.length) {
  console.error(problems.join("\n"));
  process.exit(1);
}
console.log(`${files.length} files: imports go one way.`);
