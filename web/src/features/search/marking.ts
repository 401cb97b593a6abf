import { plainText } from "~/lib/plain-text";

const WORD = /[\p{L}\p{N}]+/gu;
/** Not after an ordinal, an initial or a short abbreviation ("am 14. Jänner", "Mag. Leitner"), nor before a small letter. */
const SENTENCE_END =
  /(?<=[!?؟]|(?<!(?:^|[\s(])(?:\p{Lu}\p{L}{0,2}|[\d.]{1,6}|(?:\p{L}{1,2}\.)+\p{L}{1,2}))\.)\s+(?!\p{Ll})|(?<=[。！？।։])\s*|\n+/u;
const CJK = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u;
const MIN_WORD_LENGTH = 3;
const LONG_WORD = 6;
/** Stop words. */
const COMMON = new Set(
  "the and for with that this from have has had was were are not you your what when where which who how why does did can will would about into our out its".split(
    " ",
  ),
);

export function wordsOf(query: string): string[] {
  const words = query.toLowerCase().match(WORD) ?? [];
  const significant = words.filter(
    (word) => CJK.test(word) || (word.length >= MIN_WORD_LENGTH && !COMMON.has(word)),
  );
  return [...new Set(significant)];
}

/** Shortens long words, so that they match their other forms too. */
function stem(word: string): string {
  return word.length >= LONG_WORD ? word.slice(0, -2) : word;
}

const isHeading = (line: string) => /^\s*#/.test(line);

/** The sentences of a passage without Markdown syntax; headings only if there is nothing else. */
function sentencesOf(text: string): string[] {
  const lines = text.split(SENTENCE_END);
  const body = lines.filter((line) => !isHeading(line));
  return (body.some((line) => line.trim().length > 2) ? body : lines)
    .map((line) => plainText(line.replaceAll("|", " ").trim()).text)
    .filter((line) => line.length > 2);
}

type Source = { content: string; memories?: { content: string }[] };

/** The sentence with the most words of the query; a sentence that became a memory wins a tie. */
export function bestSentence({ content, memories = [] }: Source, query: string): string {
  const stems = wordsOf(query).map(stem);
  const sentences = sentencesOf(content);
  let best = 0;
  let bestScore = -1;
  sentences.forEach((sentence, i) => {
    const lower = sentence.toLowerCase();
    const matched = stems.filter((word) => lower.includes(word)).length;
    const isMemory = memories[0]?.content.toLowerCase().startsWith(lower.slice(0, 40)) ?? false;
    const score = matched + (isMemory ? 0.5 : 0);
    if (score > bestScore) [best, bestScore] = [i, score];
  });
  const chosen = sentences[best] ?? content.trim();
  const after = sentences[best + 1];
  return chosen.length < 60 && after ? `${chosen} ${after}` : chosen;
}

/** Chunks with their best sentence, without those whose sentence is shown: neighbours overlap. */
export function distinctPassages<Chunk extends Source>(chunks: Chunk[], query: string) {
  const passages: { chunk: Chunk; sentence: string }[] = [];
  for (const chunk of chunks) {
    const sentence = bestSentence(chunk, query);
    if (!passages.some((shown) => shown.sentence.includes(sentence)))
      passages.push({ chunk, sentence });
  }
  return passages;
}

export type Piece = { text: string; marked: boolean; at: number };

/** Splits a text into pieces and marks the words that match a word of the query. */
export function markWords(text: string, query: string): Piece[] {
  const stems = wordsOf(query).map(stem);
  if (!stems.length) return [{ text, marked: false, at: 0 }];
  const escaped = stems.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${escaped.join("|")})[\\p{L}\\p{N}]{0,4}(?![\\p{L}\\p{N}])|${cjkOf(escaped)}`,
    "giu",
  );
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > end)
      pieces.push({
        text: text.slice(end, match.index),
        marked: false,
        at: end,
      });
    pieces.push({ text: match[0], marked: true, at: match.index });
    end = match.index + match[0].length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), marked: false, at: end });
  return pieces;
}

/** A pattern for words of languages without spaces, matched anywhere; matches nothing if there are none. */
function cjkOf(words: string[]): string {
  const cjk = words.filter((word) => CJK.test(word));
  return cjk.length ? cjk.join("|") : "(?!)";
}
