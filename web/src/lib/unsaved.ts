import { useCallback, useSyncExternalStore } from "react";

/**
 * What the server does not have yet: drafts, notes on their way, questions without an answer. It is
 * stored in this browser, separately for each person, until it is saved or discarded.
 *
 * IndexedDB holds long texts and survives the end of the browser. It is written a moment after each
 * change; until then the journal in local storage, which is written at once, has the change.
 */
type Entry = { at: number; value: unknown };
type Key = string;

const STORE = "unsaved";
const JOURNAL = "remem.unsaved/";
/** Local storage has room for some million characters and blocks the page while it writes. */
const JOURNAL_LIMIT = 100_000;

let owner = "";
let entries = new Map<string, Entry>();
let lastAt = 0;
const listeners = new Set<() => void>();
/** What IndexedDB does not have yet. */
const unwritten = new Map<Key, Entry>();
const channel = new BroadcastChannel("remem.unsaved");

/** Loads what a person has not saved; call it before the first draft of that person is shown. */
export async function openUnsaved(person: string): Promise<void> {
  if (owner === person) return;
  const prefix = `${person}/`;
  const stored = await readAll(prefix).catch(() => new Map<Key, Entry>());
  for (const [key, entry] of journalOf(prefix)) {
    if (entry.at > (stored.get(key)?.at ?? 0)) stored.set(key, entry);
    unwritten.set(key, stored.get(key) as Entry);
  }
  owner = person;
  entries = new Map([...stored].map(([key, entry]) => [key.slice(prefix.length), entry]));
  void write();
  notify();
}

export function unsaved<T>(name: string): T | undefined {
  return entries.get(name)?.value as T | undefined;
}

/** The names of all values that begin with a prefix, sorted. */
export function unsavedNames(prefix: string): string[] {
  return [...entries]
    .filter(([name, { value }]) => name.startsWith(prefix) && value !== undefined)
    .map(([name]) => name)
    .sort();
}

/** Stores a value; `undefined` removes it. */
export function setUnsaved(name: string, value: unknown): void {
  setAllUnsaved([[name, value]]);
}

export function setAllUnsaved(values: [name: string, value: unknown][]): void {
  for (const [name, value] of values) {
    lastAt = Math.max(Date.now(), lastAt + 1);
    const entry = { at: lastAt, value };
    const key: Key = ownKey(name);
    entries.set(name, entry);
    unwritten.set(key, entry);
    writeJournal(key, entry);
  }
  void write();
  notify();
}

/** The name with the person that it belongs to. */
export function ownKey(name: string): string {
  return `${owner}/${name}`;
}

/** Removes everything of this person, whose account is deleted. */
export async function forgetUnsaved(): Promise<void> {
  for (const name of unsavedNames("")) setUnsaved(name, undefined);
  await write();
}

export function subscribeUnsaved(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Like `useState`, for what is typed and not saved yet: it is still there after a reload. */
export function useDraft<T>(name: string, initial: T): [T, (value: T) => void, boolean] {
  const stored = useSyncExternalStore(subscribeUnsaved, () => unsaved<T>(name));
  const set = useCallback(
    (value: T) => setUnsaved(name, value === initial ? undefined : value),
    [name, initial],
  );
  return [stored ?? initial, set, stored !== undefined];
}

function notify(): void {
  for (const listener of listeners) listener();
}

// Another tab of the same person has changed something.
channel.onmessage = ({ data }: MessageEvent<[Key, Entry][]>) => {
  for (const [key, entry] of data) {
    if (!key.startsWith(`${owner}/`)) continue;
    const name = key.slice(owner.length + 1);
    if (entry.at > (entries.get(name)?.at ?? 0)) entries.set(name, entry);
  }
  notify();
};

window.addEventListener("beforeunload", (event) => {
  const lost = [...unwritten].some(([key]) => localStorage.getItem(JOURNAL + key) === null);
  if (lost) event.preventDefault();
});

function journalOf(prefix: string): [Key, Entry][] {
  return Object.entries(localStorage)
    .filter(([item]) => item.startsWith(JOURNAL + prefix))
    .map(([item, text]) => [item.slice(JOURNAL.length), JSON.parse(text) as Entry]);
}

function writeJournal(key: Key, entry: Entry): void {
  const text = JSON.stringify(entry);
  try {
    if (text.length > JOURNAL_LIMIT) localStorage.removeItem(JOURNAL + key);
    else localStorage.setItem(JOURNAL + key, text);
  } catch {
    // Local storage is full. An older text must not win over the one that IndexedDB gets now.
    localStorage.removeItem(JOURNAL + key);
  }
}

let isWriting = false;

/** Writes until nothing is left. What changes meanwhile is written in the next round. */
async function write(): Promise<void> {
  if (isWriting) return;
  isWriting = true;
  try {
    while (unwritten.size) {
      const batch = [...unwritten];
      channel.postMessage(batch);
      await put(batch);
      for (const [key, entry] of batch) {
        if (unwritten.get(key) !== entry) continue;
        unwritten.delete(key);
        localStorage.removeItem(JOURNAL + key);
      }
    }
  } catch {
    // Without IndexedDB the journal is what is left, and the next change tries again.
  } finally {
    isWriting = false;
  }
}

let opened: Promise<IDBDatabase> | undefined;

function openDatabase(): Promise<IDBDatabase> {
  opened ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open("remem", 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => {
      // The browser closes it when the data of this site is cleared.
      request.result.onclose = () => {
        opened = undefined;
      };
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
  });
  opened.catch(() => {
    opened = undefined;
  });
  return opened;
}

async function put(batch: [Key, Entry][]): Promise<void> {
  const transaction = (await openDatabase()).transaction(STORE, "readwrite");
  const store = transaction.objectStore(STORE);
  for (const [key, entry] of batch) {
    if (entry.value === undefined) store.delete(key);
    else store.put(entry, key);
  }
  await new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
    transaction.commit();
  });
}

async function readAll(prefix: string): Promise<Map<Key, Entry>> {
  const store = (await openDatabase()).transaction(STORE).objectStore(STORE);
  const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`);
  const [keys, values] = [store.getAllKeys(range), store.getAll(range)];
  await new Promise<void>((resolve, reject) => {
    values.onsuccess = () => resolve();
    values.onerror = () => reject(values.error);
  });
  return new Map(keys.result.map((key, i) => [String(key), values.result[i] as Entry]));
}
