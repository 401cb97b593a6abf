/**
 * The language of the interface. The English text of the code is the key of the other languages,
 * whose catalogues are in `locales/`; only the one in use is loaded, before anything is shown.
 */
import { createElement, Fragment, type ReactNode } from "react";
import de from "../locales/de.json?url";
import es from "../locales/es.json?url";
import fr from "../locales/fr.json?url";
import ja from "../locales/ja.json?url";
import zh from "../locales/zh.json?url";

const CATALOGUES = { de, fr, es, ja, zh };

/** Every language by its code, in its own words. */
export const LANGUAGES = {
  en: "English",
  de: "Deutsch",
  fr: "Français",
  es: "Español",
  ja: "日本語",
  zh: "简体中文",
} as const;

export type Language = keyof typeof LANGUAGES;
type Forms = Partial<Record<Intl.LDMLPluralRule, string>>;
type Values = Record<string, string | number | null | undefined>;

const KEY = "remem.language";
const PLACE = /\{(\w+)\}/;

const isLanguage = (code: string | null): code is Language =>
  code !== null && Object.hasOwn(LANGUAGES, code);

/** The language that a person chose in this browser; null follows the browser. */
export function chosenLanguage(): Language | null {
  const code = localStorage.getItem(KEY);
  return isLanguage(code) ? code : null;
}

/** The app is loaded again: most texts are made once. */
export function chooseLanguage(language: Language | null): void {
  if (language) localStorage.setItem(KEY, language);
  else localStorage.removeItem(KEY);
  window.location.reload();
}

/** The first language of the browser that the interface has. */
export function browserLanguage(tags: readonly string[] = navigator.languages): Language {
  return tags.map(languageOf).find((language) => language !== null) ?? "en";
}

/** Traditional Chinese is another script, so it has no catalogue. */
function languageOf(tag: string): Language | null {
  const { language, script } = localeOf(tag).maximize();
  return isLanguage(language) && script !== "Hant" ? language : null;
}

function localeOf(tag: string): Intl.Locale {
  try {
    return new Intl.Locale(tag);
  } catch {
    return new Intl.Locale("en");
  }
}

export const language: Language = chosenLanguage() ?? browserLanguage();

/** How dates and numbers are written: as in the browser's country, in the language of the interface. */
export const locale: string = localeFor(language, chosenLanguage() !== null);

function localeFor(shown: Language, isChosen: boolean, tags = navigator.languages): string {
  const own = tags.find((tag) => localeOf(tag).language === shown);
  if (own) return own;
  const [first = "en"] = tags;
  // The browser's language has no catalogue: its dates and numbers are still those that a person reads.
  if (!isChosen) return localeOf(first).baseName;
  const { region } = localeOf(first);
  return region ? `${shown}-${region}` : shown;
}

document.documentElement.lang = language === "zh" ? "zh-Hans" : language;

const catalogue: Record<string, string | Forms> = await load();
const numbers = new Intl.NumberFormat(locale);
const rules = new Intl.PluralRules(language);

/** Without its catalogue the app speaks English. */
async function load(): Promise<Record<string, string | Forms>> {
  const url = catalogueUrl();
  if (!url) return {};
  try {
    const reply = await fetch(url);
    return reply.ok ? await reply.json() : {};
  } catch {
    return {};
  }
}

export function catalogueUrl(): string | null {
  return language === "en" ? null : CATALOGUES[language];
}

/** What follows "##" tells texts apart that are the same in English: "Read##event" is "Read". */
function translated(text: string): string {
  const found = catalogue[text];
  return typeof found === "string" ? found : (text.split("##")[0] ?? "");
}

/** A text in the language of the interface, with values in the places of `{name}`. */
export function t(text: string, values: Values = {}): string {
  return filled(translated(text), values);
}

/** Like `t`, with elements in the places. */
export function rich(text: string, values: Record<string, ReactNode>): ReactNode[] {
  return translated(text)
    .split(PLACE)
    .map((part, index) => createElement(Fragment, { key: index }, index % 2 ? values[part] : part));
}

/** A number with its noun; the catalogues have it by the text of several, such as "{n} notes". */
export function counted(value: number, shown: string, one: string, several: string): string {
  const forms = catalogue[`{n} ${several}`];
  const form = typeof forms === "object" && (forms[rules.select(value)] ?? forms.other);
  return filled(form || `{n} ${value === 1 ? one : several}`, { n: shown });
}

function filled(text: string, values: Values): string {
  return text
    .split(PLACE)
    .map((part, index) => (index % 2 ? written(values[part]) : part))
    .join("");
}

const written = (value: Values[string]) =>
  typeof value === "number" ? numbers.format(value) : (value ?? "");
