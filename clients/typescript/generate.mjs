// Write src/schema.ts from the OpenAPI file; with --check, only compare. Descriptions stay in the
// OpenAPI file, and the replies of errors, which are the same everywhere, are written once.
import { readFileSync, writeFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";

const TARGET = new URL("./src/schema.ts", import.meta.url);
const source = JSON.parse(readFileSync(new URL("../openapi/remem.json", import.meta.url)));

const names = new Map();
source.components.responses = {};
for (const path of Object.values(source.paths)) {
  for (const { responses } of Object.values(path)) {
    for (const [status, reply] of Object.entries(responses)) {
      const text = JSON.stringify(reply);
      if (!text.endsWith('schemas/Problem"}}}}')) continue;
      if (!names.has(text)) names.set(text, `Problem${status}${names.size}`);
      source.components.responses[names.get(text)] = reply;
      responses[status] = { $ref: `#/components/responses/${names.get(text)}` };
    }
  }
}

const nodes = await openapiTS(source, { defaultNonNullable: false });
const types = astToString(nodes)
  .replace(/^ *\/\*\*[^]*?\*\/\n/gm, "")
  // No path has parameters that are not those of its operations. Of what an operation does not
  // take, only query and path are listed, so that the compiler refuses them.
  .replace(/^export interface paths [^]*?^\}/m, (paths) =>
    paths.replace(/^ {8}parameters: \{\n(?: {12}.*\n)* {8}\};\n/gm, ""),
  )
  .replace(/^ *(?!query|path)\w+\?: never;\n/gm, "")
  .replace(/^ *headers: \{\n *\[name: string\]: unknown;\n *\};\n/gm, "");
const text = `// Generated from clients/openapi/remem.json by \`make clients\`.\n${types}`;
if (process.argv.includes("--check")) {
  if (readFileSync(TARGET, "utf8") !== text) {
    console.error("src/schema.ts is older than the OpenAPI file; run `make clients`.");
    process.exit(1);
  }
} else {
  writeFileSync(TARGET, text);
}
