/** Google Docs, Sheets and Slides: the page is drawn on a canvas, so the text is exported. */

import type { ContentType } from "../draft";
import { type Extract, isHost, type Page, titleOf } from "./page";

type Export = { path: string; contentType: ContentType };

export const extractGdocs: Extract = async (page) => {
  if (!isHost(page.url, "docs.google.com")) return null;
  const source = exportOf(page.url);
  if (!source) return null;
  const content = await download(page, source.path);
  // The owner forbids downloads. The page itself shows little text; a notice explains it.
  if (!content) return null;
  const title = titleOf(page.document).replace(/ - Google (Docs|Sheets|Slides)$/, "");
  return { title, content, contentType: source.contentType, url: addressOf(page.url) };
};

export function exportOf(url: URL): Export | null {
  const [, kind, id] =
    /^\/(?:a\/[^/]+\/)?(document|spreadsheets|presentation)\/(?:u\/\d+\/)?d\/([\w-]+)/.exec(
      url.pathname,
    ) ?? [];
  if (!kind || !id) return null;
  switch (kind) {
    case "document":
      return { path: `/document/d/${id}/export?format=md`, contentType: "markdown" };
    case "spreadsheets":
      return {
        path: `/spreadsheets/d/${id}/export?format=csv&gid=${sheetOf(url)}`,
        contentType: "csv",
      };
    default:
      return { path: `/presentation/d/${id}/export/txt`, contentType: "text" };
  }
}

function sheetOf(url: URL): string {
  return /gid=(\d+)/.exec(url.hash)?.[1] ?? url.searchParams.get("gid") ?? "0";
}

async function download(page: Page, path: string): Promise<string> {
  try {
    const reply = await page.fetch(new URL(path, page.url.origin), { credentials: "same-origin" });
    // An HTML page instead of the text is a sign-in form or an error.
    const isPage = /html/.test(reply.headers.get("content-type") ?? "");
    return reply.ok && !isPage ? (await reply.text()).trim() : "";
  } catch {
    return "";
  }
}

function addressOf(url: URL): string {
  return url.origin + url.pathname.replace(/\/(edit|view|preview|mobilebasic)$/, "");
}
