/** Convert results of the server for the panel and the popup. */

import type { Recalled } from "remem-client";
import type { Hit } from "../messages";

type Result = Recalled["results"][number];
const TEXT_LIMIT = 400;

export function parseHits(results: Result[], base: string): Hit[] {
  return results.filter(({ weak }) => !weak).map((result) => hitOf(result, base));
}

function hitOf(result: Result, base: string): Hit {
  const { id, kind, title, created_at, chunks, summary } = result;
  const text = shorten(chunks[0]?.content || summary || title);
  return { id, kind, title, text, date: created_at.slice(0, 10), url: webAddress(result, base) };
}

/** Always a page of the user's own server, whatever the answer contains. */
function webAddress({ kind, id }: Result, base: string): string {
  return `${base}/${kind === "memory" ? "memories" : "memory"}/${encodeURIComponent(id)}`;
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= TEXT_LIMIT) return line;
  const start = line.slice(0, TEXT_LIMIT);
  return `${start.slice(0, Math.max(start.lastIndexOf(" "), TEXT_LIMIT / 2))} …`;
}
