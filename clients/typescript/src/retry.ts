import { RememFailure, secondsOf } from "./failure.js";

const ATTEMPTS = 4;
const FIRST_WAIT_MS = 100;
const PATIENCE_MS = 30_000;
const LIMITED_PATIENCE_MS = 600_000;

/** POST requests that can be repeated safely, because the server recognizes identical content. */
const REPEATABLE = [
  "/v3/memory",
  "/v3/recall",
  "/v3/documents/upload",
  "/v1/documents",
  "/v1/documents/list",
  "/v1/documents/upload",
  "/v1/search",
  "/api/memories",
  "/api/memories/batch-get",
];

export type Fetch = (request: Request) => Promise<Response>;

export interface Patience {
  /** How long one attempt may take. */
  timeoutMs: number;
  /**
   * How long a request is retried: if absent, 30 seconds, or ten minutes if the server limits the
   * rate of requests.
   */
  patienceMs?: number | undefined;
}

/** Sends a request, and retries it if that is safe. */
export function withRetries(send: Fetch, { timeoutMs, patienceMs }: Patience): Fetch {
  return async (request) => {
    const startedAt = Date.now();
    for (let attempt = 1; ; ) {
      const reply = await attemptOnce(send, request, timeoutMs);
      const waitMs = waitAfter(reply, request, attempt);
      // Rate limits do not count as attempts: the server says when to send the request again.
      const limited = isLimited(reply);
      const deadline = startedAt + (patienceMs ?? (limited ? LIMITED_PATIENCE_MS : PATIENCE_MS));
      const isLast = !limited && attempt === ATTEMPTS;
      if (!limited) attempt += 1;
      if (waitMs === undefined || isLast || Date.now() + waitMs > deadline) {
        if (reply instanceof RememFailure) throw reply;
        return reply;
      }
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  };
}

async function attemptOnce(send: Fetch, request: Request, timeoutMs: number) {
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]);
  try {
    return await send(new Request(request.clone(), { signal }));
  } catch (cause) {
    if (request.signal.aborted) throw cause;
    return unreachable(request, timeoutMs, signal, cause);
  }
}

function unreachable(request: Request, timeoutMs: number, signal: AbortSignal, cause: unknown) {
  if (signal.aborted) {
    const message = `remem did not answer within ${timeoutMs} ms; set a longer timeoutMs.`;
    return new RememFailure(0, message, "timeout", undefined, undefined, { cause });
  }
  const message = `No remem answers at ${new URL(request.url).origin}; start one with \`remem serve\`.`;
  return new RememFailure(0, message, "unreachable", undefined, undefined, { cause });
}

function isLimited(reply: Response | RememFailure): boolean {
  return !(reply instanceof RememFailure) && reply.status === 429 && secondsOf(reply) !== undefined;
}

/** How long to wait before the next attempt; undefined if the request must not be retried. */
function waitAfter(reply: Response | RememFailure, request: Request, attempt: number) {
  const waitMs = FIRST_WAIT_MS * 2 ** (attempt - 1);
  if (reply instanceof RememFailure) {
    return reply.code === "unreachable" && isRepeatable(request) ? waitMs : undefined;
  }
  if (reply.status === 429 || (reply.status === 503 && isRepeatable(request))) {
    const seconds = secondsOf(reply);
    return seconds === undefined ? waitMs : seconds * 1_000;
  }
  return undefined;
}

function isRepeatable(request: Request): boolean {
  const path = new URL(request.url).pathname;
  if (request.method !== "POST") return request.method === "GET";
  return REPEATABLE.some((repeatable) => path.endsWith(repeatable));
}
