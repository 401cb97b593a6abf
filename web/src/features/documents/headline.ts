import { unitsBefore } from "~/lib/characters";
import { beginsWith, contains, sameWords } from "~/lib/format";
import { t } from "~/lib/language";
import { plainText } from "~/lib/plain-text";
import type { Document, DocumentLine } from "./documents";

/** Types of which a title may be nothing but the beginning of the text. */
const NOTES = ["text", "markdown", "note", "email", "tweet"];

export type Headline = {
  /** Empty if it would only repeat the beginning of the text. */
  title: string;
  /** Whether the title is the first line of the text. */
  isFirstLine: boolean;
  /** The text below the title. */
  text: string;
};

/** Splits a text that begins with its title; of a note, a title made of its first words is left out. */
export function headlineOf(title: string, text: string, type: string): Headline {
  const shown = plainText(title).text;
  const [, first = "", rest = ""] = /^\s*([^\n]*)\n?([\s\S]*)$/.exec(text) ?? [];
  if (rest.trim() && sameWords(plainText(first).text, shown))
    return { title: shown, isFirstLine: true, text: rest };
  const opening = plainText(text.slice(0, 2 * title.length + 200)).text;
  const isRepeated = NOTES.includes(type) && beginsWith(opening, shown);
  return { title: isRepeated ? "" : shown || t("Untitled"), isFirstLine: false, text };
}

/** The title of a document and the text below it, without front matter and the header of a mail. */
export function headlineOfDocument({ title, content, content_type, text_start }: Document) {
  return headlineOf(title, content.slice(unitsBefore(content, text_start)), content_type);
}

const SHORT_CHARS = 400;

/** Whether a text is seen at a glance. */
export function isShort({ text }: Headline): boolean {
  return text.trim().length <= SHORT_CHARS;
}

const OPENING_CHARS = 2_000;
const SENTENCE_END = /(?<=[.!?。！？।])\s+/u;

/** The summary, unless the title and the first lines of the text say the same. */
export function summaryOf({ summary, metadata }: Document, headline: Headline): string {
  // The summary of a table is its first rows.
  if (metadata.columns) return "";
  const words = plainText(summary ?? "").text;
  const opening = plainText(`${headline.title}\n${headline.text.slice(0, OPENING_CHARS)}`).text;
  return words.split(SENTENCE_END).every((part) => contains(opening, part)) ? "" : words;
}

/** The title of a document in a list, and some of its text. */
export function cardTexts(document: DocumentLine): { title: string; snippet: string } {
  const headline = headlineOf(document.title, document.excerpt, document.content_type);
  const { columns } = document.metadata as { columns?: string[] };
  if (columns?.length) return { title: headline.title, snippet: columns.join(" · ") };
  const text = plainText(headline.text.trim()).text;
  if (!headline.title) return { title: "", snippet: text };
  const summary = plainText(document.summary ?? "").text;
  const isNew = summary && !beginsWith(summary, headline.title);
  return { title: headline.title, snippet: isNew ? summary : text };
}
