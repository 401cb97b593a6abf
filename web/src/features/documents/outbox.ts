import { answerOf, api, isStatus, messageOf, type Schemas } from "~/lib/api";

/** What was added while offline, kept in this browser until it can be sent. */
const KEY = "remem.outbox";

type Waiting = Schemas["MemoryIn"];

export function waitingToBeSent(): Waiting[] {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "[]") as Waiting[];
  } catch {
    return [];
  }
}

function store(items: Waiting[]): void {
  if (items.length) localStorage.setItem(KEY, JSON.stringify(items));
  else localStorage.removeItem(KEY);
}

export function queueLater(item: Waiting): void {
  store([...waitingToBeSent(), item]);
}

/** Sends what waits, oldest first; identical content is recognised, so twice does no harm. */
export async function sendWaiting(): Promise<{
  sent: number;
  problem?: string;
}> {
  let sent = 0;
  for (const body of waitingToBeSent()) {
    try {
      await answerOf(api.POST("/v3/memory", { body }));
    } catch (error) {
      if (isStatus(error, 0) || isStatus(error, 401)) return { sent };
      return { sent, problem: messageOf(error) };
    }
    sent += 1;
    store(waitingToBeSent().slice(1));
  }
  return { sent };
}
