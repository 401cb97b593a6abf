/** Save bookmarked posts, each once. */

import { type BatchResult, Failure, type Post } from "../messages";
import type { Entry } from "../queue";
import { sendEntry } from "./calls";

export async function sendNewPosts(posts: Post[]): Promise<BatchResult> {
  const result: BatchResult = { added: 0, known: 0 };
  for (const { id, draft } of posts) {
    const choices = { tags: ["x-bookmark"] };
    const entry: Entry = { id, draft, choices, bytes: 0, created: Date.now(), state: "waiting" };
    const outcome = await sendEntry(entry);
    if (outcome.type !== "saved") throw new Failure(outcome.type, outcome.problem);
    result[outcome.status === "existing" ? "known" : "added"] += 1;
  }
  return result;
}
