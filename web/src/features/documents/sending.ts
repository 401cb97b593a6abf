import { messageOf, RememFailure, type Schemas } from "~/lib/api";
import { newId } from "~/lib/ids";
import { t } from "~/lib/language";
import { setAllUnsaved, setUnsaved, subscribeUnsaved, unsaved, unsavedNames } from "~/lib/unsaved";

/** What is sent, stored in this browser until the server confirms it. */
export type Stored<Body> = { body: Body; isFailed?: boolean; problem?: string };
export type State = "sending" | "waiting" | "failed";
type Saved = Schemas["MemoryOut"];
type Outcome<Body> = (saved: Saved, id: string, body: Body) => void;

const IN_FLIGHT = 3;
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;
/** Without a connection, signed out, too many requests, or a server that is starting: try later. */
const WAITING = new Set([0, 401, 408, 429, 502, 503, 504]);

/** The reply to the first attempt was lost, and what it saved was deleted since. */
const DELETED = "saved_and_deleted";

/** Items that are sent one after the other, some at a time, until each is saved or discarded. */
export function createOutbox<Body>(
  prefix: string,
  post: (id: string, body: Body) => Promise<Saved>,
) {
  const sending = new Set<string>();
  const listeners = new Set<() => void>();
  let onSaved: Outcome<Body> = () => {};
  let pauseMs = FIRST_PAUSE_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const item = (id: string) => unsaved<Stored<Body>>(prefix + id);
  const ids = () => unsavedNames(prefix).map((name) => name.slice(prefix.length));
  const remove = (id: string) => setUnsaved(prefix + id, undefined);
  const put = (id: string, stored: Stored<Body>) => setUnsaved(prefix + id, stored);

  /** Stores items and sends them as soon as possible. */
  function add(items: [id: string, stored: Stored<Body>][]): void {
    setAllUnsaved(items.map(([id, stored]) => [prefix + id, stored]));
    sendPending();
  }

  function retry(id: string): void {
    const stored = item(id);
    if (stored) put(id, { body: stored.body });
    pauseMs = FIRST_PAUSE_MS;
    sendPending();
  }

  /** Removes an item that was not saved, and returns a function that brings it back. */
  function discard(id: string): () => void {
    const stored = item(id);
    remove(id);
    return () => {
      if (stored) put(id, stored);
      sendPending();
    };
  }

  /** Sends what waits, oldest first, some at a time. */
  function sendPending(): void {
    for (const id of ids()) {
      if (sending.size >= IN_FLIGHT) return;
      if (sending.has(id) || item(id)?.isFailed) continue;
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
  function start(outcome: Outcome<Body>): () => void {
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
    return alone(`${prefix}${id}`, async () => {
      const stored = item(id);
      if (!stored) return 200;
      try {
        // If the reply was lost, the server recognizes the key when it is sent again.
        const saved = await post(id, stored.body);
        remove(id);
        pauseMs = FIRST_PAUSE_MS;
        onSaved(saved, id, stored.body);
        return 200;
      } catch (error) {
        const status = error instanceof RememFailure ? error.status : 500;
        if (error instanceof RememFailure && error.code === DELETED) {
          remove(id);
          return 200;
        }
        const problem = status === 401 ? t("Sign in to save this.") : messageOf(error);
        const isFailed = !WAITING.has(status);
        // It may have been discarded meanwhile.
        if (item(id)) put(id, { body: stored.body, isFailed, problem });
        return status;
      }
    });
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

  function stateOf(id: string): State {
    if (sending.has(id)) return "sending";
    return item(id)?.isFailed ? "failed" : "waiting";
  }

  /** Changes whenever the list does. */
  function snapshot(): string {
    return ids()
      .map((id) => [id, stateOf(id), item(id)?.problem].join())
      .join("\n");
  }

  return {
    add,
    retry,
    discard,
    sendPending,
    start,
    subscribe,
    snapshot,
    stateOf,
    item,
    ids,
    notify,
  };
}

/** An id of an item. The time comes first, so that ids are in the order in which items were added. */
export function newItemId(place = 0): string {
  return `${Date.now()}-${String(place).padStart(6, "0")}-${newId()}`;
}

/** Another tab may be about to send the same item. */
function alone<T>(name: string, work: () => Promise<T>): Promise<T> {
  return navigator.locks ? navigator.locks.request(`remem.${name}`, work) : work();
}
