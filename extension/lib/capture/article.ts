/** The main text of a page as markdown, by defuddle. */

import Defuddle from "defuddle/full";
import { copyPage } from "./copy";
import type { Extracted, Page } from "./page";

type Options = { contentSelector?: string };

/** Asks no server: with `useAsync` the library would ask others about the address. */
export function extractArticle(page: Page, options: Options = {}): Extracted | null {
  const settings = { url: page.url.href, markdown: true, useAsync: false, ...options };
  const { document, fullLength } = copyPage(page.document);
  return read(reader(page, document, settings).parse(), fullLength);
}

/** May ask the page's own origin, for a transcript say, and nobody else. */
export async function extractArticleAsync(page: Page): Promise<Extracted | null> {
  const settings = { url: page.url.href, markdown: true, useAsync: true, fetch: ownOrigin(page) };
  const { document, fullLength } = copyPage(page.document);
  return read(await reader(page, document, settings).parseAsync(), fullLength);
}

/** Rules for narrow screens, by which defuddle finds what is no text: only a page that is shown has
 * them all. The property is not public; the version is pinned, and a test looks for its effect. */
type Rule = { selector: string; styles: string };
type Measured = {
  defuddle: { _mobileStyles?: Rule[]; _evaluateMediaQueries(shown: Document): Rule[] };
};
/** Each rule is looked for in the whole copy. */
const RULES = 500;

function reader(page: Page, copy: Document, settings: object): Defuddle {
  const made = new Defuddle(copy, settings);
  const { defuddle } = made as unknown as Measured;
  defuddle._mobileStyles = defuddle
    ._evaluateMediaQueries(page.document)
    .filter(({ styles }) => /display|visibility|opacity/.test(styles))
    .slice(0, RULES);
  return made;
}

function read(found: ReturnType<Defuddle["parse"]>, fullLength?: number): Extracted | null {
  const content = (found.content ?? "").trim();
  if (!content) return null;
  return {
    title: found.title,
    content,
    contentType: "markdown",
    ...(fullLength ? { fullLength } : {}),
    metadata: {
      author: found.author,
      published: found.published,
      description: found.description?.slice(0, 1_000),
      site: found.site || undefined,
      words: found.wordCount || undefined,
    },
  };
}

function ownOrigin(page: Page): typeof fetch {
  return (input, init) => {
    const url = new URL(input instanceof Request ? input.url : String(input), page.url);
    if (url.origin !== page.url.origin) return Promise.reject(new TypeError("Another origin."));
    return page.fetch(input, init);
  };
}
