/** What is kept in `storage.local`. Content scripts can read it, so it contains no credential. */

import { browser } from "wxt/browser";
import type { Composer } from "./insert/composer";
import type { Project } from "./messages";

export type Settings = {
  base: string;
  account?: string;
  lastProject?: string;
  projects?: Project[];
  tags?: string[];
  /** Origins on which the person switched the button on. */
  sites: string[];
  /** Whether the button counts matches while the person types. */
  automatic: boolean;
  composers?: Composer[];
};

export const DEFAULT_BASE = "http://127.0.0.1:8080";
const DEFAULTS: Settings = { base: DEFAULT_BASE, sites: [], automatic: false };

export async function readSettings(): Promise<Settings> {
  const stored = await browser.storage.local.get("settings");
  return { ...DEFAULTS, ...(stored.settings as Partial<Settings> | undefined) };
}

/** One change at a time: two that read the same settings would undo each other. */
export async function changeSettings(changes: Partial<Settings>): Promise<Settings> {
  return await navigator.locks.request("remem-settings", async () => {
    const settings = { ...(await readSettings()), ...changes };
    await browser.storage.local.set({ settings });
    return settings;
  });
}

/** Also in a page's script. Returns what ends it. */
export function watchSettings(onChange: (settings: Settings) => void): () => void {
  const listener = (changes: Record<string, { newValue?: unknown }>) => {
    const changed = changes.settings?.newValue as Partial<Settings> | undefined;
    if (changed) onChange({ ...DEFAULTS, ...changed });
  };
  browser.storage.local.onChanged.addListener(listener);
  return () => browser.storage?.local.onChanged.removeListener(listener);
}
