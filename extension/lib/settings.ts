/** The settings in `storage.local`. Content scripts can read them, so they contain no credential. */

import { browser } from "wxt/browser";
import type { Composer } from "./insert/composer";
import type { Project } from "./messages";

export type Settings = {
  base: string;
  account?: string;
  lastProject?: string;
  projects?: Project[];
  tags?: string[];
  /** Origins for which the user enabled the button. */
  sites: string[];
  /** Whether the button shows the number of matches while the user types. */
  automatic: boolean;
  composers?: Composer[];
};

export const DEFAULT_BASE = "http://127.0.0.1:8080";
const DEFAULTS: Settings = { base: DEFAULT_BASE, sites: [], automatic: false };

export async function readSettings(): Promise<Settings> {
  const stored = await browser.storage.local.get("settings");
  return { ...DEFAULTS, ...(stored.settings as Partial<Settings> | undefined) };
}

/** Change settings, one change at a time, so that concurrent changes do not overwrite each other. */
export async function changeSettings(changes: Partial<Settings>): Promise<Settings> {
  return await navigator.locks.request("remem-settings", async () => {
    const settings = { ...(await readSettings()), ...changes };
    await browser.storage.local.set({ settings });
    return settings;
  });
}

/** Listen for changes, also in content scripts. Returns a function that stops it. */
export function watchSettings(onChange: (settings: Settings) => void): () => void {
  const listener = (changes: Record<string, { newValue?: unknown }>) => {
    const changed = changes.settings?.newValue as Partial<Settings> | undefined;
    if (changed) onChange({ ...DEFAULTS, ...changed });
  };
  browser.storage.local.onChanged.addListener(listener);
  return () => browser.storage?.local.onChanged.removeListener(listener);
}
