import { useMemo, useSyncExternalStore } from "react";
import { answerOf, api, messageOf, RememFailure, type Schemas } from "~/lib/api";
import { newId } from "~/lib/ids";
import { setUnsaved, subscribeUnsaved, unsaved, unsavedNames } from "~/lib/unsaved";

/** Notes that the server does not have yet. They are stored in this browser until it confirms them. */
export type Pending = {
  id: string;
  text: string;
  project?: string;
  state: "sending" | "waiting" | "failed";
  problem?: string;
};
type Stored = { body: Schemas["MemoryIn"]; isFailed?: boolean; problem?: string };
type Outcome = (saved: Schemas["MemoryOut"]) => void;

const PREFIX = "save/";
const IN_FLIGHT = 3;
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;
/** Without a connection, signed out, too many requests, or a server that is starting: try later. */
const WAITING = new Set([0, 401, 408, 429, 502, 503, 504]);

const sending = new Set<string>();
const listeners = new Set<() => void>();
let onSaved: Outcome = () => {};
let pauseMs = FIRST_PAUSE_MS;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Stores a note and sends it as soon as possible; returns its id in the list of pending notes. */
export function saveLater(body: Schemas["MemoryIn"]): string {
  // The time comes first, so that the ids are in the order in which the notes were written.
  const id = `${Date.now()}-${newId()}`;
  setUnsaved(PREFIX + id, { body } satisfies Stored);
  sendPending();
  return id;
}

export function retry(id: string): void {
  const item = unsaved<Stored>(PREFIX + id);
  if (item) setUnsaved(PREFIX + id, { body: item.body } satisfies Stored);
  pauseMs = FIRST_PAUSE_MS;
  sendPending();
}

/** Removes a note that was not saved, and returns a function that brings it back. */
export function discard(id: string): () => void {
  const item = unsaved<Stored>(PREFIX + id);
  setUnsaved(PREFIX + id, undefined);
  return () => {
    setUnsaved(PREFIX + id, item);
    sendPending();
  };
}

/** Sends what waits, oldest first, some at a time. */
export function sendPending(): void {
  for (const name of unsavedNames(PREFIX)) {
    if (sending.size >= IN_FLIGHT) return;
    const id = name.slice(PREFIX.length);
    if (sending.has(id) || unsaved<Stored>(name)?.isFailed) continue;
    sending.add(id);
    notify();
    void send(id).then((status) => {
      sending.delete(id);
      notify();
      if (!WAITING.has(status)) sendPending();
      else if (status !== 401 && navigator.onLine) sendAfterPause();
    });
  }
}

/** Sends what waits now, when the connection is back, and after each sign-in. */
export function startSending(outcome: Outcome): () => void {
  const again = () => {
    pauseMs = FIRST_PAUSE_MS;
    sendPending();
  };
  onSaved = outcome;
  window.addEventListener("online", again);
  again();
  return () => window.removeEventListener("online", again);
}

function sendAfterPause(): void {
  if (timer) return;
  timer = setTimeout(() => {
    timer = undefined;
    sendPending();
  }, pauseMs);
  pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
}

/** Returns the status of the reply. */
async function send(id: string): Promise<number> {
  return alone(id, async () => {
    const item = unsaved<Stored>(PREFIX + id);
    if (!item) return 200;
    try {
      // If the reply was lost, the server recognizes identical content when it is sent again.
      const saved = await answerOf(api.POST("/v3/memory", { body: item.body }));
      setUnsaved(PREFIX + id, undefined);
      pauseMs = FIRST_PAUSE_MS;
      onSaved(saved);
      return 200;
    } catch (error) {
      const status = error instanceof RememFailure ? error.status : 500;
      const problem = status === 401 ? "Sign in to save this." : messageOf(error);
      const isFailed = !WAITING.has(status);
      setUnsaved(PREFIX + id, { body: item.body, isFailed, problem } satisfies Stored);
      return status;
    }
  });
}

/** Another tab may be about to send the same note. */
function alone<T>(id: string, work: () => Promise<T>): Promise<T> {
  return navigator.locks ? navigator.locks.request(`remem.save.${id}`, work) : work();
}

function notify(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  const stop = subscribeUnsaved(listener);
  return () => {
    listeners.delete(listener);
    stop();
  };
}

/** Changes whenever the list does. */
function snapshot(): string {
  return unsavedNames(PREFIX)
    .map((name) => {
      const item = unsaved<Stored>(name);
      return [name, sending.has(name.slice(PREFIX.length)), item?.isFailed, item?.problem].join();
    })
    .join("\n");
}

export function usePending(): Pending[] {
  const current = useSyncExternalStore(subscribe, snapshot);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the snapshot stands for the list
  return useMemo(() => unsavedNames(PREFIX).map(pendingOf), [current]);
}

function pendingOf(name: string): Pending {
  const id = name.slice(PREFIX.length);
  const { body, isFailed, problem } = unsaved<Stored>(name) as Stored;
  const waiting = isFailed ? "failed" : "waiting";
  const state = sending.has(id) ? "sending" : waiting;
  return { id, text: body.content, project: body.project ?? undefined, state, problem };
}
