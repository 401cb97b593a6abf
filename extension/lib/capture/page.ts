/** The open page, as every extractor gets it. */

import { find } from "../dom";
import type { ContentType, NoticeName, TextDraft } from "../draft";

export { find, findAll } from "../dom";

export type Page = {
  document: Document;
  url: URL;
  /** Requests to the page's own origin, in the person's session. */
  fetch: typeof fetch;
};

export type Extracted = {
  title?: string;
  content: string;
  contentType: ContentType;
  url?: string;
  metadata?: Record<string, unknown>;
  notice?: NoticeName;
  /** The number of characters of a page that is too long to be read whole. */
  fullLength?: number;
};

/** What an extractor finds, or nothing when the page is not what it knows. */
export type Extract = (page: Page) => Promise<Extracted | null> | Extracted | null;

const TRACKING =
  /^(utm_\w+|fbclid|gclid|dclid|msclkid|mc_[ce]id|igshid|igsh|yclid|ref_src|_hs\w+|vero_\w+)$/i;

/** The address without parameters that only tell where the person came from. */
export function cleanAddress(url: URL): string {
  const clean = new URL(url.href);
  // As text: a script of an extension in Firefox cannot iterate over the parameters of a page's URL.
  const kept = clean.search
    .slice(1)
    .split("&")
    .filter((parameter) => !TRACKING.test(parameter.split("=")[0] ?? ""));
  clean.search = kept.join("&");
  clean.username = clean.password = "";
  // An anchor is a place on the page; an app that routes by it begins it with a slash or "!".
  if (!/^#[!/]/.test(clean.hash)) clean.hash = "";
  return clean.href;
}

/** The last part of an address, as a name for a file; one that is not encoded as it should be stays. */
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

export function toDraft(page: Page, found: Extracted): TextDraft {
  return {
    kind: "text",
    title: (found.title || titleOf(page.document) || page.url.hostname).slice(0, 500),
    content: found.content,
    contentType: found.contentType,
    url: found.url ?? cleanAddress(page.url),
    metadata: dropEmpty({ ...metadataOf(page), ...found.metadata }),
    ...(found.notice ? { notice: found.notice } : {}),
    ...(found.fullLength ? { cutFrom: found.fullLength } : {}),
  };
}

export function metadataOf({ document, url }: Page): Record<string, unknown> {
  return {
    site: url.hostname.replace(/^www\./, ""),
    canonical: canonicalOf(document, url),
    language: find(document, "html")?.getAttribute("lang") ?? undefined,
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
  const kept = ([, value]: [string, unknown]) =>
    value !== undefined && value !== null && value !== "";
  return Object.fromEntries(Object.entries(fields).filter(kept));
}
