import { useMemo, useSyncExternalStore } from "react";
import { answerOf, api, type Schemas } from "~/lib/api";
import { createOutbox, newItemId, type State } from "./sending";

/** Notes that the server does not have yet. They are stored in this browser until it confirms them. */
export type Pending = {
  id: string;
  text: string;
  project?: string;
  state: State;
  problem?: string;
};

const outbox = createOutbox<Schemas["MemoryIn"]>("save/", (id, body) =>
  answerOf(api.POST("/v3/memory", { body, params: { header: { "idempotency-key": id } } })),
);
export const { retry, discard, sendPending, start: startSending } = outbox;

/** Stores a note and sends it as soon as possible; returns its id in the list of pending notes. */
export function saveLater(body: Schemas["MemoryIn"]): string {
  const id = newItemId();
  outbox.add([[id, { body }]]);
  return id;
}

export function usePending(): Pending[] {
  const current = useSyncExternalStore(outbox.subscribe, outbox.snapshot);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the snapshot stands for the list
  return useMemo(() => outbox.ids().map(pendingOf), [current]);
}

function pendingOf(id: string): Pending {
  const stored = outbox.item(id);
  return {
    id,
    text: stored?.body.content ?? "",
    project: stored?.body.project ?? undefined,
    state: outbox.stateOf(id),
    problem: stored?.problem,
  };
}
