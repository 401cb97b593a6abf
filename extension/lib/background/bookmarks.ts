/** Save the bookmarks that the open page of X shows. */

import { browser } from "wxt/browser";
import type { BatchResult, Post } from "../messages";
import { sendNewPosts } from "../server/bookmarks";
import { rememberOpened } from "./sites";

const BATCH_LIMIT = 20;

export async function startBookmarks(tab: number): Promise<void> {
  const { url } = await browser.tabs.get(tab);
  if (url) await rememberOpened(tab, url);
  await browser.scripting.executeScript({ target: { tabId: tab }, files: ["/bookmarks.js"] });
}

export function saveBookmarks(posts: Post[]): Promise<BatchResult> {
  return sendNewPosts(posts.slice(0, BATCH_LIMIT));
}
