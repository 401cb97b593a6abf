/** YouTube: title, channel, description, and the transcript with times if there is one. */

import { extractArticle, extractArticleAsync } from "./article";
import { type Extract, type Extracted, find, findAll, isHost, type Page } from "./page";
import { textOf } from "./text";

const TIMEOUT_MS = 8_000;
const SEGMENT = "ytd-transcript-segment-renderer, transcript-segment-view-model";

export const extractYoutube: Extract = async (page) => {
  if (!isHost(page.url, "youtube.com", "youtu.be") || !videoId(page.url)) return null;
  const article = await readArticle(page);
  const shown = shownTranscript(page.document);
  const text = article?.content ?? "";
  const isIncluded = hasTranscript(text);
  // Lines of the panel that were read as the article have no times.
  const kept = !isIncluded && includesLines(text, shown) ? "" : text;
  const about = unlessIncluded(description(page.document), kept);
  const transcript = isIncluded || !shown ? "" : `## Transcript\n\n${shown}`;
  const parts = isIncluded ? [about, kept] : [kept, about, transcript];
  const content = parts.filter(Boolean).join("\n\n");
  if (!content) return null;
  return {
    ...article,
    title: videoTitle(page.document) || article?.title,
    content,
    contentType: "html",
    url: `https://www.youtube.com/watch?v=${videoId(page.url)}`,
    metadata: {
      ...article?.metadata,
      site: "youtube.com",
      video_id: videoId(page.url),
      author: channel(page.document) || article?.metadata?.author,
      transcript: isIncluded || Boolean(shown),
    },
    ...(isIncluded || shown ? {} : { notice: "no_transcript" as const }),
  };
};

async function readArticle(page: Page): Promise<Extracted | null> {
  const timeout = new Promise<null>((resolve) => setTimeout(resolve, TIMEOUT_MS, null));
  try {
    return (await Promise.race([extractArticleAsync(page), timeout])) ?? extractArticle(page);
  } catch {
    return null;
  }
}

/** Whether the article has a transcript of its own, which the library read or fetched. */
function hasTranscript(article: string): boolean {
  return /^#+ Transcript$[\s\S]*?^\*\*\d{1,2}(?::\d{2}){1,2}\*\*/m.test(article);
}

/** Whether the article has most lines of the panel, as the page shows them. */
function includesLines(article: string, transcript: string): boolean {
  const words = (text: string) => text.replace(/\*\*[\d:]+\*\*|[^\p{L}\p{N}]/gu, "").toLowerCase();
  const lines = transcript.split("\n\n").map(words).filter(Boolean);
  const known = words(article);
  return lines.length > 0 && lines.filter((line) => known.includes(line)).length * 2 > lines.length;
}

/** The text of the panel "Transcript", if the user has opened it. */
function shownTranscript(document: Document): string {
  return findAll(document, SEGMENT)
    .map((segment) => textOf(segment).replace(/\s+/g, " "))
    .map((line) => line.replace(/^(\d{1,2}(?::\d{2}){1,2})\s*/, "**$1** "))
    .join("\n\n");
}

function videoId(url: URL): string {
  if (isHost(url, "youtu.be")) return url.pathname.slice(1);
  return url.searchParams.get("v") ?? /^\/(?:shorts|live)\/([\w-]+)/.exec(url.pathname)?.[1] ?? "";
}

function videoTitle(document: Document): string {
  const heading = find(document, "h1.ytd-watch-metadata, ytd-watch-metadata h1, h1.title");
  return (heading?.textContent ?? "").replace(/\s+/g, " ").trim();
}

function channel(document: Document): string {
  const link = find(
    document,
    "ytd-channel-name a, #owner #channel-name a, [itemprop=author] [itemprop=name]",
  );
  return (link?.textContent || link?.getAttribute("content") || "").replace(/\s+/g, " ").trim();
}

/** The description, or "" if the article already includes it. */
function unlessIncluded(about: string, article: string): string {
  const start = about.slice(0, 40).replace(/\s+/g, " ");
  return article.replace(/\s+/g, " ").includes(start) ? "" : about;
}

function description(document: Document): string {
  const shown = find(
    document,
    "#description-inline-expander, ytd-text-inline-expander, #description",
  );
  return shown
    ? textOf(shown)
    : (find(document, "meta[name=description]")?.getAttribute("content") ?? "");
}
