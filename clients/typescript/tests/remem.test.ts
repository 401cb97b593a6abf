import { describe, expect, test } from "vitest";
import { RememFailure } from "../src/index.js";
import { client, stranger } from "./server.js";

const remem = client();

describe("ask", () => {
  test("an answer is cited, whole and step by step, in one conversation", async () => {
    await remem.save("The lighthouse of Ploumanac'h is painted in pink granite colours.");
    const answer = await remem.ask("What is the lighthouse of Ploumanac'h painted in?");
    expect(answer.known).toBe(true);
    expect(answer.citations[0]?.sentence).toContain("pink granite");
    const steps = [];
    const fields = { sessionId: answer.sessionId };
    for await (const step of remem.askStream("Who is the king of Atlantis?", fields))
      steps.push(step);
    expect(steps[0]?.event).toBe("question");
    const last = steps.at(-1);
    expect(last?.event).toBe("done");
    expect(last?.data).toMatchObject({ known: false, sessionId: answer.sessionId });
  });

  test("a failed request throws", async () => {
    await expect(remem.ask("Who?", { project: "nowhere" })).rejects.toThrow(RememFailure);
    const steps = remem.askStream("Who?", { project: "nowhere" });
    await expect(steps.next()).rejects.toThrow(RememFailure);
  });
});

describe("save and recall", () => {
  test("what is saved is found, with its metadata", async () => {
    const saved = await remem.save("The ferry to Naxos leaves Piraeus at 07:25 from gate E6.", {
      title: "Ferry",
      tags: ["travel"],
      metadata: { seats: 2 },
    });
    expect(saved.status).toBe("done");
    const found = await remem.recall("when does the boat to Naxos leave?", { limit: 3 });
    expect(found.results[0]?.document_id).toBe(saved.id);
    expect(found.results[0]?.metadata).toMatchObject({ seats: 2 });
  });

  test("identical content is a duplicate", async () => {
    const first = await remem.save("The spare key lies under the blue pot.");
    const second = await remem.save("The spare key lies under the blue pot.");
    expect(second).toMatchObject({ id: first.id, duplicate: true });
  });

  test("a context is a text within the limit", async () => {
    await remem.save("Rosa is allergic to hazelnuts.");
    const text = await remem.context("what can Rosa not eat?", { maxTokens: 200 });
    expect(text).toContain("hazelnuts");
  });

  test("a file is saved with its fields", async () => {
    const file = new Blob(["# Boiler\n\nThe boiler is bled with the square key."]);
    const saved = await remem.upload(file, "boiler.md", {
      tags: ["house"],
      metadata: { floor: 1 },
    });
    expect(saved.metadata).toMatchObject({ floor: 1, tags: ["house"] });
  });
});

describe("memories", () => {
  test("are remembered, listed through every page, and forgotten", async () => {
    const project = `pages-${Date.now()}`;
    const ids: string[] = [];
    for (const statement of ["Ines plays the cello.", "Olaf keeps bees.", "The roof is slate."]) {
      ids.push((await remem.remember(statement, { project })).id);
    }
    const listed: string[] = [];
    for await (const memory of remem.memories({ project, pageSize: 2 })) listed.push(memory.id);
    expect(listed).toEqual([...ids].reverse());

    await remem.forget(ids[0] as string);
    const remaining: string[] = [];
    for await (const memory of remem.memories({ project })) remaining.push(memory.id);
    expect(remaining).not.toContain(ids[0]);
  });

  test("make a profile", async () => {
    const project = `profile-${Date.now()}`;
    await remem.remember("Ines plays the cello.", { project });
    const profile = await remem.profile("music", project);
    const items = [
      ...profile.static_facts,
      ...profile.recent_context,
      ...profile.relevant_memories,
    ];
    expect(items.map(({ content }) => content)).toContain("Ines plays the cello.");
  });
});

describe("failures", () => {
  test("have the server's message", async () => {
    const failure = await remem.save("").catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(RememFailure);
    expect(failure).toMatchObject({ status: 400, code: "invalid", details: { field: "content" } });
  });

  test("an unknown key is rejected", async () => {
    await expect(stranger().whoami()).rejects.toMatchObject({ status: 401 });
  });

  test("a forgotten document cannot be forgotten again", async () => {
    const { id } = await remem.save("A note that goes away.");
    await remem.forget(id);
    await expect(remem.forget(id)).rejects.toMatchObject({ status: 404, code: "not_found" });
  });

  test("the whole API is available with types", async () => {
    const { data, error } = await remem.api.GET("/v3/projects/{ref}", {
      params: { path: { ref: "default" } },
    });
    expect(error).toBeUndefined();
    expect(data?.is_default).toBe(true);
  });
});
