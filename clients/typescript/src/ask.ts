import type { Client } from "openapi-fetch";
import { failureOf, RememFailure } from "./failure.js";
import type { components, paths } from "./schema.js";

type Schemas = components["schemas"];
export type Asked = Schemas["AskOut"];
export type Citation = Schemas["CitationOut"];
export type Claim = Schemas["ClaimOut"];
export type AskFields = Partial<Omit<Schemas["AskIn"], "question" | "stream">>;

/** A step of an answer; `done` is the last one and has the whole answer. */
export type AskStep =
  | { event: "question"; data: { question: string } }
  | { event: "sources"; data: { count: number } }
  | { event: "citation"; data: Citation }
  | { event: "claim"; data: Claim }
  | { event: "done"; data: Asked };

export async function ask(api: Client<paths>, question: string, fields: AskFields): Promise<Asked> {
  const { data, error, response } = await api.POST("/api/agent/ask", {
    body: { ...fields, question } as Schemas["AskIn"],
  });
  if (!response.ok) throw failureOf(response, error as Schemas["Problem"] | undefined);
  return data as Asked;
}

export async function* askStream(
  api: Client<paths>,
  question: string,
  fields: AskFields,
): AsyncGenerator<AskStep> {
  const { data, error, response } = await api.POST("/api/agent/ask", {
    body: { ...fields, question, stream: true } as Schemas["AskIn"],
    parseAs: "stream",
  });
  if (!response.ok) throw failureOf(response, error as Schemas["Problem"] | undefined);
  for await (const { event, data: payload } of events(data as ReadableStream<Uint8Array>)) {
    if (event === "error") {
      const { error: message, code } = payload as { error: string; code: string };
      throw new RememFailure(0, message, code);
    }
    yield { event, data: payload } as AskStep;
    if (event === "done") return;
  }
  throw new RememFailure(0, "The answer was cut off; ask again.", "cut_off");
}

async function* events(body: ReadableStream<Uint8Array>) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (rest + decoder.decode(value, { stream: true })).split("\n\n");
    rest = parts.pop() ?? "";
    for (const part of parts) yield eventOf(part);
  }
}

function eventOf(part: string): { event: string; data: unknown } {
  const field = (name: string) =>
    part
      .split("\n")
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2) ?? "";
  return { event: field("event"), data: JSON.parse(field("data")) };
}
