/** Conversations with assistants: the turns, without what the extension inserted. */

import { shownText } from "../dom";
import { extractArticle } from "./article";
import { type Extract, find, isHost, type Page } from "./page";

const HOSTS = [
  "chatgpt.com",
  "chat.openai.com",
  "claude.ai",
  "gemini.google.com",
  "grok.com",
  "perplexity.ai",
];

/** An article with less than this share of the visible text has lost turns. */
const MIN_SHARE = 0.6;

export const extractChat: Extract = (page) => {
  if (!isHost(page.url, ...HOSTS)) return null;
  const article = extractArticle(page);
  const visibleText = conversationText(page);
  const isComplete = article && article.content.length >= visibleText.length * MIN_SHARE;
  const text = { ...article, content: visibleText, contentType: "text" as const };
  // The turns of "You" in a chat are the user's, which those of a page are not.
  const chosen = isComplete ? { ...article, contentType: "markdown" as const } : text;
  return { ...chosen, metadata: { ...article?.metadata, conversation: true } };
};

function conversationText({ document }: Page): string {
  const main = find<HTMLElement>(document, "main") ?? find<HTMLElement>(document, "body");
  return main ? shownText(main).trim() : "";
}
