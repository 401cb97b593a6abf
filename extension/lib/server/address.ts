/** The server's address: as the person typed it, and whether remem answers there. */

import { Failure } from "../messages";
import { t } from "../words";

const TIMEOUT_MS = 10_000;

/** The origin of an address; what is after the host is dropped. */
export function parseBase(typed: string): string {
  const text = typed.trim();
  const url = parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : withScheme(text));
  if (!url || !["http:", "https:"].includes(url.protocol) || url.username || url.password) {
    throw new Failure("bad_address", t("problem_address"));
  }
  return url.origin;
}

function withScheme(text: string): string {
  const host = text.split(/[/:]/)[0] ?? "";
  return `${isLoopback(host) ? "http" : "https"}://${text}`;
}

function parse(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host);
}

/** The pattern to ask a permission for, or nothing when it is this machine. */
export function permissionFor(base: string): string | undefined {
  const { protocol, hostname } = new URL(base);
  const given = protocol === "http:" && (hostname === "127.0.0.1" || hostname === "localhost");
  return given ? undefined : `${protocol}//${hostname}/*`;
}

/** Throws a sentence that says which of the usual things is wrong. */
export async function checkServer(base: string): Promise<void> {
  const reply = await get(`${base}/health`, base);
  const body: unknown = await reply.json().catch(() => null);
  if (!isHealth(body)) throw new Failure("not_remem", t("problem_not_remem", base));
  if (body.status !== "ok") throw new Failure("not_ready", t("problem_not_ready", base));
}

async function get(url: string, base: string): Promise<Response> {
  try {
    return await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), credentials: "omit" });
  } catch {
    const { protocol, hostname } = new URL(base);
    if (protocol === "http:" && !isLoopback(hostname)) {
      throw new Failure("needs_https", t("problem_needs_https", base));
    }
    throw new Failure("unreachable", t("problem_unreachable", base));
  }
}

function isHealth(body: unknown): body is { status: string } {
  return typeof body === "object" && body !== null && "status" in body && "checks" in body;
}
