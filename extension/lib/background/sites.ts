/** Where a script of ours may speak: tabs in which the panel was opened, and sites switched on. */

import { browser } from "wxt/browser";
import { readSettings } from "../settings";

const SCRIPT = "chat";
type Opened = Record<string, string>;

/** Remember that the person opened something of ours on this page of this tab. */
export async function rememberOpened(tab: number, url: string): Promise<void> {
  const opened = { ...(await readOpened()), [tab]: new URL(url).origin };
  await browser.storage.session.set({ opened });
}

export async function forgetOpened(tab: number): Promise<void> {
  const { [tab]: _gone, ...opened } = await readOpened();
  await browser.storage.session.set({ opened });
}

async function readOpened(): Promise<Opened> {
  return ((await browser.storage.session.get("opened")).opened ?? {}) as Opened;
}

export async function isOpenedIn(tab: number, origin: string): Promise<boolean> {
  if ((await readOpened())[tab] === origin) return true;
  return (await readSettings()).sites.includes(origin);
}

/** The button stands on exactly the sites that the person switched on and still allows. */
export async function registerSites(): Promise<void> {
  const { sites } = await readSettings();
  const allowed: string[] = [];
  for (const origin of sites) {
    const pattern = `${origin}/*`;
    if (await browser.permissions.contains({ origins: [pattern] })) allowed.push(pattern);
  }
  const registered = await browser.scripting.getRegisteredContentScripts({ ids: [SCRIPT] });
  if (registered.length) await browser.scripting.unregisterContentScripts({ ids: [SCRIPT] });
  if (!allowed.length) return;
  await browser.scripting.registerContentScripts([
    {
      id: SCRIPT,
      js: ["chat.js"],
      matches: allowed,
      runAt: "document_idle",
      persistAcrossSessions: true,
    },
  ]);
}
