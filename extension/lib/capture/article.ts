/** Extract the main text of a page as Markdown, with defuddle. */

import Defuddle from "defuddle/full";
import { copyPage } from "./copy";
import type { Extracted, Page } from "./page";

type Options = { contentSelector?: string };

/** Sends no requests: with `useAsync` the library would send the address to other servers. */
export function extractArticle(page: Page, options: Options = {}): Extracted | null {
  const settings = { url: page.url.href, markdown: true, useAsync: false, ...options };
  const { document, fullLength } = copyPage(page.document);
  return toExtracted(createParser(page, document, settings).parse(), fullLength);
}

/** Sends requests only to the page's own origin, for example for a transcript. */
export async function extractArticleAsync(page: Page): Promise<Extracted | null> {
  const settings = { url: page.url.href, markdown: true, useAsync: true, fetch: ownOrigin(page) };
  const { document, fullLength } = copyPage(page.document);
  return toExtracted(await createParser(page, document, settings).parseAsync(), fullLength);
}

/** Style rules for narrow screens, which defuddle uses to find what is not content. Only the visible page
 * has all of them, not the copy. The property is not public; the version is pinned and a test checks the effect. */
type Rule = { selector: string; styles: string };
type Internals = {
  defuddle: { _mobileStyles?: Rule[]; _evaluateMediaQueries(page: Document): Rule[] };
};
/** Each rule is matched against the whole copy. */
const RULES_LIMIT = 500;

function createParser(page: Page, copy: Document, settings: object): Defuddle {
  const parser = new Defuddle(copy, settings);
  const { defuddle } = parser as unknown as Internals;
  defuddle._mobileStyles = defuddle
    ._evaluateMediaQueries(page.document)
    .filter(({ styles }) => /display|visibility|opacity/.test(styles))
    .slice(0, RULES_LIMIT);
  return parser;
}

function toExtracted(
  article: ReturnType<Defuddle["parse"]>,
  fullLength?: number,
): Extracted | null {
  const content = (article.content ?? "").trim();
  if (!content) return null;
  return {
    title: article.title,
    content,
    contentType: "html",
    ...(fullLength ? { fullLength } : {}),
    metadata: {
      author: article.author?.replace(/^(?:(?:written|posted) )?by:?\s+/i, ""),
      published_at: isoDate(article.published),
      description: article.description?.slice(0, 1_000),
      site: article.site || undefined,
      words: article.wordCount || undefined,
    },
  };
}

/** The date as the server writes dates; undefined if it is in other words. */
function isoDate(published?: string): string | undefined {
  if (!published || /^\d{4}-\d\d-\d\d/.test(published)) return published || undefined;
  const time = /\b\d{4}\b/.test(published) ? new Date(published) : new Date(Number.NaN);
  if (Number.isNaN(time.getTime())) return undefined;
  const digits = (part: number) => String(part).padStart(2, "0");
  return `${time.getFullYear()}-${digits(time.getMonth() + 1)}-${digits(time.getDate())}`;
}

function ownOrigin(page: Page): typeof fetch {
  return (input, init) => {
    const url = new URL(input instanceof Request ? input.url : String(input), page.url);
    if (url.origin !== page.url.origin) return Promise.reject(new TypeError("Another origin."));
    return page.fetch(input, init);
  };
}
