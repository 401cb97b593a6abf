/** The server's address: parse what the user typed, and check that remem answers there. */

import { Failure } from "../messages";
import { t } from "../words";

const TIMEOUT_MS = 10_000;
/** Older servers lack something that the extension needs. */
const OLDEST_SERVER = "0.1.0";

/** The address of a server, or of a page of it. */
export function parseBase(typed: string): string {
  const text = typed.trim();
  const url = parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : withScheme(text));
  if (!url || !["http:", "https:"].includes(url.protocol) || url.username || url.password) {
    throw new Failure("bad_address", t("problem_address"));
  }
  return url.origin + url.pathname.replace(/\/+$/, "");
}

/** The server at an address, which may be that of one of its pages: it is at this path or at one above it. */
export async function findServer(typed: string): Promise<string> {
  const address = parseBase(typed);
  let base = address;
  for (;;) {
    try {
      await checkServer(base);
      return base;
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== "not_remem") throw error;
      if (base === new URL(base).origin) {
        throw new Failure("not_remem", t("problem_not_remem", address));
      }
      base = base.slice(0, base.lastIndexOf("/"));
    }
  }
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

/** The pattern to request permission for; undefined for this computer, which is always allowed. */
export function permissionFor(base: string): string | undefined {
  const { protocol, hostname } = new URL(base);
  const isAllowed = protocol === "http:" && (hostname === "127.0.0.1" || hostname === "localhost");
  return isAllowed ? undefined : patternFor(base);
}

/** The pattern for every page of a site; patterns have no port. */
export function patternFor(url: string): string {
  const { protocol, hostname } = new URL(url);
  return `${protocol}//${hostname}/*`;
}

/** Return the version of the server; throws a `Failure` that says what is wrong. */
export async function checkServer(base: string): Promise<string> {
  const reply = await get(`${base}/health`, base);
  const body: unknown = await reply.json().catch(() => null);
  if (!isHealth(body)) throw new Failure("not_remem", t("problem_not_remem", base));
  if (body.status === "unavailable") throw new Failure("not_ready", t("problem_not_ready", base));
  if (!body.version || compareVersions(body.version, OLDEST_SERVER) < 0) throw oldServer();
  return body.version;
}

export function oldServer(): Failure {
  return new Failure("old_server", t("problem_old_server", OLDEST_SERVER));
}

/** Negative when the first is older, positive when it is newer. */
export function compareVersions(first: string, second: string): number {
  const [left, right] = [first, second].map((version) => version.split(".").map(Number.parseFloat));
  for (let place = 0; place < 3; place += 1) {
    const difference = (left?.[place] || 0) - (right?.[place] || 0);
    if (difference) return difference;
  }
  return 0;
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

function isHealth(body: unknown): body is { status: string; version?: string } {
  return typeof body === "object" && body !== null && "status" in body && "checks" in body;
}
