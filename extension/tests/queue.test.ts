import { beforeEach, describe, expect, test } from "vitest";
import type { Draft } from "@/lib/draft";
import {
  attempt,
  drain,
  drop,
  ENTRIES_LIMIT,
  type Entry,
  enqueue,
  LIFETIME_MS,
  listQueue,
  type Outcome,
  retry,
} from "@/lib/queue";
import type { Store } from "@/lib/store";

const draft = (title: string): Draft => ({
  kind: "note",
  title,
  content: title,
  url: "",
  metadata: {},
});
const SAVED: Outcome = { type: "saved", status: "saved", chunks: 1, id: "1" };

function memoryStore(): Store<Entry> {
  const entries = new Map<string, Entry>();
  return {
    get: async (id) => entries.get(id),
    all: async () => [...entries.values()],
    put: async (id, value) => void entries.set(id, value),
    remove: async (id) => void entries.delete(id),
  };
}

describe("the queue", () => {
  let store: Store<Entry>;
  beforeEach(() => {
    store = memoryStore();
  });
  const add = (title: string, now?: number) => enqueue(store, draft(title), {}, undefined, now);
  const states = async () =>
    (await listQueue(store)).map(({ title, state }) => `${title} ${state}`);

  test("an entry is removed only when the server has it", async () => {
    const entry = await add("a");
    await attempt(store, entry, async () => ({ type: "wait", problem: "away" }));
    expect(await states()).toEqual(["a waiting"]);
    await attempt(store, entry, async () => SAVED);
    expect(await states()).toEqual([]);
  });

  test("is sent oldest first, and stops when the server is unreachable", async () => {
    for (const [place, title] of ["a", "b", "c"].entries()) await add(title, Date.now() + place);
    const sent: string[] = [];
    await drain(store, async (entry) => {
      sent.push(entry.draft.title);
      return entry.draft.title === "b" ? { type: "wait", problem: "away" } : SAVED;
    });
    expect(sent).toEqual(["a", "b"]);
    expect(await states()).toEqual(["b waiting", "c waiting"]);
  });

  test("a refused entry stays with the reason, and does not block the others", async () => {
    for (const [place, title] of ["bad", "good"].entries()) await add(title, Date.now() + place);
    await drain(store, async ({ draft: { title } }) =>
      title === "bad" ? { type: "refused", problem: "too large" } : SAVED,
    );
    expect(await listQueue(store)).toMatchObject([
      { title: "bad", state: "failed", problem: "too large" },
    ]);
    await retry(store);
    expect(await states()).toEqual(["bad waiting"]);
    await drop(store, (await store.all())[0]?.id);
    expect(await states()).toEqual([]);
  });

  test("an entry is marked as failed after seven days, and not lost", async () => {
    await add("old", Date.now() - LIFETIME_MS - 1);
    await drain(store, async () => SAVED);
    expect(await states()).toEqual(["old failed"]);
  });

  test("reports when it is full", async () => {
    for (let place = 0; place < ENTRIES_LIMIT; place += 1) await add(String(place));
    await expect(add("one more")).rejects.toMatchObject({ code: "queue_full" });
    store = memoryStore();
    const file = { size: 51 * 1024 * 1024 } as Blob;
    await expect(enqueue(store, draft("big"), {}, file)).rejects.toMatchObject({
      code: "queue_full",
    });
  });
});
