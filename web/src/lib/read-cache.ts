import type { Middleware } from "openapi-fetch";

/**
 * What was read stays readable without a connection: replies of the API are kept in this browser,
 * separately for each person, until that person signs out or another one signs in.
 */
const PREFIX = "remem-read/";
const READER = "remem.reader";
const KEPT_REPLIES = 400;
const LARGEST_BYTES = 2_000_000;
/** Marks a reply that was kept. */
export const KEPT_HEADER = "X-Remem-Kept";

/** Whose replies are kept; after a reload, of whoever was signed in last. */
let reader = localStorage.getItem(READER) ?? "";

/** Keeps the replies of this person from now on, and removes those of all others. */
export async function keepRepliesOf(person: string): Promise<void> {
  if (reader !== person) {
    reader = person;
    localStorage.setItem(READER, person);
  }
  for (const name of await names()) if (name !== PREFIX + person) await caches.delete(name);
  await dropOldest();
}

/** Removes what anybody has read; nothing is kept until somebody signs in. */
export async function forgetReplies(): Promise<void> {
  reader = "";
  localStorage.removeItem(READER);
  for (const name of await names()) await caches.delete(name);
}

/** Keeps replies, and answers from them when the server cannot be reached. */
export const readCache: Middleware = {
  onResponse({ request, response, schemaPath }) {
    if (isKept(request, schemaPath) && isReadable(response)) {
      void keep(reader, request.url, response.clone()).catch(() => {});
    }
    return undefined;
  },
  async onError({ request, schemaPath, error }) {
    if (!isKept(request, schemaPath) || isAborted(error)) return undefined;
    const kept = await (await open(reader))?.match(request.url, { ignoreVary: true });
    if (!kept) return undefined;
    const headers = new Headers(kept.headers);
    headers.set(KEPT_HEADER, "1");
    return new Response(kept.body, { status: kept.status, headers });
  },
};

function isKept(request: Request, schemaPath: string): boolean {
  return request.method === "GET" && reader !== "" && !schemaPath.startsWith("/v3/auth/");
}

function isReadable(response: Response): boolean {
  const type = response.headers.get("Content-Type") ?? "";
  return response.status === 200 && type.startsWith("application/json") && !wasKept(response);
}

function wasKept(response: Response): boolean {
  return response.headers.has(KEPT_HEADER);
}

function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

async function keep(person: string, url: string, response: Response): Promise<void> {
  const body = await response.blob();
  // Meanwhile they may have signed out.
  if (body.size > LARGEST_BYTES || person !== reader) return;
  const headers = { "Content-Type": response.headers.get("Content-Type") ?? "" };
  await (await open(person))?.put(url, new Response(body, { headers }));
}

/** Browsers have this storage only for pages of HTTPS or of this machine. */
async function open(person: string): Promise<Cache | undefined> {
  if (!("caches" in window) || !person) return undefined;
  return caches.open(PREFIX + person);
}

async function names(): Promise<string[]> {
  if (!("caches" in window)) return [];
  return (await caches.keys()).filter((name) => name.startsWith(PREFIX));
}

/** A reply that is read again is put last. */
async function dropOldest(): Promise<void> {
  const cache = await open(reader);
  const kept = (await cache?.keys()) ?? [];
  for (const request of kept.slice(0, -KEPT_REPLIES)) await cache?.delete(request);
}
