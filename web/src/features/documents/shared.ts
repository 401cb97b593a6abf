import { bodyOf, isAddress } from "./add";
import { saveLater } from "./outbox";

/** What another app shared with this one; the service worker stores it until it is saved. */
export type Shared = { key: IDBValidKey; title: string; text: string; url: string; files: File[] };

const NAME = "remem-shared";
const STORE = "shared";

/** Everything that was shared and is not saved yet, oldest first. */
export async function listShared(): Promise<Shared[]> {
  const store = (await openDatabase()).transaction(STORE).objectStore(STORE);
  const [keys, values] = await Promise.all([
    answerOf(store.getAllKeys()),
    answerOf(store.getAll() as IDBRequest<Omit<Shared, "key">[]>),
  ]);
  return values.map((value, place) => ({ ...value, key: keys[place] as IDBValidKey }));
}

export async function removeShared(key: IDBValidKey): Promise<void> {
  const store = (await openDatabase()).transaction(STORE, "readwrite").objectStore(STORE);
  await answerOf(store.delete(key));
}

/** Removes what was shared by somebody who signed out. */
export function forgetShared(): Promise<void> {
  return new Promise((resolve) => {
    const request = indexedDB.deleteDatabase(NAME);
    request.onsuccess = request.onerror = request.onblocked = () => resolve();
  });
}

/** The note to save. Apps send an address as the text, or at its end; the page itself is saved then. */
export function textOf({ title, text, url }: Omit<Shared, "key" | "files">): string {
  const [words, address] = [text.trim(), url.trim()];
  const link = address || (isAddress(words) ? words : "");
  if (link && (!words || words === link || words === title.trim())) return link;
  const parts = [words.includes(title.trim()) ? "" : title.trim(), words];
  if (link && !words.includes(link)) parts.push(link);
  return parts.filter(Boolean).join("\n\n");
}

/** Puts the text into the list of pending notes; it is sent now or when there is a connection. */
export function saveShared(text: string, project: string): void {
  if (text.trim()) saveLater(bodyOf({ text, project: project || undefined }));
}

async function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE, { autoIncrement: true });
  const database = await answerOf(request);
  // Another page removes it when its user signs out.
  database.onversionchange = () => database.close();
  return database;
}

function answerOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
