/** Answer the messages of the extension's pages and content scripts. */

import { browser } from "wxt/browser";
import { isHost } from "../capture/page";
import { BUILT_IN, parseComposers } from "../insert/composer";
import {
  type Answer,
  type Answers,
  Failure,
  type OwnRequest,
  type PageRequest,
  type Request,
  type Status,
} from "../messages";
import { drop, listQueue, retry } from "../queue";
import { checkServer, compareVersions, findServer } from "../server/address";
import {
  describe,
  fetchAccount,
  fetchComposers,
  fetchProjects,
  fetchTags,
  recall,
} from "../server/calls";
import { readCredential } from "../server/credentials";
import { revoke, signIn, signInWithKey, signOut } from "../server/sign-in";
import { changeSettings, readSettings } from "../settings";
import { saveBookmarks, startBookmarks } from "./bookmarks";
import { captureTab, downloadFile } from "./capturing";
import { keepCopy } from "./copying";
import { highlightSelection, showSavedPage } from "./highlighting";
import { drainQueue, queueStore, save, showBadge } from "./saving";
import { isOpenedIn, registerSites } from "./sites";

type Sender = { id?: string; url?: string; origin?: string; tab?: { id?: number; url?: string } };

const PAGE_REQUESTS = new Set<Request["type"]>([
  "recall",
  "composers",
  "chat",
  "open-options",
  "bookmarks",
]);
const QUERY_LIMIT = 4_000;
const HITS_LIMIT = 10;

export async function handle(request: Request, sender: Sender): Promise<Answer<unknown>> {
  try {
    return { ok: true, value: await dispatch(request, sender) };
  } catch (error) {
    return { ok: false, problem: describe(error) };
  }
}

async function dispatch(request: Request, sender: Sender): Promise<Answers[Request["type"]]> {
  if (sender.id !== browser.runtime.id) throw new Failure("foreign", "Not from this extension.");
  if (isOwnPage(sender)) return answerOwn(request);
  if (!PAGE_REQUESTS.has(request.type)) throw new Failure("foreign", "Not for a page.");
  await requireOpened(request.type, sender);
  return answerPage(request as PageRequest);
}

function isOwnPage({ url }: Sender): boolean {
  return url?.startsWith(browser.runtime.getURL("/")) === true;
}

/** Accept messages of a content script only where the user opened the panel or enabled the site. */
async function requireOpened(type: Request["type"], { tab, url }: Sender): Promise<void> {
  if (tab?.id === undefined || !url || !(await isOpenedIn(tab.id, new URL(url).origin))) {
    throw new Failure("foreign", "Not opened here.");
  }
  if (type === "bookmarks" && !isHost(new URL(url), "x.com", "twitter.com")) {
    throw new Failure("foreign", "Not a page of X.");
  }
}

async function answerPage(request: PageRequest): Promise<Answers[PageRequest["type"]]> {
  switch (request.type) {
    case "recall":
      return recall(
        String(request.query).slice(-QUERY_LIMIT),
        Math.min(Number(request.limit) || HITS_LIMIT, HITS_LIMIT),
        request.project === undefined ? undefined : String(request.project),
      );
    case "composers":
      return (await readSettings()).composers ?? BUILT_IN;
    case "chat":
      return chatSettings();
    case "open-options":
      await browser.runtime.openOptionsPage();
      return null;
    case "bookmarks":
      return saveBookmarks(request.posts);
  }
}

async function chatSettings(): Promise<Answers["chat"]> {
  const { composers = BUILT_IN, automatic } = await readSettings();
  return { composers, automatic };
}

async function answerOwn(request: Request): Promise<Answers[Request["type"]]> {
  switch (request.type) {
    case "capture":
      return captureTab(request.tab);
    case "saved-page":
      return showSavedPage(request.tab);
    case "highlight":
      return highlightSelection(request.tab);
    case "save":
      return saveChosen(request);
    case "projects":
      return cached("projects", fetchProjects);
    case "tags":
      return cached("tags", fetchTags);
    case "status":
      return status();
    case "check":
      return check();
    case "sign-in":
      return connect(request.base, request.key);
    case "sign-out":
      await signOut();
      await changeSettings({ account: undefined, projects: undefined, tags: undefined });
      return status();
    case "sites":
      await changeSettings({ sites: request.origins });
      await registerSites();
      return status();
    case "automatic":
      await changeSettings({ automatic: request.on });
      return status();
    case "collect-bookmarks":
      await startBookmarks(request.tab);
      return null;
    case "queue":
      await (request.action === "retry"
        ? retry(queueStore, request.id)
        : drop(queueStore, request.id));
      if (request.action === "retry") await drainQueue();
      await showBadge();
      return status();
    default:
      return answerPage(request);
  }
}

async function saveChosen({ draft, choices, tab }: Extract<OwnRequest, { type: "save" }>) {
  const file = draft.kind === "file" ? await downloadFile(draft, true) : undefined;
  const result = await save(draft, choices, file);
  await changeSettings({ lastProject: choices.project });
  if (!choices.copy || tab === undefined || !result.id) return result;
  return { ...result, copy: await keepCopy(tab, result.id) };
}

/** Fetch a list, or return the last known one if the server cannot be reached. */
async function cached<K extends "projects" | "tags">(
  name: K,
  fetchAll: () => Promise<Answers[K]>,
): Promise<Answers[K]> {
  try {
    const list = await fetchAll();
    await changeSettings({ [name]: list });
    return list;
  } catch (error) {
    const known = (await readSettings())[name] as Answers[K] | undefined;
    if (known) return known;
    throw error;
  }
}

async function connect(typed: string, key?: string): Promise<Status> {
  const base = await findServer(typed);
  const former = await readCredential();
  await (key ? signInWithKey(base, key) : signIn(base));
  // Only now, so that the user stays connected if the sign-in fails.
  await revoke(former);
  // Ids of one server are not valid on another.
  const isOtherServer = former?.base !== base;
  const cleared = {
    projects: undefined,
    tags: undefined,
    ...(isOtherServer ? { lastProject: undefined } : {}),
  };
  await changeSettings({ base, ...cleared });
  await changeSettings({ account: await fetchAccount() });
  await refreshComposers();
  await drainQueue();
  return status();
}

/** Check whether the server can be used now, for the settings page. */
async function check(): Promise<Answers["check"]> {
  const { base } = await readSettings();
  try {
    const version = await checkServer(base);
    await fetchAccount();
    const { version: own } = browser.runtime.getManifest();
    return compareVersions(version, own) > 0 ? { newer: version } : {};
  } catch (error) {
    return { problem: describe(error) };
  }
}

export async function refreshComposers(): Promise<void> {
  try {
    await changeSettings({ composers: parseComposers(await fetchComposers()) });
  } catch {
    // An older server has no table; keep the built-in one.
  }
}

async function status(): Promise<Status> {
  const { base, account, sites, automatic, lastProject } = await readSettings();
  const credential = await readCredential();
  const queue = await listQueue(queueStore);
  return {
    base,
    signedIn: credential?.base === base,
    account,
    queue,
    sites,
    automatic,
    lastProject,
  };
}
