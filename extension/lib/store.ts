/** The extension's IndexedDB: content scripts cannot read it, and it can store files. */

const NAME = "remem";
const STORES = ["queue", "secrets"] as const;
type StoreName = (typeof STORES)[number];

export type Store<T> = {
  get(id: string): Promise<T | undefined>;
  all(): Promise<T[]>;
  put(id: string, value: T): Promise<void>;
  remove(id: string): Promise<void>;
};

export function openStore<T>(name: StoreName): Store<T> {
  return {
    get: (id) => run(name, "readonly", (store) => store.get(id) as IDBRequest<T | undefined>),
    all: () => run(name, "readonly", (store) => store.getAll() as IDBRequest<T[]>),
    put: async (id, value) => void (await run(name, "readwrite", (store) => store.put(value, id))),
    remove: (id) => run(name, "readwrite", (store) => store.delete(id)),
  };
}

async function run<R>(
  name: StoreName,
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<R>,
): Promise<R> {
  const database = await open();
  try {
    const transaction = database.transaction(name, mode);
    const request = act(transaction.objectStore(name));
    await new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
      transaction.onerror = () => reject(transaction.error);
    });
    return request.result;
  } finally {
    database.close();
  }
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      for (const name of STORES) request.result.createObjectStore(name);
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
