/** Read the bookmarks that the open page of X shows while it is scrolled. */

import type { TextDraft } from "../draft";
import type { Post } from "../messages";
import { findAll } from "./page";
import { readTweet, type Tweet, titleOfTweet, write } from "./twitter";

export const POSTS_LIMIT = 2_000;
export const BATCH = 20;

export function readBookmarks(document: Document, url: URL): Post[] {
  return findAll(document, 'article[data-testid="tweet"]')
    .map((article) => readTweet(article, url))
    .filter(({ id, handle }) => id && handle)
    .map((tweet) => ({ id: tweet.id, draft: draftOf(tweet) }));
}

function draftOf(tweet: Tweet): TextDraft {
  return {
    kind: "text",
    title: titleOfTweet(tweet),
    content: write([tweet]),
    contentType: "tweet",
    url: `https://x.com/${tweet.handle}/status/${tweet.id}`,
    metadata: {
      site: "x.com",
      author: `${tweet.name} (@${tweet.handle})`,
      published_at: tweet.time,
      status_id: tweet.id,
      bookmarked: true,
      captured_at: new Date().toISOString(),
    },
  };
}

export type Progress = { added: number; known: number };
export type Collecting = {
  read: () => Post[];
  send: (posts: Post[]) => Promise<Progress>;
  /** Scroll down; false at the end of the page. */
  scroll: () => Promise<boolean>;
  isStopped: () => boolean;
  onProgress: (progress: Progress) => void;
};

/** Collect posts until the end of the page, a batch without new posts, the limit, or "Stop". */
export async function collect({
  read,
  send,
  scroll,
  isStopped,
  onProgress,
}: Collecting): Promise<Progress> {
  const seen = new Set<string>();
  const total: Progress = { added: 0, known: 0 };
  let batch: Post[] = [];
  const flush = async () => {
    const sent = batch;
    batch = [];
    if (!sent.length) return false;
    const { added, known } = await send(sent);
    total.added += added;
    total.known += known;
    onProgress({ ...total });
    return sent.length === BATCH && added === 0;
  };
  for (let more = true; more && !isStopped(); more = await scroll()) {
    for (const post of read()) {
      if (seen.has(post.id) || seen.size >= POSTS_LIMIT) continue;
      seen.add(post.id);
      batch.push(post);
      if (batch.length === BATCH && (await flush())) return total;
    }
    if (seen.size >= POSTS_LIMIT) break;
  }
  if (!isStopped()) await flush();
  return total;
}
