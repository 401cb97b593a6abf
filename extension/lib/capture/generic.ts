/** Any page: its article, else the text that is shown. */

import { shownText } from "../dom";
import { extractArticle } from "./article";
import { copyPage } from "./copy";
import { type Extracted, find, type Page } from "./page";
import { textOf } from "./text";

const LEAST_CHARACTERS = 20;

export function extractGeneric(page: Page): Extracted {
  const article = extracted(page);
  return article && article.content.length >= LEAST_CHARACTERS ? article : bodyText(page, article);
}

/** A hostile or broken page must not prevent saving its text. */
function extracted(page: Page): Extracted | null {
  try {
    return extractArticle(page);
  } catch {
    return null;
  }
}

function bodyText(page: Page, article: Extracted | null): Extracted {
  const body = find<HTMLElement>(page.document, "body");
  const shown = body ? shownText(body).trim() || unseenText(page) : "";
  const content = shown.length > (article?.content.length ?? 0) ? shown : (article?.content ?? "");
  return { ...article, content, contentType: content === shown ? "text" : "markdown" };
}

function unseenText({ document }: Page): string {
  const body = find(copyPage(document).document, "body");
  return body ? textOf(body) : "";
}
