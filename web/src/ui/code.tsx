import { useEffect, useState } from "react";
import type { HighlighterCore, ThemedToken } from "shiki/core";

const LANGUAGES = {
  bash: () => import("shiki/langs/bash.mjs"),
  c: () => import("shiki/langs/c.mjs"),
  css: () => import("shiki/langs/css.mjs"),
  diff: () => import("shiki/langs/diff.mjs"),
  go: () => import("shiki/langs/go.mjs"),
  html: () => import("shiki/langs/html.mjs"),
  java: () => import("shiki/langs/java.mjs"),
  javascript: () => import("shiki/langs/javascript.mjs"),
  json: () => import("shiki/langs/json.mjs"),
  python: () => import("shiki/langs/python.mjs"),
  rust: () => import("shiki/langs/rust.mjs"),
  sql: () => import("shiki/langs/sql.mjs"),
  toml: () => import("shiki/langs/toml.mjs"),
  tsx: () => import("shiki/langs/tsx.mjs"),
  typescript: () => import("shiki/langs/typescript.mjs"),
  yaml: () => import("shiki/langs/yaml.mjs"),
};
type Language = keyof typeof LANGUAGES;
const ALIASES: Record<string, Language> = {
  sh: "bash",
  shell: "bash",
  js: "javascript",
  jsx: "tsx",
  py: "python",
  rs: "rust",
  ts: "typescript",
  yml: "yaml",
  "c++": "c",
  cpp: "c",
};

let shared: Promise<HighlighterCore> | undefined;

async function createHighlighter(): Promise<HighlighterCore> {
  const [{ createHighlighterCore, createCssVariablesTheme }, { createJavaScriptRegexEngine }] =
    await Promise.all([import("shiki/core"), import("shiki/engine/javascript")]);
  const theme = createCssVariablesTheme({
    name: "tokens",
    variablePrefix: "--shiki-",
  });
  return createHighlighterCore({
    themes: [theme],
    langs: [],
    engine: createJavaScriptRegexEngine(),
  });
}

async function tokensOf(text: string, language: Language): Promise<ThemedToken[][]> {
  shared ??= createHighlighter();
  const highlighter = await shared;
  await highlighter.loadLanguage(await LANGUAGES[language]());
  return highlighter.codeToTokensBase(text, {
    lang: language,
    theme: "tokens",
  });
}

export function languageOf(name: string): Language | undefined {
  const lower = name.toLowerCase();
  return lower in LANGUAGES ? (lower as Language) : ALIASES[lower];
}

/** Highlighted code. Colours are set as style properties, because the CSP forbids style attributes. */
export default function Code({ text, language }: { text: string; language: string }) {
  const [lines, setLines] = useState<ThemedToken[][]>();
  useEffect(() => {
    const known = languageOf(language);
    let current = true;
    if (known) tokensOf(text, known).then((tokens) => current && setLines(tokens));
    return () => {
      current = false;
    };
  }, [text, language]);
  if (!lines) return <code>{text}</code>;
  return (
    <code>
      {lines.map((line, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of an unchanging text
        <span key={row}>
          {line.map((token) => (
            <span key={token.offset} style={{ color: token.color }}>
              {token.content}
            </span>
          ))}
          {"\n"}
        </span>
      ))}
    </code>
  );
}
