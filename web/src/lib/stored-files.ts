/**
 * Files that the server does not have yet. This browser stores a copy of their content, because a page
 * that is loaded again may not read the original any more.
 */
const STORE = "files";

let opened: Promise<IDBDatabase> | undefined;

function openDatabase(): Promise<IDBDatabase> {
  opened ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open("remem-files", 1);
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

async function write(change: (store: IDBObjectStore) => void): Promise<void> {
  const transaction = (await openDatabase()).transaction(STORE, "readwrite");
  change(transaction.objectStore(STORE));
  await new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
}

function answerOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Fails if the browser has no room for it. */
export async function storeFile(key: string, file: Blob): Promise<void> {
  await write((store) => store.put(file, key));
}

export async function storedFile(key: string): Promise<Blob | undefined> {
  const store = (await openDatabase()).transaction(STORE).objectStore(STORE);
  return answerOf(store.get(key) as IDBRequest<Blob | undefined>);
}

export async function removeFile(key: string): Promise<void> {
  await write((store) => store.delete(key));
}

export async function storedFileKeys(prefix: string): Promise<string[]> {
  const store = (await openDatabase()).transaction(STORE).objectStore(STORE);
  const keys = await answerOf(store.getAllKeys(IDBKeyRange.bound(prefix, `${prefix}\uffff`)));
  return keys.map(String);
}
