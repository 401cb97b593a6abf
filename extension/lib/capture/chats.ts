/** Conversations with assistants: the turns, without what we inserted ourselves. */

import { extractArticle } from "./article";
import { type Extract, isHost } from "./page";

const HOSTS = [
  "chatgpt.com",
  "chat.openai.com",
  "claude.ai",
  "gemini.google.com",
  "grok.com",
  "perplexity.ai",
];

export const extractChat: Extract = (page) => {
  if (!isHost(page.url, ...HOSTS)) return null;
  const found = extractArticle(page);
  return found && { ...found, metadata: { ...found.metadata, conversation: true } };
};
