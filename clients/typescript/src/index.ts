import createClient, { type Client } from "openapi-fetch";
import { type Asked, type AskFields, type AskStep, ask, askStream } from "./ask.js";
import { failureOf, RememFailure } from "./failure.js";
import { type Fetch, type Patience, withRetries } from "./retry.js";
import type { components, paths } from "./schema.js";

export type { Asked, AskFields, AskStep, components, paths };
export { RememFailure };

type Schemas = components["schemas"];
export type Saved = Schemas["MemoryOut"];
export type Recalled = Schemas["RecallOut"];
export type Profile = Schemas["ProfileOut"];
export type Memory = Schemas["AgentMemory"];
export type SavedMemory = Schemas["SavedOut"];
export type WhoAmI = Schemas["WhoAmI"];

export type SaveFields = Omit<Schemas["MemoryIn"], "content">;
export type RecallFields = Omit<Schemas["RecallIn"], "query">;
export type ContextFields = Omit<RecallFields, "max_tokens"> & { maxTokens?: number };
export type MemoryFields = Omit<Schemas["StatementIn"], "content">;
export type ListFields = {
  project?: string;
  category?: Memory["category"];
  tags?: string[];
  /** The number of memories per request; 100 if absent. */
  pageSize?: number;
};

export interface Remem {
  /** Save a text or a URL. */
  save(content: string, fields?: SaveFields): Promise<Saved>;
  /** Save a file of any supported type. */
  upload(file: Blob, name: string, fields?: SaveFields): Promise<Saved>;
  /** Search documents and memories. */
  recall(query: string, fields?: RecallFields): Promise<Recalled>;
  /** Answer a question. Every claim is cited; `known` is false if nothing supports an answer. */
  ask(question: string, fields?: AskFields): Promise<Asked>;
  /** Answer step by step; the last step is `done` and has the whole answer. */
  askStream(question: string, fields?: AskFields): AsyncGenerator<AskStep>;
  /** The best results for a question as a text for a prompt. */
  context(question: string, fields?: ContextFields): Promise<string>;
  /** Get a summary: lasting facts, recent ones, and those relevant to a query. */
  profile(query?: string, project?: string): Promise<Profile>;
  /** Delete a document, or forget a memory, by id. A memory can be restored. */
  forget(id: string): Promise<void>;
  /** Add a memory: one atomic statement, which can update, extend or repeat existing ones. */
  remember(statement: string, fields?: MemoryFields): Promise<SavedMemory>;
  /** Iterate over all current memories, newest first. */
  memories(fields?: ListFields): AsyncGenerator<Memory>;
  whoami(): Promise<WhoAmI>;
  /** Every route of the API, typed. It returns `{ data, error, response }` and does not throw. */
  readonly api: Client<paths>;
}

export interface Options extends Partial<Patience> {
  fetch?: Fetch;
}

export function createRemem(url: string, key: string, options: Options = {}): Remem {
  const { timeoutMs = 60_000, patienceMs, fetch: send = globalThis.fetch } = options;
  const api = createClient<paths>({
    baseUrl: url.replace(/\/+$/, ""),
    headers: { Authorization: `Bearer ${key}` },
    fetch: withRetries((request) => send(request), { timeoutMs, patienceMs }),
  });
  return { api, ...verbs(api) };
}

function verbs(api: Client<paths>): Omit<Remem, "api"> {
  const recall: Remem["recall"] = async (query, fields = {}) =>
    dataOf(await api.POST("/v3/recall", { body: { query, ...fields } }));
  return {
    recall,
    save: async (content, fields = {}) =>
      dataOf(await api.POST("/v3/memory", { body: { content, ...fields } })),
    ask: (question, fields = {}) => ask(api, question, fields),
    askStream: (question, fields = {}) => askStream(api, question, fields),
    upload: (file, name, fields = {}) => upload(api, file, name, fields),
    context: async (question, { maxTokens = 2_000, ...fields } = {}) =>
      (await recall(question, { ...fields, max_tokens: maxTokens })).context?.text ?? "",
    profile: (query, project) => profile(api, query, project),
    forget: (id) => forget(api, id),
    remember: async (content, fields = {}) =>
      dataOf(await api.POST("/api/memories", { body: { content, ...fields } })),
    memories: (fields = {}) => memories(api, fields),
    whoami: async () => dataOf(await api.GET("/v3/whoami")),
  };
}

async function upload(
  api: Client<paths>,
  file: Blob,
  name: string,
  fields: SaveFields,
): Promise<Saved> {
  const form = new FormData();
  form.set("file", file, name);
  for (const [field, value] of Object.entries(fields)) {
    if (value !== undefined && value !== null) {
      form.set(
        field,
        typeof value === "object" && !Array.isArray(value) ? JSON.stringify(value) : String(value),
      );
    }
  }
  // Send the form as it is; the schema describes its fields only for the documentation.
  const body = form as never;
  return dataOf(
    await api.POST("/v3/documents/upload", { body, bodySerializer: (sent) => sent as never }),
  );
}

async function profile(api: Client<paths>, query?: string, project?: string): Promise<Profile> {
  const params = { query: withoutUndefined({ query, container: project }) };
  // The reply is JSON; the route can also return Markdown.
  return dataOf(await api.GET("/v1/profile", { params })) as Profile;
}

async function forget(api: Client<paths>, id: string): Promise<void> {
  const params = { path: { id } };
  const { error, response } = await api.DELETE("/v3/documents/{id}", { params });
  if (response.status === 404) {
    dataOf(await api.DELETE("/api/memories/{id}", { params }));
  } else if (error) {
    throw failureOf(response, error);
  }
}

async function* memories(
  api: Client<paths>,
  { pageSize = 100, ...fields }: ListFields,
): AsyncGenerator<Memory> {
  let cursor: string | null | undefined;
  do {
    const query = withoutUndefined({ limit: pageSize, ...fields, cursor: cursor ?? undefined });
    const page = dataOf(await api.GET("/api/memories", { params: { query: query as object } }));
    yield* page.memories;
    cursor = page.next_cursor;
  } while (cursor);
}

type Reply<T> = { data?: T; error?: unknown; response: Response };

/** The data of a reply; throws if the request failed. */
function dataOf<T>({ data, error, response }: Reply<T>): T {
  if (!response.ok) throw failureOf(response, error as Schemas["Problem"] | undefined);
  return data as T;
}

function withoutUndefined<T extends object>(
  fields: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as never;
}
