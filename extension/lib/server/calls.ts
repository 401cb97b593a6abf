/** Requests to the server, with the current token. */

import { createRemem, type Remem, RememFailure } from "remem-client";
import type { Choices, Draft } from "../draft";
import { Failure, type Hit, type Project } from "../messages";
import type { Entry, Outcome } from "../queue";
import { changeSettings, readSettings } from "../settings";
import { t } from "../words";
import { oldServer } from "./address";
import { parseHits } from "./hits";
import { signInNeeded, tokenFor } from "./sign-in";

/** The status codes of a server that does not have a route. */
const NO_ROUTE = new Set([404, 405]);
const FORGET_DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1_000;

/** Call the server, and once more with a new token if the first one is rejected. */
export async function call<T>(use: (remem: Remem) => Promise<T>): Promise<T> {
  const { base } = await readSettings();
  try {
    return await use(client(base, await tokenFor(base)));
  } catch (error) {
    if (!(error instanceof RememFailure) || error.status !== 401) throw error;
  }
  try {
    return await use(client(base, await tokenFor(base, true)));
  } catch (error) {
    throw error instanceof RememFailure && error.status === 401 ? signInNeeded() : error;
  }
}

function client(base: string, token: string): Remem {
  // No cookies, because a session of the web app in this browser must not be used. The queue retries.
  const send = (request: globalThis.Request) =>
    fetch(new Request(request, { credentials: "omit" }));
  return createRemem(base, token, { fetch: send, patienceMs: 0 });
}

export const fetchAccount = () =>
  call(async (remem) => {
    const { email, name } = (await remem.whoami()) as { email?: string; name?: string };
    return name || email || "";
  });

export const fetchProjects = (): Promise<Project[]> =>
  call(async ({ api }) => {
    const { projects } = checked(await api.GET("/v3/projects"));
    return projects.map(({ id, name, slug, is_default }) => ({
      id,
      name,
      slug,
      isDefault: is_default,
    }));
  });

export const fetchTags = (): Promise<string[]> =>
  call(async ({ api }) => checked(await api.GET("/v3/tags")).tags.map(({ tag }) => tag));

/** The server's current table of composers. */
export const fetchComposers = (): Promise<unknown> =>
  call(async ({ api }) => checked(await api.GET("/v3/extension/composers")).composers);

export const recall = (query: string, limit: number, project?: string): Promise<Hit[]> =>
  call(async (remem) => {
    const { base } = await readSettings();
    const options = { limit, ...(project ? { project } : {}) };
    const { results } = await remem.recall(query, options).catch((error) => {
      throw isNotFound(error) ? oldServer() : error;
    });
    return parseHits(results, base);
  });

type Reply<T> = { data?: T; error?: unknown; response: Response };

export function checked<T>({ data, error, response }: Reply<T>): T {
  if (response.ok && data !== undefined) return data;
  if (NO_ROUTE.has(response.status)) throw oldServer();
  const problem = error as { error?: string; code?: string } | undefined;
  throw new RememFailure(response.status, problem?.error ?? "", problem?.code ?? "http_error");
}

/** Save an entry of the queue and return the outcome; never throws. */
export async function sendEntry(entry: Entry): Promise<Outcome> {
  try {
    const saved = await call((remem) => saveWithFallback(remem, entry));
    // Something else answers in place of the server; without confirmation the entry stays in the queue.
    if (typeof saved?.id !== "string") throw new SyntaxError("no id");
    const status = saved.duplicate ? "existing" : saved.job_id ? "processing" : "saved";
    // An older server does not name them.
    const { added_tags: addedTags = [], not_taken: notTaken = [] } = saved;
    return { type: "saved", status, chunks: saved.chunk_count, id: saved.id, addedTags, notTaken };
  } catch (error) {
    return outcomeOf(error);
  }
}

/** Save an entry; if its project no longer exists, save it without one. */
async function saveWithFallback(remem: Remem, entry: Entry): Promise<Saved> {
  try {
    return await save(remem, entry);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    if (!entry.choices.project) throw oldServer();
  }
  await changeSettings({ lastProject: undefined });
  return save(remem, { ...entry, choices: { ...entry.choices, project: undefined } });
}

function isNotFound(error: unknown): boolean {
  return error instanceof RememFailure && NO_ROUTE.has(error.status);
}

type Saved = Awaited<ReturnType<Remem["save"]>>;

function save(remem: Remem, { draft, choices, file }: Entry) {
  const fields = fieldsOf(draft, choices);
  switch (draft.kind) {
    case "text":
      return remem.save(draft.content, {
        ...fields,
        content_type: draft.contentType,
        cleaned: draft.contentType === "html",
        source_url: draft.url,
      });
    case "note":
      return remem.save(draft.content, { ...fields, content_type: "note" });
    case "link":
      return remem.save(draft.url, { ...fields, unread: true, content_type: "url" });
    case "file":
      return remem.upload(file ?? new Blob(), draft.name, { ...fields, source_url: draft.url });
  }
}

function fieldsOf(draft: Draft, { title, project, tags, forget, unread }: Choices) {
  const until = new Date(Date.now() + FORGET_DAYS * DAY_MS).toISOString();
  return {
    title: (title || draft.title).slice(0, 500) || null,
    metadata: draft.metadata,
    ...(project ? { project_id: project } : {}),
    ...(tags?.length ? { tags } : {}),
    ...(forget ? { forget_after: until } : {}),
    ...(unread ? { unread } : {}),
  };
}

function outcomeOf(error: unknown): Outcome {
  const { code, text } = describe(error);
  if (code === "sign_in") return { type: "sign-in", problem: text };
  const status = error instanceof RememFailure ? error.status : 0;
  const isClientError = status >= 400 && status < 500 && status !== 429 && status !== 408;
  return { type: isClientError ? "refused" : "wait", problem: text };
}

/** Describe an error in a sentence that says what to do. */
export function describe(error: unknown): { code: string; text: string } {
  if (error instanceof Failure) {
    return { code: error.code, text: error.message };
  }
  if (error instanceof RememFailure) {
    if (error.status === 0) return { code: error.code, text: t("problem_unreachable_now") };
    if (error.status === 429) return { code: error.code, text: t("problem_busy") };
    return { code: error.code, text: error.message };
  }
  // The answer is not in the format of the API; the text of the error would not help the user.
  if (error instanceof TypeError || error instanceof SyntaxError) {
    return { code: "unexpected", text: t("problem_answer") };
  }
  return { code: "unexpected", text: error instanceof Error ? error.message : String(error) };
}
