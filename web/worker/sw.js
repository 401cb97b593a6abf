/**
 * The service worker: it keeps the app's own files, so that the app opens without a connection, and
 * receives what other apps share. It never stores a reply of the API: the page does that, because
 * only the page knows whose it is.
 *
 * The build writes `BUILD`, a checksum of the app, and `FILES`, the files that it needs to start.
 */
/** The path of the app: `/`, or one below which a proxy publishes it. */
const BASE = new URL("./", location.href).pathname;
const PREFIX = `remem-app${BASE}`;
const NAME = PREFIX + BUILD;
const SHELL = `${BASE}dashboard`;
const KEPT = FILES.map((name) => BASE + name);
/** Paths that the server answers itself, in a page as well. */
const SERVER =
  /^(?:v1|v3|api|admin|oauth|mcp|open|docs|health|metrics|calendar|\.well-known|extension\/.)/;

self.addEventListener("install", (event) => {
  event.waitUntil(keepFiles());
});

self.addEventListener("activate", (event) => {
  event.waitUntil(takeOver());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) return;
  if (request.mode === "navigate") {
    if (request.method === "POST" && pathname === `${BASE}share`)
      event.respondWith(takeShared(request));
    else if (request.method === "GET" && !SERVER.test(pathname.slice(BASE.length)))
      event.respondWith(openPage(request));
  } else if (request.method === "GET") {
    if (isAsset(pathname)) event.respondWith(asset(request));
    else if (KEPT.includes(pathname)) event.respondWith(rootFile(request));
  }
});

function isAsset(path) {
  return path.startsWith(`${BASE}assets/`);
}

async function keepFiles() {
  const cache = await caches.open(NAME);
  // Files in /assets never change under their name; the others must not come from an old cache.
  await cache.addAll(
    KEPT.map((path) => (isAsset(path) ? path : new Request(path, { cache: "reload" }))),
  );
  await self.skipWaiting();
}

/** A page that is open still needs the files of the build before this one. */
async function takeOver() {
  const others = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== NAME);
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
  // The browser would request a page that the server answers itself twice: a sign-in counts once.
  await self.registration.navigationPreload?.disable();
  await self.clients.claim();
}

/** A page is never stale: the kept one is shown only without a connection. */
async function openPage(request) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match(SHELL, { cacheName: NAME })) ?? Response.error();
  }
}

async function asset(request) {
  const kept = await caches.match(request, { ignoreVary: true });
  if (kept) return kept;
  const reply = await fetch(request);
  if (reply.ok) {
    const copy = reply.clone();
    // It is kept only if there is room.
    caches
      .open(NAME)
      .then((cache) => cache.put(request, copy))
      .catch(() => {});
  }
  return reply;
}

async function rootFile(request) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match(request, { cacheName: NAME, ignoreVary: true })) ?? Response.error();
  }
}

/** Stores what another app shares until a person saves or discards it on the page. */
async function takeShared(request) {
  const form = await request.formData();
  const text = (name) => String(form.get(name) ?? "");
  await storeShared({
    title: text("title"),
    text: text("text"),
    url: text("url"),
    files: form.getAll("files").filter((file) => file instanceof File && file.size > 0),
  });
  return Response.redirect(`${BASE}share`, 303);
}

function storeShared(shared) {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open("remem-shared", 1);
    opening.onupgradeneeded = () => {
      opening.result.createObjectStore("shared", { autoIncrement: true });
    };
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const transaction = opening.result.transaction("shared", "readwrite");
      transaction.objectStore("shared").add(shared);
      transaction.oncomplete = () => {
        opening.result.close();
        resolve();
      };
      transaction.onabort = () => reject(transaction.error);
    };
  });
}
