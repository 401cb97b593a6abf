export type Heading = { id: string; text: string; level: number };

export function headingId(text: string): string {
  return `h-${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "")}`;
}

/** The headings of a Markdown text; lines inside code fences are ignored. */
export function headingsOf(markdown: string): Heading[] {
  const headings: Heading[] = [];
  let fenced = false;
  for (const line of markdown.split("\n")) {
    if (/^\s*(```|~~~)/.test(line)) fenced = !fenced;
    const match = fenced ? null : /^(#{1,4})\s+(.+?)\s*#*$/.exec(line);
    if (!match) continue;
    const text = (match[2] ?? "").replace(/[*_`]|\[([^\]]*)\]\([^)]*\)/g, "$1");
    headings.push({ id: headingId(text), text, level: match[1]?.length ?? 1 });
  }
  return headings;
}
