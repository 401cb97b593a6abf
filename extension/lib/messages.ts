/** The messages between the parts of the extension, and their answers. */

import { browser } from "wxt/browser";
import type { Choices, Draft } from "./draft";
import type { Composer } from "./insert/composer";
import type { SavedPage } from "./server/saved";
import { t } from "./words";

export type Project = { id: string; name: string; slug: string; isDefault: boolean };
export type Hit = {
  id: string;
  title: string;
  text: string;
  date: string;
  url: string;
  /** A memory is a single statement; a document contains it among others. */
  kind: "document" | "memory";
};
export type QueueItem = {
  id: string;
  title: string;
  state: "waiting" | "failed" | "sign-in";
  problem?: string;
};
export type SaveResult = {
  status: "saved" | "existing" | "processing" | "waiting";
  chunks: number;
  id?: string;
  /** Of what was saved before: the tags that it got, and the fields that it keeps as they were. */
  addedTags?: string[];
  notTaken?: string[];
  /** What became of the copy of the page, if one was asked for. */
  copy?: "kept" | "too_large" | "failed";
  waiting: number;
  /** Why it waits. */
  problem?: string;
};
export type Status = {
  base: string;
  signedIn: boolean;
  account?: string;
  queue: QueueItem[];
  sites: string[];
  automatic: boolean;
  lastProject?: string;
};
export type Post = { id: string; draft: Extract<Draft, { kind: "text" }> };
export type BatchResult = { added: number; known: number };

/** Requests that content scripts may send. No answer contains a credential. */
export type PageRequest =
  | { type: "recall"; query: string; project?: string; limit: number }
  | { type: "composers" }
  | { type: "chat" }
  | { type: "open-options" }
  | { type: "bookmarks"; posts: Post[] };

/** Requests that only the extension's own pages may send. */
export type OwnRequest =
  | { type: "save"; draft: Draft; choices: Choices; tab?: number }
  | { type: "capture"; tab: number }
  | { type: "saved-page"; tab: number }
  | { type: "highlight"; tab: number }
  | { type: "projects" }
  | { type: "tags" }
  | { type: "status" }
  | { type: "check" }
  | { type: "sign-in"; base: string; key?: string }
  | { type: "sign-out" }
  | { type: "sites"; origins: string[] }
  | { type: "automatic"; on: boolean }
  | { type: "collect-bookmarks"; tab: number }
  | { type: "queue"; action: "retry" | "drop"; id?: string };

export type Request = PageRequest | OwnRequest;

export type Answers = {
  recall: Hit[];
  composers: Composer[];
  chat: { composers: Composer[]; automatic: boolean };
  "open-options": null;
  bookmarks: BatchResult;
  save: SaveResult;
  capture: Draft;
  "saved-page": SavedPage | null;
  highlight: SavedPage | null;
  projects: Project[];
  tags: string[];
  status: Status;
  /** What is wrong with the server, or its version if it is newer than the extension. */
  check: { problem?: Problem; newer?: string };
  "sign-in": Status;
  "sign-out": Status;
  sites: Status;
  automatic: Status;
  "collect-bookmarks": null;
  queue: Status;
};

export type Problem = { code: string; text: string };
export type Answer<T> = { ok: true; value: T } | { ok: false; problem: Problem };

/** A `Problem` as an exception. */
export class Failure extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

export async function ask<R extends Request>(request: R): Promise<Answers[R["type"]]> {
  const answer: Answer<Answers[R["type"]]> | undefined = await browser.runtime.sendMessage(request);
  if (!answer) throw new Failure("no_answer", t("problem_reload"));
  if (!answer.ok) throw new Failure(answer.problem.code, answer.problem.text);
  return answer.value;
}
