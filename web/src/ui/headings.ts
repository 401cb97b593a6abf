export type Heading = { id: string; text: string; level: number };

export function headingId(text: string): string {
  return `h-${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "")}`;
}

/** The contents list of a markdown text; lines inside code fences are no headings. */
export function headingsOf(markdown: string): Heading[] {
  const headings: Heading[] = [];
  let fenced = false;
  for (const line of markdown.split("\n")) {
    if (/^\s*(```|~~~)/.test(line)) fenced = !fenced;
    const found = fenced ? null : /^(#{1,4})\s+(.+?)\s*#*$/.exec(line);
    if (!found) continue;
    const text = (found[2] ?? "").replace(/[*_`]|\[([^\]]*)\]\([^)]*\)/g, "$1");
    headings.push({ id: headingId(text), text, level: found[1]?.length ?? 1 });
  }
  return headings;
}
