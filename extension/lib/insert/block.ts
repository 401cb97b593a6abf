/** The text that is inserted into a prompt, and how to remove it when a conversation is saved. */

import type { Hit } from "../messages";

export const BLOCK_START = "[From my memory, remem]";
export const BLOCK_END = "[End of memory]";

/** One line for each memory. */
export function writeBlock(hits: Pick<Hit, "text" | "date">[]): string {
  const lines = hits.map(({ text, date }) => `- ${oneLine(text)}${date ? ` (${date})` : ""}`);
  return [BLOCK_START, ...lines, BLOCK_END].join("\n");
}

/** A memory that contains a start or end marker must not end the block early. */
function oneLine(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .replace(/\[(From my memory, remem|End of memory)\]/gi, "($1)")
    .trim();
}

// Markdown escapes brackets, and an editor may add spaces or line breaks.
const START = /\\?\[From my memory, remem\\?\]/g;
const END = /\\?\[End of memory\\?\][ \t]*\n?/g;

/** Remove all inserted blocks. Runs in linear time, even for thousands of start markers without an end. */
export function removeBlocks(text: string): string {
  const parts: string[] = [];
  let at = 0;
  for (const start of text.matchAll(START)) {
    if (start.index < at) continue;
    END.lastIndex = start.index;
    const end = END.exec(text);
    if (!end) break;
    parts.push(text.slice(at, start.index));
    at = end.index + end[0].length;
  }
  return parts.join("") + text.slice(at);
}
