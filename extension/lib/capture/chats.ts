/** Conversations with assistants: the turns, without what we inserted ourselves. */

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

/** An article with less than this part of what is shown has lost turns: it took one for the text. */
const LEAST_SHARE = 0.6;

export const extractChat: Extract = (page) => {
  if (!isHost(page.url, ...HOSTS)) return null;
  const found = extractArticle(page);
  const shown = conversation(page);
  const isWhole = found && found.content.length >= shown.length * LEAST_SHARE;
  const text = { ...found, content: shown, contentType: "text" as const };
  const chosen = isWhole ? found : text;
  return { ...chosen, metadata: { ...found?.metadata, conversation: true } };
};

function conversation({ document }: Page): string {
  const main = find<HTMLElement>(document, "main") ?? find<HTMLElement>(document, "body");
  return main ? shownText(main).trim() : "";
}
