import { answerOf, api, isStatus, messageOf, type Schemas } from "~/lib/api";

/** Notes added while offline, stored in this browser until they can be sent. */
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

/** Sends the waiting notes, oldest first. The server recognizes identical content, so sending twice is safe. */
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
