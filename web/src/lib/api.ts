import createClient from "openapi-fetch";
import { type components, type paths, RememFailure } from "remem-client";
import { t } from "~/lib/language";
import { SERVER } from "./base";

export type Schemas = components["schemas"];
export { type paths, RememFailure };

const CSRF_COOKIE = "remem_csrf";
const READS = new Set(["GET", "HEAD"]);
const signedOut = new Set<() => void>();

/** Calls the listener whenever a request fails because the user is signed out. */
export function onSignedOut(listener: () => void): () => void {
  signedOut.add(listener);
  return () => signedOut.delete(listener);
}

export function csrfToken(): string {
  const cookie = document.cookie.split("; ").find((pair) => pair.startsWith(`${CSRF_COOKIE}=`));
  return cookie ? decodeURIComponent(cookie.slice(CSRF_COOKIE.length + 1)) : "";
}

export const api = createClient<paths>({ baseUrl: SERVER });

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

export const UNREACHABLE = t(
  "The server cannot be reached. Check your connection, and that remem is running.",
);

type Answer<T> = { data?: T; error?: unknown; response: Response };

/** The data of a reply. Throws `RememFailure` with the server's message if the request failed. */
export async function answerOf<T>(pending: Promise<Answer<T>>): Promise<T> {
  let answer: Answer<T>;
  try {
    answer = await pending;
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === "AbortError") throw cause;
    throw new RememFailure(0, UNREACHABLE, "unreachable", undefined, undefined, {
      cause,
    });
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
  const message =
    plainMessage(problem) ?? t("The server answered {status}.", { status: response.status });
  return new RememFailure(response.status, message, problem.code ?? "http_error", details);
}

const FIELDS: Record<string, string> = {
  content: "text",
  as_of: "date",
  q: "search",
  query: "search",
  slug: "short name",
};

/** Turns the error of a field into a sentence: "file: is empty; send …" becomes "The file is empty." */
function plainMessage(problem: { error?: string; code?: string; details?: unknown }) {
  const { field, message } = asObject(problem.details) as { field?: string; message?: string };
  if (problem.code !== "invalid" || !field || !message) return problem.error;
  const problemText = message.split("; ")[0] ?? message;
  const name = FIELDS[field] ?? field.replaceAll(/[._]/g, " ");
  const startsWithVerb = /^(is|has|are|must|cannot|contains|begins|ends|needs|names|may)\b/.test(
    problemText,
  );
  const sentence = startsWithVerb
    ? `The ${name} ${problemText}`
    : problemText.slice(0, 1).toUpperCase() + problemText.slice(1);
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
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
