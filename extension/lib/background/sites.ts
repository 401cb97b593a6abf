/** Where a content script may send messages: tabs in which the panel was opened, and enabled sites. */

import { browser } from "wxt/browser";
import { changeSettings, readSettings } from "../settings";

const SCRIPT = "chat";
type Opened = Record<string, string>;

/** Remember that the user opened the extension on this site in this tab. */
export async function rememberOpened(tab: number, url: string): Promise<void> {
  const opened = { ...(await readOpened()), [tab]: new URL(url).origin };
  await browser.storage.session.set({ opened });
}

export async function forgetOpened(tab: number): Promise<void> {
  const { [tab]: _closed, ...opened } = await readOpened();
  await browser.storage.session.set({ opened });
}

async function readOpened(): Promise<Opened> {
  return ((await browser.storage.session.get("opened")).opened ?? {}) as Opened;
}

export async function isOpenedIn(tab: number, origin: string): Promise<boolean> {
  if ((await readOpened())[tab] === origin) return true;
  return (await readSettings()).sites.includes(origin);
}

/** Show the button on the sites that the user enabled and still allows. The lock is needed because
 * removing a permission causes an event and a message at the same time. */
export async function registerSites(): Promise<void> {
  await navigator.locks.request("remem-sites", registerAllowed);
}

async function registerAllowed(): Promise<void> {
  const allowed = (await allowedSites()).map((origin) => `${origin}/*`);
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
  await showInOpenTabs(allowed);
}

/** The enabled sites that are still allowed; sites whose permission was revoked in the browser are disabled. */
async function allowedSites(): Promise<string[]> {
  const { sites } = await readSettings();
  const allowed: string[] = [];
  for (const origin of sites) {
    if (await browser.permissions.contains({ origins: [`${origin}/*`] })) allowed.push(origin);
  }
  if (allowed.length < sites.length) await changeSettings({ sites: allowed });
  return allowed;
}

/** Show the button without a reload. The script can run again; it shows only one button. */
async function showInOpenTabs(patterns: string[]): Promise<void> {
  for (const { id } of await browser.tabs.query({ url: patterns })) {
    if (id === undefined) continue;
    const target = { tabId: id };
    await browser.scripting.executeScript({ target, files: ["/chat.js"] }).catch(() => undefined);
  }
}
