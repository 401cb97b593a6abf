/** Any page: its article, else its visible text. */

import { shownText } from "../dom";
import { extractArticle } from "./article";
import { copyPage } from "./copy";
import { type Extracted, find, type Page } from "./page";
import { textOf } from "./text";

const MIN_CHARACTERS = 20;

export function extractGeneric(page: Page): Extracted {
  const article = tryArticle(page);
  return article && article.content.length >= MIN_CHARACTERS ? article : bodyText(page, article);
}

/** The article, or null if the page breaks the parser: its text can still be saved. */
function tryArticle(page: Page): Extracted | null {
  try {
    return extractArticle(page);
  } catch {
    return null;
  }
}

function bodyText(page: Page, article: Extracted | null): Extracted {
  const body = find<HTMLElement>(page.document, "body");
  const shown = body ? shownText(body).trim() || hiddenText(page) : "";
  const content = shown.length > (article?.content.length ?? 0) ? shown : (article?.content ?? "");
  return { ...article, content, contentType: "html" };
}

function hiddenText({ document }: Page): string {
  const body = find(copyPage(document).document, "body");
  return body ? textOf(body) : "";
}
