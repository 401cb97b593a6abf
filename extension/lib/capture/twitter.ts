/** X: the open post with its author, media, quoted post, thread, and what it replies to. */

import { type Extract, find, findAll, isHost, type Page } from "./page";
import { textOf } from "./text";

export type Media = { alt: string; url: string };
export type Tweet = {
  id: string;
  name: string;
  handle: string;
  time: string;
  text: string;
  media: Media[];
  quoted?: { name: string; handle: string; text: string };
};

const TWEET = 'article[data-testid="tweet"]';
const TEXT = '[data-testid="tweetText"]';
const NAME = '[data-testid="User-Name"]';

export const extractTwitter: Extract = (page) => {
  if (!isHost(page.url, "x.com", "twitter.com")) return null;
  const articles = findAll(page.document, TWEET);
  const openId = /\/status\/(\d+)/.exec(page.url.pathname)?.[1];
  if (!articles.length || !openId) return null;
  const place = openArticle(articles, openId);
  const tweets = articles.map((article) => readTweet(article, page.url));
  const open = tweets[place];
  if (!open) return null;
  const thread = sameAuthorAfter(tweets, place);
  const parents = tweets.slice(0, place);
  return {
    title: titleOfTweet(open),
    content: [write([open, ...thread]), writeParents(parents)].filter(Boolean).join("\n\n---\n\n"),
    contentType: "tweet",
    url: addressOf(open, page),
    metadata: {
      site: "x.com",
      author: `${open.name} (@${open.handle})`,
      published_at: open.time,
      status_id: open.id || openId,
      thread_length: thread.length + 1,
      media: open.media.map(({ url }) => url),
    },
  };
};

/** The index of the open post. Posts that it replies to are above it; the open one has tabindex -1. */
function openArticle(articles: Element[], openId: string): number {
  const marked = articles.findIndex((article) => article.getAttribute("tabindex") === "-1");
  if (marked >= 0) return marked;
  const linked = articles.findIndex((article) => find(article, `a[href*="/status/${openId}"]`));
  return Math.max(linked, 0);
}

export function readTweet(article: Element, base: URL): Tweet {
  const names = findAll(article, NAME);
  const texts = findAll(article, TEXT);
  const { name, handle } = readAuthor(names[0]);
  const time = find(article, "time[datetime]");
  const quoted = names[1]
    ? { ...readAuthor(names[1]), text: quotedText(texts, names[1]) }
    : undefined;
  const own = texts.find((text) => !names[1] || precedes(text, names[1]));
  return {
    id: statusId(time?.closest("a")?.getAttribute("href") ?? ""),
    name,
    handle,
    time: time?.getAttribute("datetime") ?? "",
    text: own ? textOf(own) : "",
    media: readMedia(article, base),
    ...(quoted ? { quoted } : {}),
  };
}

function quotedText(texts: Element[], author: Element): string {
  const text = texts.find((candidate) => precedes(author, candidate));
  return text ? textOf(text) : "";
}

function precedes(first: Node, second: Node): boolean {
  return Boolean(first.compareDocumentPosition(second) & Node.DOCUMENT_POSITION_FOLLOWING);
}

function readAuthor(element: Element | undefined): { name: string; handle: string } {
  const text = element ? textOf(element).replace(/\s+/g, " ") : "";
  const handle = /@(\w{1,15})/.exec(text)?.[1] ?? "";
  const name = (handle ? (text.split(`@${handle}`)[0] ?? "") : text).trim();
  return { name: name || handle, handle };
}

function readMedia(article: Element, base: URL): Media[] {
  const pictures = findAll(article, '[data-testid="tweetPhoto"] img').map((picture) => ({
    alt: picture.getAttribute("alt") ?? "",
    url: webAddress(picture.getAttribute("src"), base),
  }));
  const videos = findAll(article, "video").map((video) => ({
    alt: video.getAttribute("aria-label") ?? "video",
    url: webAddress(video.getAttribute("poster"), base),
  }));
  return [...pictures, ...videos].filter(({ url }) => url);
}

/** Only http and https addresses; a page could contain `javascript:`. */
function webAddress(address: string | null, base: URL): string {
  try {
    const url = new URL(address ?? "", base);
    return address && ["http:", "https:"].includes(url.protocol) ? url.href : "";
  } catch {
    return "";
  }
}

function statusId(href: string): string {
  return /\/status\/(\d+)/.exec(href)?.[1] ?? "";
}

function sameAuthorAfter(tweets: Tweet[], place: number): Tweet[] {
  const handle = tweets[place]?.handle;
  const after = tweets.slice(place + 1);
  const end = after.findIndex((tweet) => tweet.handle !== handle);
  return end < 0 ? after : after.slice(0, end);
}

export function titleOfTweet({ name, text }: Tweet): string {
  const line = text.replace(/\s+/g, " ").trim();
  return `${name}: ${line.length > 80 ? `${line.slice(0, 80).trimEnd()}…` : line}`;
}

function addressOf(tweet: Tweet, page: Page): string {
  return tweet.id && tweet.handle
    ? `https://x.com/${tweet.handle}/status/${tweet.id}`
    : page.url.href.replace(/[?#].*$/, "");
}

export function write(tweets: Tweet[]): string {
  return tweets.map(writeTweet).join("\n\n");
}

function writeTweet({ name, handle, time, text, media, quoted }: Tweet): string {
  const head = `**${name} (@${handle})**${time ? ` · ${time}` : ""}`;
  const pictures = media
    .map(({ alt, url }) => `![${alt.replace(/[[\]]/g, "")}](${url})`)
    .join("\n");
  const quote = quoted && `> **${quoted.name} (@${quoted.handle})**\n${quoteLines(quoted.text)}`;
  return [head, text, quote, pictures].filter(Boolean).join("\n\n");
}

function writeParents(parents: Tweet[]): string {
  if (!parents.length) return "";
  const quotes = parents.map(
    ({ name, handle, text }) => `> **${name} (@${handle})**\n${quoteLines(text)}`,
  );
  return `In reply to:\n\n${quotes.join("\n>\n")}`;
}

function quoteLines(text: string): string {
  return text.replace(/^/gm, "> ");
}
