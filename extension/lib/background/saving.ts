/** Save to the queue first, then to the server. */

import { browser } from "wxt/browser";
import type { Choices, Draft } from "../draft";
import { Failure, type SaveResult } from "../messages";
import {
  attempt,
  drain,
  type Entry,
  enqueue,
  listQueue,
  type Outcome,
  RETRY_MS,
  saveResult,
} from "../queue";
import { sendEntry } from "../server/calls";
import { openStore } from "../store";
import { t } from "../words";

export const ALARM = "queue";
export const queueStore = openStore<Entry>("queue");

export async function save(draft: Draft, choices: Choices, file?: Blob): Promise<SaveResult> {
  const entry = await addToQueue(draft, choices, file);
  await browser.alarms.create(ALARM, { periodInMinutes: 1 });
  await showBadge();
  const outcome = await sendNow(entry);
  await showBadge();
  if (outcome.type === "refused") throw new Failure("refused", outcome.problem);
  if (outcome.type === "sign-in") throw new Failure("sign_in", outcome.problem);
  return saveResult(outcome, (await listQueue(queueStore)).length);
}

async function addToQueue(draft: Draft, choices: Choices, file?: Blob): Promise<Entry> {
  try {
    return await enqueue(queueStore, draft, choices, file);
  } catch (error) {
    if (error instanceof Failure) throw new Failure(error.code, t("problem_queue_full"));
    throw error;
  }
}

/** Make three attempts while the popup waits; later ones are made by the alarm. */
async function sendNow(entry: Entry): Promise<Outcome> {
  let outcome: Outcome = { type: "wait", problem: "" };
  for (const waitMs of RETRY_MS) {
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    outcome = await exclusively(() => attemptIfQueued(entry));
    if (outcome.type !== "wait") break;
  }
  return outcome;
}

/** Send the entry, unless the alarm has saved it in the meantime. */
async function attemptIfQueued(entry: Entry): Promise<Outcome> {
  const current = await queueStore.get(entry.id);
  if (!current) return { type: "saved", status: "existing", chunks: 0, id: "" };
  return attempt(queueStore, current, sendEntry);
}

export async function drainQueue(): Promise<void> {
  await exclusively(() => drain(queueStore, sendEntry));
  const waiting = (await queueStore.all()).some(({ state }) => state !== "failed");
  if (!waiting) await browser.alarms.clear(ALARM);
  await showBadge();
}

/** Run one sender at a time: two windows, or a save and the alarm, may want to send at once. */
function exclusively<T>(act: () => Promise<T>): Promise<T> {
  return navigator.locks.request("remem-queue", act) as Promise<T>;
}

/** Show the number of waiting items, or "!" if the user has to act. */
export async function showBadge(): Promise<void> {
  const queue = await listQueue(queueStore);
  const needsAction = queue.some(({ state }) => state !== "waiting");
  const text = needsAction ? "!" : queue.length ? String(queue.length) : "";
  await browser.action.setBadgeText({ text });
  await browser.action.setBadgeBackgroundColor({ color: needsAction ? "#b3261e" : "#0b6b62" });
}
