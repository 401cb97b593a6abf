/** The open page, as it is passed to every extractor. */

import { find } from "../dom";
import type { ContentType, NoticeName, TextDraft } from "../draft";

export { find, findAll } from "../dom";

export type Page = {
  document: Document;
  url: URL;
  /** For requests to the page's own origin, with the user's cookies. */
  fetch: typeof fetch;
};

export type Extracted = {
  title?: string;
  content: string;
  contentType: ContentType;
  url?: string;
  metadata?: Record<string, unknown>;
  notice?: NoticeName;
  /** The number of characters of a page that is too long to read completely. */
  fullLength?: number;
};

/** Extracts a page; null if the extractor does not know this kind of page. */
export type Extract = (page: Page) => Promise<Extracted | null> | Extracted | null;

const TRACKING =
  /^(utm_\w+|fbclid|gclid|dclid|msclkid|mc_[ce]id|igshid|igsh|yclid|ref_src|_hs\w+|vero_\w+)$/i;

/** The address without tracking parameters. */
export function cleanAddress(url: URL): string {
  const clean = new URL(url.href);
  // Parsed as text, because content scripts in Firefox cannot iterate over the parameters of a page's URL.
  const parameters = clean.search
    .slice(1)
    .split("&")
    .filter((parameter) => !TRACKING.test(parameter.split("=")[0] ?? ""));
  clean.search = parameters.join("&");
  clean.username = clean.password = "";
  // Drop anchors, except routes of single-page apps, which start with "/" or "!".
  if (!/^#[!/]/.test(clean.hash)) clean.hash = "";
  return clean.href;
}

/** The last part of the path as a file name; kept as it is if its encoding is invalid. */
export function fileNameOf({ pathname, hostname }: URL): string {
  const last = pathname.split("/").pop() ?? "";
  try {
    return decodeURIComponent(last) || hostname;
  } catch {
    return last;
  }
}

export function isHost(url: URL, ...names: string[]): boolean {
  return names.some((name) => url.hostname === name || url.hostname.endsWith(`.${name}`));
}

export function titleOf(document: Document): string {
  return (find(document, "title")?.textContent ?? "").replace(/\s+/g, " ").trim();
}

export function toDraft(page: Page, extracted: Extracted): TextDraft {
  return {
    kind: "text",
    title: (extracted.title || titleOf(page.document) || page.url.hostname).slice(0, 500),
    content: extracted.content,
    contentType: extracted.contentType,
    url: extracted.url ?? cleanAddress(page.url),
    metadata: dropEmpty({ ...metadataOf(page), ...extracted.metadata }),
    ...(extracted.notice ? { notice: extracted.notice } : {}),
    ...(extracted.fullLength ? { cutFrom: extracted.fullLength } : {}),
  };
}

export function metadataOf({ document, url }: Page): Record<string, unknown> {
  return {
    site: url.hostname.replace(/^www\./, ""),
    canonical: canonicalOf(document, url),
    language: find(document, "html")?.getAttribute("lang")?.split(/[-_]/)[0]?.toLowerCase(),
    captured_at: new Date().toISOString(),
  };
}

function canonicalOf(document: Document, url: URL): string | undefined {
  const href = find(document, 'link[rel="canonical"]')?.getAttribute("href");
  if (!href) return undefined;
  try {
    const canonical = new URL(href, url);
    return ["http:", "https:"].includes(canonical.protocol) ? canonical.href : undefined;
  } catch {
    return undefined;
  }
}

function dropEmpty(fields: Record<string, unknown>): Record<string, unknown> {
  const hasValue = ([, value]: [string, unknown]) =>
    value !== undefined && value !== null && value !== "";
  return Object.fromEntries(Object.entries(fields).filter(hasValue));
}
