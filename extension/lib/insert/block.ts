/** What is inserted into a prompt, and how it is recognised again when a conversation is saved. */

import type { Hit } from "../messages";

export const BLOCK_START = "[From my memory, remem]";
export const BLOCK_END = "[End of memory]";

/** One line for each memory, so that nothing has to be split again. */
export function writeBlock(hits: Pick<Hit, "text" | "date">[]): string {
  const lines = hits.map(({ text, date }) => `- ${oneLine(text)}${date ? ` (${date})` : ""}`);
  return [BLOCK_START, ...lines, BLOCK_END].join("\n");
}

/** A memory that contains one of the two lines must not end the block early. */
function oneLine(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .replace(/\[(From my memory, remem|End of memory)\]/gi, "($1)")
    .trim();
}

// Markdown escapes brackets; an editor may have added spaces or lines of its own.
const START = /\\?\[From my memory, remem\\?\]/g;
const END = /\\?\[End of memory\\?\][ \t]*\n?/g;

/** Each position is looked at once: a page with thousands of starts and no end costs nothing. */
export function removeBlocks(text: string): string {
  const kept: string[] = [];
  let at = 0;
  for (const start of text.matchAll(START)) {
    if (start.index < at) continue;
    END.lastIndex = start.index;
    const end = END.exec(text);
    if (!end) break;
    kept.push(text.slice(at, start.index));
    at = end.index + end[0].length;
  }
  return kept.join("") + text.slice(at);
}
