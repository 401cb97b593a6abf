// Every text of the app is in every catalogue of `src/locales`, with the same places, and no other
// text is: a missing, a superfluous and a differing one fail.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseSync } from "vite";

const src = fileURLToPath(new URL("../src/", import.meta.url));
const folder = process.argv[2] ?? `${src}locales`;
const LANGUAGES = ["de", "fr", "es", "ja", "zh"];
/** Pages in English only: for operators and developers, or mostly of texts that the server sends. */
const ENGLISH = /^pages\/(operator|extension|settings\/connections)\//;
/** Attributes that a person reads. */
const READ = new Set([
  ...["action", "afterLabel", "alt", "aria-label", "aria-valuetext", "beforeLabel", "description"],
  ...["heading", "hint", "label", "none", "placeholder", "title"],
]);
/** Names and programs, the same in every language. */
const SAME = new Set([
  ...[
    "remem",
    "remem open",
    "Android",
    "iPhone, iPad",
    "K",
    "name@example.org",
    "PDF",
    "JSON",
    "curl",
  ],
  ...["Python", "TypeScript"],
  "shortcuts sign --mode anyone -i remem.shortcut -o signed.shortcut",
]);
const isWords = (text) => /\p{L}{2}/u.test(text) && !SAME.has(text.trim());

const problems = [];
const texts = new Map();
const nouns = new Map();

function eachNode(node, visit, parent) {
  if (!node || typeof node !== "object") return;
  if (Array.isArray(node)) {
    for (const part of node) eachNode(part, visit, parent);
    return;
  }
  if (node.type) visit(node, parent);
  for (const [key, part] of Object.entries(node)) {
    if (key !== "type") eachNode(part, visit, node.type ? node : parent);
  }
}

/** The texts that an argument can be; null if one is not written here. */
function literalsOf(node) {
  if (node?.type === "Literal" && typeof node.value === "string") return [node.value];
  if (node?.type !== "ConditionalExpression") return null;
  const [yes, no] = [literalsOf(node.consequent), literalsOf(node.alternate)];
  return yes && no && [...yes, ...no];
}

function readCall(node, at) {
  const [first, second, third] = node.arguments;
  if (["t", "rich"].includes(node.callee.name)) {
    const found = literalsOf(first);
    if (!found) problems.push(`${at}: the text of ${node.callee.name}() must be written there`);
    for (const text of found ?? []) texts.set(text, at);
  }
  if (node.callee.name === "plural") {
    const [noun] = literalsOf(second) ?? [];
    const [several] = third ? (literalsOf(third) ?? []) : [`${noun}s`];
    if (!noun || !several) problems.push(`${at}: the nouns of plural() must be written there`);
    else nouns.set(`{n} ${several}`, at);
  }
}

function readJsx(node, at) {
  if (node.type === "JSXText" && isWords(node.value))
    problems.push(`${at}: “${node.value.trim()}” is not translated`);
  if (node.type !== "JSXAttribute" || !READ.has(node.name.name)) return;
  if (
    node.value?.type === "Literal" &&
    isWords(node.value.value) &&
    /[A-Z ]/.test(node.value.value)
  )
    problems.push(`${at}: “${node.value.value}” is not translated`);
}

/** Messages, titles of the page, and the labels of choices. */
function readCode(node, at) {
  const called = node.type === "CallExpression" && (node.callee.object ?? node.callee).name;
  const words = ["toast", "useTitle"].includes(called)
    ? node.arguments[0]
    : node.type === "Property" && node.key.name === "label" && node.value;
  if (words?.type === "Literal" && typeof words.value === "string" && isWords(words.value))
    problems.push(`${at}: “${words.value}” is not translated`);
}

for (const file of readdirSync(src, { recursive: true }).sort()) {
  if (!/\.tsx?$/.test(file) || file === "lib/language.ts" || file === "lib/format.ts") continue;
  readSource(file);
}
readSource("lib/format.ts");

function readSource(file) {
  const code = readFileSync(src + file, "utf8");
  eachNode(parseSync(file, code).program, (node) => {
    const at = () => `${file}:${code.slice(0, node.start).split("\n").length}`;
    if (!ENGLISH.test(file)) readCode(node, at());
    if (node.type === "CallExpression") {
      if (ENGLISH.test(file) && node.callee.name === "plural") return;
      readCall(node, at());
    } else if (node.type?.startsWith("JSX") && !ENGLISH.test(file)) readJsx(node, at());
  });
}

const placesOf = (text) =>
  [...text.matchAll(/\{(\w+)\}/g)]
    .map(([, name]) => name)
    .sort()
    .join();

/** CLDR also has a form for millions, which no noun here needs. */
const formsOf = (code) =>
  new Intl.PluralRules(code).resolvedOptions().pluralCategories.filter((name) => name !== "many");

function checkText(code, text, translated) {
  if (typeof translated !== "string" || !translated.trim())
    problems.push(`${code}.json: “${text}” is missing (${texts.get(text)})`);
  else if (
    new Set(placesOf(text).split(",")).symmetricDifference(new Set(placesOf(translated).split(",")))
      .size
  )
    problems.push(`${code}.json: “${text}” has other places: “${translated}”`);
}

function checkNoun(code, noun, forms) {
  const wanted = formsOf(code).sort().join();
  if (typeof forms !== "object" || Object.keys(forms).sort().join() !== wanted)
    problems.push(`${code}.json: “${noun}” needs the forms ${wanted} (${nouns.get(noun)})`);
  else
    for (const [form, words] of Object.entries(forms))
      if (placesOf(words) !== "n") problems.push(`${code}.json: “${noun}” (${form}) lacks {n}`);
}

for (const code of LANGUAGES) {
  const catalogue = JSON.parse(readFileSync(`${folder}/${code}.json`, "utf8"));
  for (const text of texts.keys()) checkText(code, text, catalogue[text]);
  for (const noun of nouns.keys()) checkNoun(code, noun, catalogue[noun]);
  for (const text of Object.keys(catalogue))
    if (!texts.has(text) && !nouns.has(text)) problems.push(`${code}.json: “${text}” is not used`);
}
if (problems.length) {
  console.error(problems.join("\n"));
  process.exitCode = 1;
}
if (!problems.length)
  console.log(`${texts.size + nouns.size} texts in ${LANGUAGES.length + 1} languages.`);
