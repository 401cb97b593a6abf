import { BASE_PATH } from "./base";
import { catalogueUrl } from "./language";

/** Installs the service worker, which opens the app without a connection, and looks for new ones. */
const LOOK_MS = 60 * 60_000;

let isOutdated = false;

export function startServiceWorker(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  const worker = navigator.serviceWorker;
  const hadWorker = worker.controller !== null;
  worker.addEventListener("controllerchange", () => {
    isOutdated = hadWorker;
    // The first page was loaded without the worker, which keeps the catalogue from now on.
    const catalogue = catalogueUrl();
    if (catalogue) void fetch(catalogue).catch(() => {});
  });
  const start = async () => {
    const registration = await worker
      .register(`${BASE_PATH}/sw.js`, { updateViaCache: "none" })
      .catch(() => undefined);
    if (!registration) return;
    let looked = Date.now();
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState !== "visible" || Date.now() - looked < LOOK_MS) return;
      looked = Date.now();
      void registration.update().catch(() => {});
    });
  };
  // The first page is shown first.
  if (document.readyState === "complete") void start();
  else window.addEventListener("load", () => void start());
}

/** Loads the new version when the user goes to another page. Drafts survive that. */
export function reloadIfOutdated(): void {
  if (!isOutdated || !navigator.onLine) return;
  isOutdated = false;
  window.location.reload();
}
