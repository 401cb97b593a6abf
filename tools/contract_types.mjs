// Writes a JSON Schema for each of the types `Root*` in a TypeScript file: {name: schema}.
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [file, target, ...names] = process.argv.slice(2);
const require = createRequire(pathToFileURL(file));
const { createGenerator } = await import(pathToFileURL(require.resolve("ts-json-schema-generator")));
const schemas = {};
for (const type of names) {
  const generator = createGenerator({ path: file, type, skipTypeCheck: true, topRef: false });
  schemas[type] = generator.createSchema(type);
}
writeFileSync(target, JSON.stringify(schemas));
