import { queryOptions } from "@tanstack/react-query";
import { checkSession } from "~/features/session/session";
import {
  answerOf,
  api,
  csrfToken,
  failureFrom,
  RememFailure,
  type Schemas,
  UNREACHABLE,
} from "~/lib/api";
import { BASE_PATH } from "~/lib/base";
import { t } from "~/lib/language";
import { setUnsaved, unsaved } from "~/lib/unsaved";

export type Reply = Schemas["AskOut"];
export type Session = Schemas["AgentSession"];
type SessionDetail = Schemas["AgentSessionDetail"];

export type Source = {
  number: number;
  sentence: string;
  mark?: number[];
  title?: string | null;
  documentId?: string | null;
  memoryId?: string | null;
  contentType?: string | null;
  speaker?: string | null;
  saidAt?: string | null;
  occurredAt?: string | null;
  dueAt?: string | null;
};

export type Claim = { text: string; citations: number[] };

/** A question with as much of its answer as has arrived. */
export type Exchange = {
  id: string;
  question: string;
  understood?: string;
  /** The day up to which knowledge is used. */
  asOf?: string;
  claims: Claim[];
  sources: Source[];
  nearest: Source[];
  kind?: string;
  reading?: number;
  state: "waiting" | "asking" | "known" | "unknown" | "erased" | "failed";
  error?: unknown;
  model?: string | null;
};

export type AskBody = {
  question: string;
  sessionId?: string;
  project?: string;
  asOf?: string;
};

type Step =
  | { name: "question"; data: { question: string } }
  | { name: "sources"; data: { count: number } }
  | { name: "citation"; data: Source }
  | { name: "claim"; data: Claim }
  | { name: "done"; data: Reply }
  | { name: "error"; data: { error: string; code: string } };

/** The agent of this page's sessions. */
const AGENT = "web";

/** Asks a question and calls `onStep` for each step of the answer. Throws if the answer is incomplete. */
export async function ask(
  body: AskBody,
  onStep: (step: Step) => void,
  signal: AbortSignal,
): Promise<Reply> {
  let done: Reply | undefined;
  for await (const step of await stream(body, signal)) {
    if (step.name === "error") throw new RememFailure(0, step.data.error, step.data.code);
    if (step.name === "done") done = step.data;
    onStep(step);
  }
  if (!done) throw new RememFailure(0, t("The answer was cut off. Ask again."), "cut_off");
  return done;
}

async function stream(body: AskBody, signal: AbortSignal): Promise<AsyncIterable<Step>> {
  await checkSession();
  let response: Response;
  try {
    response = await fetch(`${BASE_PATH}/api/agent/ask`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Accept: "text/event-stream",
        "X-CSRF-Token": csrfToken(),
      },
      body: JSON.stringify({ ...body, agent: AGENT }),
      signal,
    });
  } catch (cause) {
    if (signal.aborted) throw cause;
    throw new RememFailure(0, UNREACHABLE, "unreachable");
  }
  if (!response.ok || !response.body) {
    // A failing request through the API client opens the sign-in dialog.
    if (response.status === 401) void api.GET("/v3/whoami");
    throw failureFrom(response, await response.json().catch(() => undefined));
  }
  return stepsOf(response.body);
}

async function* stepsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Step> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (rest + decoder.decode(value, { stream: true })).split("\n\n");
    rest = parts.pop() ?? "";
    for (const part of parts) yield stepOf(part);
  }
}

function stepOf(part: string): Step {
  const field = (name: string) =>
    part
      .split("\n")
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2) ?? "";
  return { name: field("event"), data: JSON.parse(field("data")) } as Step;
}

export function withStep(exchange: Exchange, step: Step): Exchange {
  switch (step.name) {
    case "question":
      return { ...exchange, understood: step.data.question };
    case "sources":
      return { ...exchange, reading: step.data.count };
    case "citation":
      return { ...exchange, sources: withSource(exchange.sources, step.data) };
    case "claim":
      return { ...exchange, claims: [...exchange.claims, step.data] };
    case "done":
      return {
        ...exchange,
        claims: step.data.claims,
        sources: step.data.citations,
        nearest: step.data.nearest,
        kind: step.data.kind,
        model: step.data.model,
        state: step.data.known ? "known" : "unknown",
      };
    default:
      return exchange;
  }
}

function withSource(sources: Source[], source: Source): Source[] {
  return sources.some(({ number }) => number === source.number) ? sources : [...sources, source];
}

export type Asked = { id: string; question: string; asOf: string };

/** The questions of a conversation that have no answer yet, stored in this browser. */
export function askedIn(session: string): Asked[] {
  return unsaved<Asked[]>(`asked/${session || "new"}`) ?? [];
}

export function setAsked(session: string, asked: Asked[]): void {
  setUnsaved(`asked/${session || "new"}`, asked.length ? asked : undefined);
}

export function exchangeOf(asked: Asked, state: Exchange["state"]): Exchange {
  return { ...asked, claims: [], sources: [], nearest: [], state };
}

export const sessionsQuery = queryOptions({
  queryKey: ["sessions", AGENT],
  queryFn: async ({ signal }) => {
    const query = { agent: AGENT, limit: 20 };
    return (await answerOf(api.GET("/api/sessions", { params: { query }, signal }))).sessions;
  },
});

export function sessionQuery(id: string) {
  return queryOptions({
    queryKey: ["sessions", id],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET("/api/sessions/{id}", {
          params: { path: { id }, query: { limit: 500 } },
          signal,
        }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

type StoredAnswer = {
  kind?: string;
  known?: boolean;
  claims?: { text: string; quotes: number[] }[];
  quotes?: Source[];
};

/** The questions of a stored session, with their answers. */
export function exchangesOf(session: SessionDetail): Exchange[] {
  const exchanges: Exchange[] = [];
  for (const turn of session.turns) {
    if (turn.role === "user") {
      exchanges.push({
        id: turn.id,
        question: turn.content,
        claims: [],
        sources: [],
        nearest: [],
        state: "failed",
      });
    } else if (exchanges.length) {
      const stored = (turn.answer ?? {}) as StoredAnswer;
      const last = exchanges[exchanges.length - 1] as Exchange;
      const claims = stored.claims?.map(({ text, quotes }) => ({ text, citations: quotes }));
      exchanges[exchanges.length - 1] = {
        ...last,
        claims: claims ?? [{ text: turn.content, citations: [] }],
        sources: stored.quotes ?? [],
        kind: stored.kind,
        state: turn.erased ? "erased" : stored.known === false ? "unknown" : "known",
      };
    }
  }
  return exchanges;
}
