/** GitHub: an issue, pull request or discussion; a README; or a file as code. */

import { extractArticle } from "./article";
import { type Extract, type Extracted, find, findAll, isHost, type Page } from "./page";

const README = "article.markdown-body";

export const extractGithub: Extract = (page) => {
  if (!isHost(page.url, "github.com")) return null;
  const [owner, repository, kind, ...rest] = page.url.pathname.split("/").filter(Boolean);
  if (!owner || !repository) return null;
  const name = `${owner}/${repository}`;
  if (kind === "blob") return readFile(page, name, rest);
  if (kind && ["issues", "pull", "discussions"].includes(kind)) return readTalk(page, name, kind);
  return kind === undefined || kind === "tree" ? readReadme(page, name) : null;
};

function readTalk(page: Page, repository: string, kind: string): Extracted | null {
  const article =
    extractArticle(page) ?? extractArticle(page, { contentSelector: ".markdown-body" });
  return (
    article &&
    withMetadata(article, { repository, github: kind === "pull" ? "pull request" : kind })
  );
}

function readReadme(page: Page, repository: string): Extracted | null {
  if (!find(page.document, README)) return null;
  const article = extractArticle(page, { contentSelector: README });
  const title = `${repository}: README`;
  return article && { ...withMetadata(article, { repository, github: "readme" }), title };
}

function withMetadata(article: Extracted, metadata: Record<string, unknown>): Extracted {
  return { ...article, metadata: { ...article.metadata, ...metadata } };
}

async function readFile(page: Page, repository: string, rest: string[]): Promise<Extracted | null> {
  const [ref, ...path] = rest.map(decodeURIComponent);
  const file = path.join("/");
  // A README or another text that is rendered as a page is read as an article.
  if (/\.(md|markdown)$/i.test(file) && find(page.document, README)) {
    const article = extractArticle(page, { contentSelector: README });
    if (article)
      return {
        ...withMetadata(article, { repository, ref, path: file }),
        title: `${repository}: ${file}`,
      };
  }
  const code = fromEmbedded(page.document) ?? fromLines(page.document) ?? (await fromRaw(page));
  if (!code) return null;
  const metadata = { repository, ref, path: file, filename: path.at(-1), github: "file" };
  return { title: `${repository}: ${file}`, content: code, contentType: "code", metadata };
}

/** The file's lines from the JSON that the page embeds for its own scripts. */
function fromEmbedded(document: Document): string | null {
  for (const script of findAll(
    document,
    'script[type="application/json"][data-target$="embeddedData"]',
  )) {
    try {
      const lines: unknown = JSON.parse(script.textContent ?? "")?.payload?.blob?.rawLines;
      if (Array.isArray(lines) && lines.every((line) => typeof line === "string"))
        return lines.join("\n");
    } catch {
      // Not the script with the file.
    }
  }
  return null;
}

function fromLines(document: Document): string | null {
  const area = find<HTMLTextAreaElement>(document, "textarea#read-only-cursor-text-area");
  if (area?.textContent) return area.textContent;
  const lines = findAll(document, ".blob-code-inner, .react-code-line-contents");
  return lines.length ? lines.map((line) => line.textContent ?? "").join("\n") : null;
}

async function fromRaw(page: Page): Promise<string | null> {
  const url = new URL(page.url.pathname.replace("/blob/", "/raw/"), page.url.origin);
  try {
    const reply = await page.fetch(url, { credentials: "same-origin" });
    const isText = /text|json|xml|javascript/.test(reply.headers.get("content-type") ?? "");
    return reply.ok && isText ? await reply.text() : null;
  } catch {
    return null;
  }
}
