/** Runs on the bookmarks page of X after a click, and saves all bookmarks. */

import { defineUnlistedScript } from "wxt/utils/define-unlisted-script";
import { collect, type Progress, readBookmarks } from "@/lib/capture/bookmarks";
import { rootOf } from "@/lib/dom";
import { element, openShadow, place, raise } from "@/lib/insert/shadow";
import { ask } from "@/lib/messages";
import { t } from "@/lib/words";

const PAUSE_MS = [1_000, 2_000] as const;
/** X loads more posts when the last ones are shown, which may need a few tries. */
const TRIES_AT_THE_END = 3;

export default defineUnlistedScript(async () => {
  if (!location.pathname.startsWith("/i/bookmarks")) return;
  let stopped = false;
  const { status, button, close } = showProgress(() => {
    stopped = true;
  });
  try {
    const total = await collect({
      read: () => readBookmarks(document, new URL(location.href)),
      send: (posts) => ask({ type: "bookmarks", posts }),
      scroll,
      isStopped: () => stopped,
      onProgress: ({ added, known }) => {
        status.textContent = t("bookmarks_progress", added, known);
      },
    });
    status.textContent = t("bookmarks_done", total.added, total.known);
  } catch (error) {
    status.textContent = (error as Error).message;
  }
  button.textContent = t("panel_close");
  button.addEventListener("click", close);
});

async function scroll(): Promise<boolean> {
  for (let tries = 0; tries < TRIES_AT_THE_END; tries += 1) {
    const before = scrollY;
    const height = rootOf(document).scrollHeight;
    scrollBy({ top: innerHeight * 0.8 });
    await pause();
    if (scrollY > before || rootOf(document).scrollHeight > height) return true;
  }
  return false;
}

function pause(): Promise<void> {
  const [min, max] = PAUSE_MS;
  return new Promise((resolve) => setTimeout(resolve, min + Math.random() * (max - min)));
}

function showProgress(stop: () => void) {
  const { host, root } = openShadow("remem-bookmarks");
  const initial: Progress = { added: 0, known: 0 };
  const status = element(
    "p",
    { class: "text", role: "status" },
    t("bookmarks_progress", initial.added, initial.known),
  );
  const button = element("button", { type: "button", class: "primary" }, t("bookmarks_stop"));
  button.addEventListener("click", stop, { once: true });
  const heading = element("header", {}, element("h1", {}, t("bookmarks_title")));
  root.append(
    element(
      "section",
      { class: "panel" },
      heading,
      status,
      element("footer", {}, element("span", {}), button),
    ),
  );
  raise(host);
  place(host, null);
  return { status, button, close: () => host.remove() };
}
