import createClient from "openapi-fetch";
import { type components, type paths, RememFailure } from "remem-client";

export type Schemas = components["schemas"];
export { type paths, RememFailure };

const CSRF_COOKIE = "remem_csrf";
const READS = new Set(["GET", "HEAD"]);
const signedOut = new Set<() => void>();

/** Calls the listener whenever the server says that nobody is signed in. */
export function onSignedOut(listener: () => void): () => void {
  signedOut.add(listener);
  return () => signedOut.delete(listener);
}

export function csrfToken(): string {
  const found = document.cookie.split("; ").find((pair) => pair.startsWith(`${CSRF_COOKIE}=`));
  return found ? decodeURIComponent(found.slice(CSRF_COOKIE.length + 1)) : "";
}

export const api = createClient<paths>({ baseUrl: window.location.origin });

api.use({
  onRequest({ request }) {
    if (!READS.has(request.method)) request.headers.set("X-CSRF-Token", csrfToken());
    return request;
  },
  onResponse({ response, schemaPath }) {
    if (response.status === 401 && schemaPath !== "/v3/auth/login") {
      for (const listener of signedOut) listener();
    }
  },
});

type Answer<T> = { data?: T; error?: unknown; response: Response };

/** The answer, or the refusal as an exception with the server's own words. */
export async function answerOf<T>(pending: Promise<Answer<T>>): Promise<T> {
  let answer: Answer<T>;
  try {
    answer = await pending;
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === "AbortError") throw cause;
    throw new RememFailure(
      0,
      "The server cannot be reached.",
      "unreachable",
      undefined,
      undefined,
      {
        cause,
      },
    );
  }
  const { data, error, response } = answer;
  if (!response.ok) throw failureFrom(response, error);
  return data as T;
}

export function failureFrom(response: Response, error: unknown): RememFailure {
  const problem = (error ?? {}) as {
    error?: string;
    code?: string;
    details?: unknown;
  };
  const details = {
    ...asObject(problem.details),
    requestId: response.headers.get("X-Request-Id"),
  };
  const message = plainMessage(problem) ?? `The server answered ${response.status}.`;
  return new RememFailure(response.status, message, problem.code ?? "http_error", details);
}

const FIELDS: Record<string, string> = {
  content: "text",
  as_of: "date",
  q: "search",
  query: "search",
  slug: "short name",
};

/** A refused field, as a sentence: of "file: is empty; send a file with content" the app keeps "The file is empty." */
function plainMessage(problem: { error?: string; code?: string; details?: unknown }) {
  const { field, message } = asObject(problem.details) as { field?: string; message?: string };
  if (problem.code !== "invalid" || !field || !message) return problem.error;
  const said = message.split("; ")[0] ?? message;
  const name = FIELDS[field] ?? field.replaceAll(/[._]/g, " ");
  const words = /^(is|has|are|must|cannot|contains|begins|ends|needs|names|may)\b/.test(said)
    ? `The ${name} ${said}`
    : said.slice(0, 1).toUpperCase() + said.slice(1);
  return /[.!?]$/.test(words) ? words : `${words}.`;
}

function asObject(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}

export function isStatus(error: unknown, status: number): boolean {
  return error instanceof RememFailure && error.status === status;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function requestIdOf(error: unknown): string | undefined {
  if (!(error instanceof RememFailure)) return undefined;
  return (error.details as { requestId?: string } | undefined)?.requestId ?? undefined;
}
