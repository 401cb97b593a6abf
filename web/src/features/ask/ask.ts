import { queryOptions } from "@tanstack/react-query";
import { answerOf, api, csrfToken, failureFrom, RememFailure, type Schemas } from "~/lib/api";

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
  speaker?: string | null;
  saidAt?: string | null;
  occurredAt?: string | null;
  dueAt?: string | null;
};

export type Claim = { text: string; citations: number[] };

/** One question with as much of its answer as is there. */
export type Exchange = {
  id: string;
  asked: string;
  understood?: string;
  /** The day whose knowledge was asked for. */
  asOf?: string;
  claims: Claim[];
  sources: Source[];
  nearest: Source[];
  kind?: string;
  reading?: number;
  state: "asking" | "known" | "unknown" | "erased" | "failed";
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

/** The agent that the sessions of this page are listed by. */
const AGENT = "web";

/** Asks, and hands over each step of the answer. It fails unless the answer came whole. */
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
  if (!done) throw new RememFailure(0, "The answer was cut off. Ask again.", "cut_off");
  return done;
}

async function stream(body: AskBody, signal: AbortSignal): Promise<AsyncIterable<Step>> {
  let response: Response;
  try {
    response = await fetch("/api/agent/ask", {
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
    throw new RememFailure(0, "The server cannot be reached.", "unreachable");
  }
  if (!response.ok || !response.body) {
    // Any request that is refused asks to sign in again.
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
  return sources.some((one) => one.number === source.number) ? sources : [...sources, source];
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

type KeptAnswer = {
  kind?: string;
  known?: boolean;
  claims?: { text: string; quotes: number[] }[];
  quotes?: Source[];
};

/** What was asked in a session before, with the answers as they were given. */
export function exchangesOf(session: SessionDetail): Exchange[] {
  const found: Exchange[] = [];
  for (const turn of session.turns) {
    if (turn.role === "user") {
      found.push({
        id: turn.id,
        asked: turn.content,
        claims: [],
        sources: [],
        nearest: [],
        state: "failed",
      });
    } else if (found.length) {
      const kept = (turn.answer ?? {}) as KeptAnswer;
      const last = found[found.length - 1] as Exchange;
      const said = kept.claims?.map(({ text, quotes }) => ({ text, citations: quotes }));
      found[found.length - 1] = {
        ...last,
        claims: said ?? [{ text: turn.content, citations: [] }],
        sources: kept.quotes ?? [],
        kind: kept.kind,
        state: turn.erased ? "erased" : kept.known === false ? "unknown" : "known",
      };
    }
  }
  return found;
}
