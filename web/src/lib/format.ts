import { counted, locale, t } from "./language";

const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
const languages = new Intl.DisplayNames(locale, { type: "language" });
const count = new Intl.NumberFormat(locale);
const listed = new Intl.ListFormat(locale, { type: "unit", style: "short" });
const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

const DATE_ONLY = /^\d{4}-\d{2}-\d{2}$/;

/** Parses a time, or a day as its local noon: parsed as UTC, "2026-11-15" is the day before west of Greenwich. */
export function dateOf(moment: string | Date): Date {
  const isDay = typeof moment === "string" && DATE_ONLY.test(moment);
  return new Date(isDay ? `${moment}T12:00:00` : moment);
}

/** Whether the text is an existing day as YYYY-MM-DD; it may come from a URL that was typed by hand. */
export function isDay(text: string): boolean {
  return DATE_ONLY.test(text) && !Number.isNaN(dateOf(text).getTime());
}

/** The first moment of a local day. */
export function startOfDay(day: string): string {
  return new Date(`${day}T00:00:00`).toISOString();
}

/** The last moment of a local day. */
export function endOfDay(day: string): string {
  return new Date(`${day}T23:59:59.999`).toISOString();
}

export function addDays(day: string, days: number): string {
  const date = dateOf(day);
  date.setDate(date.getDate() + days);
  return dayOf(date);
}

export function timeAgo(iso: string, now = Date.now()): string {
  const seconds = (dateOf(iso).getTime() - now) / 1000;
  for (const [unit, size] of STEPS) {
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit);
  }
  return t("just now");
}

export function absoluteTime(iso: string): string {
  return dateOf(iso).toLocaleString(locale, {
    dateStyle: "long",
    timeStyle: "short",
  });
}

export function shortDate(iso: string): string {
  return dateOf(iso).toLocaleDateString(locale, {
    year: "numeric",
    month: "short",
    day: "numeric",
  });
}

export function longDay(iso: string): string {
  return dateOf(iso).toLocaleDateString(locale, {
    weekday: "long",
    year: "numeric",
    month: "long",
    day: "numeric",
  });
}

/** "Today", "Tomorrow", or the day with its weekday, in the language of the interface. */
export function dueDay(iso: string, now = new Date()): string {
  const days = Math.round((noonOf(dateOf(iso)) - noonOf(now)) / DAY_MS);
  if (Math.abs(days) < 2) return capitalized(relative.format(days, "day"));
  return dateOf(iso).toLocaleDateString(locale, {
    weekday: "short",
    month: "short",
    day: "numeric",
  });
}

const DAY_MS = 86_400_000;
const noonOf = (date: Date) => new Date(date).setHours(12, 0, 0, 0);
const capitalized = (words: string) => words.slice(0, 1).toLocaleUpperCase(locale) + words.slice(1);

/** The local day as YYYY-MM-DD, for inputs and grouping. */
export function dayOf(moment: string | Date): string {
  const date = dateOf(moment);
  const pad = (value: number) => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}

export function number(value: number): string {
  return count.format(value);
}

export function plural(value: number, noun: string, nouns = `${noun}s`): string {
  return counted(value, number(value), noun, nouns);
}

/** A number with exactly so many decimals. */
export function decimal(value: number, digits: number): string {
  const fixed = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return value.toLocaleString(locale, fixed);
}

/** A share of one as a percentage: "70 %" or "70%". */
export function percent(share: number): string {
  return share.toLocaleString(locale, { style: "percent" });
}

/** Several names in one sentence: "a, b and c". */
export function list(names: string[]): string {
  return listed.format(names);
}

export function bytes(value: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let index = 0;
  let size = value;
  while (size >= 1000 && index < units.length - 1) {
    size /= 1000;
    index += 1;
  }
  const digits = size < 10 && index > 0 ? 1 : 0;
  return `${decimal(size, digits)} ${units[index]}`;
}

/** Seconds as 1:02:03 or 2:03. */
export function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const shown = parts[0] ? parts : parts.slice(1);
  return shown.map((part, i) => (i ? String(part).padStart(2, "0") : String(part))).join(":");
}

/** The name of a language by its code: "German" for `de`. */
export function languageName(code: string): string {
  try {
    return languages.of(code) ?? code;
  } catch {
    return code;
  }
}

export function hostOf(url: string): string {
  try {
    return new URL(url).hostname.replace(/^www\./, "");
  } catch {
    return url;
  }
}

/** Removes the full stop, so that the sentence can be continued. */
export function withoutStop(sentence: string): string {
  return sentence.trim().replace(/[.\s]+$/, "");
}

/** Only letters and digits, so that texts can be compared whatever their signs and case. */
const folded = (text: string) =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "");

/** Without the last word, which may be cut, if the text ends with "…". */
function uncut(text: string): string {
  return text.trimEnd().endsWith("…") ? text.replace(/\s*[^\s…]*…\s*$/, "") || text : text;
}

export function sameWords(text: string, other: string): boolean {
  return folded(text) === folded(other);
}

/** Whether a text begins with these words, or with all but the last if they end with "…". */
export function beginsWith(text: string, words: string): boolean {
  const start = folded(uncut(words));
  return start !== "" && folded(text).startsWith(start);
}

/** Whether a text has these words somewhere; words that end with "…" without the last one. */
export function contains(text: string, words: string): boolean {
  return folded(text).includes(folded(uncut(words)));
}

const FEW_LETTERS = 20;

/** Whether a text only repeats the title above it. */
export function repeatsTitle(text: string, title: string): boolean {
  const isLonger = folded(text).length > folded(title).length + FEW_LETTERS;
  return title !== "" && !isLonger && (beginsWith(text, title) || beginsWith(title, text));
}
