/** The queue: items wait here until the server has confirmed that they are saved. */

import type { Choices, Draft } from "./draft";
import type { QueueItem, SaveResult } from "./messages";
import { Failure } from "./messages";
import type { Store } from "./store";

export const ENTRIES_LIMIT = 200;
export const BYTES_LIMIT = 50 * 1024 * 1024;
export const LIFETIME_MS = 7 * 24 * 60 * 60 * 1_000;
/** The delays before the first attempts; later attempts are made by an alarm. */
export const RETRY_MS = [0, 1_000, 2_000] as const;

export type Entry = {
  id: string;
  draft: Draft;
  choices: Choices;
  /** The content of a `FileDraft`. */
  file?: Blob;
  bytes: number;
  created: number;
  state: QueueItem["state"];
  problem?: string;
};

export type Outcome =
  | {
      type: "saved";
      status: "saved" | "existing" | "processing";
      chunks: number;
      id: string;
      addedTags?: string[];
      notTaken?: string[];
    }
  | { type: "wait"; problem: string }
  | { type: "sign-in"; problem: string }
  | { type: "refused"; problem: string };

export type Send = (entry: Entry) => Promise<Outcome>;

export async function enqueue(
  store: Store<Entry>,
  draft: Draft,
  choices: Choices,
  file?: Blob,
  now = Date.now(),
): Promise<Entry> {
  const bytes = file?.size ?? ("content" in draft ? draft.content.length * 2 : 0);
  const waiting = await store.all();
  const used = waiting.reduce((sum, entry) => sum + entry.bytes, 0);
  if (waiting.length >= ENTRIES_LIMIT || used + bytes > BYTES_LIMIT) {
    throw new Failure("queue_full", "queue_full");
  }
  const id = crypto.randomUUID();
  const entry: Entry = { id, draft, choices, file, bytes, created: now, state: "waiting" };
  await store.put(id, entry);
  return entry;
}

/** Send an entry once; it is removed from the queue only if the server has saved it. */
export async function attempt(store: Store<Entry>, entry: Entry, send: Send): Promise<Outcome> {
  const outcome = await send(entry);
  if (outcome.type === "saved") {
    await store.remove(entry.id);
  } else {
    const states = { wait: "waiting", "sign-in": "sign-in", refused: "failed" } as const;
    const state = states[outcome.type];
    await store.put(entry.id, { ...entry, state, problem: outcome.problem });
  }
  return outcome;
}

/** Send the waiting entries, oldest first; stop if the server cannot be reached. */
export async function drain(store: Store<Entry>, send: Send, now = Date.now()): Promise<void> {
  for (const entry of await waitingEntries(store)) {
    if (now - entry.created > LIFETIME_MS) {
      await store.put(entry.id, { ...entry, state: "failed" });
      continue;
    }
    const { type } = await attempt(store, entry, send);
    if (type === "wait" || type === "sign-in") return;
  }
}

async function waitingEntries(store: Store<Entry>): Promise<Entry[]> {
  const entries = (await store.all()).filter((entry) => entry.state !== "failed");
  return entries.sort((first, second) => first.created - second.created);
}

export async function listQueue(store: Store<Entry>): Promise<QueueItem[]> {
  const entries = (await store.all()).sort((first, second) => first.created - second.created);
  return entries.map(({ id, draft, choices, state, problem }) => ({
    id,
    title: choices.title || draft.title || draft.url,
    state,
    ...(problem ? { problem } : {}),
  }));
}

export async function retry(store: Store<Entry>, id?: string): Promise<void> {
  for (const entry of await store.all()) {
    if (id ? entry.id === id : entry.state === "failed") {
      await store.put(entry.id, { ...entry, state: "waiting", created: Date.now() });
    }
  }
}

export async function drop(store: Store<Entry>, id?: string): Promise<void> {
  for (const entry of await store.all()) {
    if (id ? entry.id === id : entry.state === "failed") await store.remove(entry.id);
  }
}

export function saveResult(outcome: Outcome, waiting: number): SaveResult {
  if (outcome.type !== "saved")
    return { status: "waiting", chunks: 0, waiting, problem: outcome.problem };
  const { status, chunks, id, addedTags, notTaken } = outcome;
  return { status, chunks, id, addedTags, notTaken, waiting };
}
