import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { checkSession } from "~/features/session/session";
import { RememFailure } from "~/lib/api";
import { newId } from "~/lib/ids";
import { t } from "~/lib/language";
import { removeFile, storedFile, storedFileKeys, storeFile } from "~/lib/stored-files";
import { ownKey } from "~/lib/unsaved";
import { type Saved, uploadFile } from "./add";
import { duplicateNote } from "./duplicate-note";
import { createOutbox, newItemId, type State } from "./sending";

/** A file that the server does not have yet, or one that was saved since the page was loaded. */
export type Upload = {
  id: string;
  name: string;
  share: number;
  state: State | "saved" | "known";
  problem?: string;
  /** What saving a known file added to it. */
  note?: string;
  documentId?: string;
};
type Item = { name: string; project?: string; isOwn?: boolean; page: string };
type Finished = Upload & { documentId: string };

const PREFIX = "file/";
const DAY_MS = 86_400_000;
const UNDO_MS = 15_000;
/** Identifies this page among the tabs of this browser, as long as it is open. */
const PAGE = newId();
const pageLock = (page: string) => `remem.page.${page}`;
void navigator.locks?.request(pageLock(PAGE), () => new Promise(() => {}));

const outbox = createOutbox<Item>(PREFIX, async (id, item) => {
  // It must be in this browser before somebody else is found to be signed in.
  await keeping.get(id);
  await checkSession();
  const file = await contentOf(id, item);
  if (!file.size) throw new Error(t("This file is empty."));
  const onProgress = (share: number) => {
    shares.set(id, share);
    outbox.notify();
  };
  return uploadFile(file, item.name, { ...item, key: id, onProgress });
});

const files = new Map<string, File>();
const shares = new Map<string, number>();
const keeping = new Map<string, Promise<void>>();
/** Files that are not stored in this browser yet, or are too large for it. */
const unkept = new Set<string>();
let finished: Finished[] = [];
/** The files of each box that is open; the others are listed in the corner of the page. */
const boxes = new Set<Set<string>>();

/** Stores files and uploads them as soon as possible; `box` lists them as long as it is open. */
function upload(added: File[], box: Set<string>, project?: string, isOwn?: boolean): void {
  const items = added.map((file, place): [string, { body: Item }] => {
    const id = newItemId(place);
    files.set(id, file);
    unkept.add(id);
    box.add(id);
    return [id, { body: { name: file.name || t("Picture"), project, isOwn, page: PAGE } }];
  });
  // One after the other, because each copies its bytes.
  let kept = Promise.resolve();
  for (const [id] of items) {
    kept = kept.then(() => keepContent(id));
    keeping.set(id, kept);
  }
  outbox.add(items);
}

async function keepContent(id: string): Promise<void> {
  const file = files.get(id);
  if (!file) return;
  try {
    await storeFile(ownKey(PREFIX + id), file);
    unkept.delete(id);
  } catch {
    // Without room for it, the page asks before it is closed.
  }
}

async function contentOf(id: string, { page }: Item): Promise<Blob> {
  const known = files.get(id) ?? (await storedFile(ownKey(PREFIX + id)).catch(() => undefined));
  if (known) return known;
  if (await isOpen(page)) throw new RememFailure(0, t("Another tab reads it."), "unreachable");
  throw new Error(t("This browser had no room to keep the file. Add it again."));
}

async function isOpen(page: string): Promise<boolean> {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  return held.some(({ name }) => name === pageLock(page));
}

async function forget(id: string): Promise<void> {
  files.delete(id);
  shares.delete(id);
  unkept.delete(id);
  keeping.delete(id);
  await removeFile(ownKey(PREFIX + id)).catch(() => {});
}

window.addEventListener("beforeunload", (event) => {
  if ([...unkept].some((id) => outbox.item(id))) event.preventDefault();
});

/** Uploads what waits, and calls `onSaved` for each file. */
export function startUploading(onSaved: (saved: Saved) => void): () => void {
  void sweep();
  return outbox.start((saved, id, { name }) => {
    const state = saved.duplicate ? "known" : "saved";
    const note = duplicateNote(saved) || undefined;
    finished = [{ id, name, share: 1, state, note, documentId: saved.id }, ...finished];
    void forget(id);
    outbox.notify();
    onSaved(saved);
  });
}
export const { sendPending: uploadPending } = outbox;

/** Removes contents whose upload ended in a page that was closed before it could do so. */
async function sweep(): Promise<void> {
  const prefix = ownKey(PREFIX);
  for (const key of await storedFileKeys(prefix).catch(() => [])) {
    const id = key.slice(prefix.length);
    const isOld = Date.now() - Number.parseInt(id, 10) > DAY_MS;
    if (isOld && !outbox.item(id)) await removeFile(key).catch(() => {});
  }
}

/** Removes all files of this person, whose account is deleted. */
export async function forgetUploads(): Promise<void> {
  for (const key of await storedFileKeys(ownKey(PREFIX)).catch(() => [])) await removeFile(key);
}

export const retryUpload = (upload: Upload) => outbox.retry(upload.id);

/** Removes a file that was not saved, and returns a function that brings it back. */
export function discardUpload({ id }: Upload): () => void {
  const restore = outbox.discard(id);
  setTimeout(() => {
    if (!outbox.item(id)) void forget(id);
  }, UNDO_MS);
  return restore;
}

let version = 0;
const listeners = new Set<() => void>();
outbox.subscribe(() => {
  version += 1;
  for (const listener of listeners) listener();
});

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Newest first, those that are not saved yet before the others. */
function useAll(): Upload[] {
  const current = useSyncExternalStore(subscribe, () => version);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version stands for the list
  return useMemo(() => [...outbox.ids().reverse().map(pendingOf), ...finished], [current]);
}

function pendingOf(id: string): Upload {
  const stored = outbox.item(id);
  const name = stored?.body.name ?? "";
  const share = shares.get(id) ?? 0;
  return { id, name, share, state: outbox.stateOf(id), problem: stored?.problem };
}

/** The files that are added to a box, as long as it is open. */
export function useUploads() {
  const [own] = useState(() => new Set<string>());
  const uploads = useAll().filter(({ id }) => own.has(id));
  useEffect(() => {
    boxes.add(own);
    return () => {
      boxes.delete(own);
      removeFinished(own);
    };
  }, [own]);
  const send = useCallback(
    (added: File[], project?: string, isOwn?: boolean) => upload(added, own, project, isOwn),
    [own],
  );
  return { uploads, send };
}

/** The files that no open box shows: dropped anywhere, or added before the page was loaded. */
export function useOtherUploads() {
  const uploads = useAll().filter(({ id }) => ![...boxes].some((box) => box.has(id)));
  const send = useCallback(
    (added: File[], project?: string) => upload(added, new Set(), project),
    [],
  );
  return { uploads, send };
}

/** Removes files that are saved from the list, and discards those that were refused. */
export function clearUploads(uploads: Upload[]): void {
  for (const shown of uploads) if (shown.state === "failed") discardUpload(shown);
  removeFinished(new Set(uploads.map(({ id }) => id)));
}

function removeFinished(ids: Set<string>): void {
  finished = finished.filter(({ id }) => !ids.has(id));
  outbox.notify();
}
