import { infiniteQueryOptions } from "@tanstack/react-query";
import { answerOf, api, type Schemas } from "~/lib/api";

export type Event = Schemas["EventOut"];

/** What happened, by the type of the event. */
const LABELS: Record<string, string> = {
  create: "Created",
  update: "Changed",
  edit: "Changed",
  delete: "Deleted",
  erase: "Erased",
  forget: "Forgotten",
  expire: "Expired",
  restore: "Restored",
  supersede: "Replaced",
  relate: "Connected",
  mentions: "Names found in",
  graph_extract: "Names found in",
  extend: "Added to",
  merge: "Merged",
  move: "Moved",
  access: "Read",
  lifecycle: "Reviewed",
  review: "Reviewed",
  feedback: "Rated",
  derive: "Derived",
  archive: "Archived",
  close: "Closed",
  revoke: "Revoked",
  reuse: "Used again",
  retry: "Tried again",
  consolidation_merge: "Merged",
  consolidation_decay: "Set aside",
  consolidation_promote: "Made stronger",
  consolidation_undo: "Undone",
  evolution_policy: "Chose how to search in",
  evolution_arena: "Compared ways to search",
  evolution_embedding: "Prepared texts for search by meaning",
  evolution_derivation: "Looked for what follows from memories",
  evolution_consolidation: "Tidied up memories",
  evolution_graph: "Connected what belongs together",
  evolution_learning_propagation: "Learned from your answers",
};

/** What it happened to. */
const KINDS: Record<string, string> = {
  api_key: "API key",
  grant: "connected app",
  session: "conversation",
  member: "member",
  feed: "feed",
  // The label says it all.
  evolution_job: "",
};

function plain(name: string): string {
  return name.replaceAll(/[._]/g, " ");
}

export function eventLabel(type: string): string {
  const words = plain(type);
  return LABELS[type] ?? words.slice(0, 1).toUpperCase() + words.slice(1);
}

export function subjectKindLabel(kind: string): string {
  return KINDS[kind] ?? plain(kind);
}

const PATHS: Record<string, (id: string) => string> = {
  memory: (id) => `/memories/${id}`,
  document: (id) => `/memory/${id}`,
  session: (id) => `/ask?session=${id}`,
  project: () => "/projects",
  api_key: () => "/settings#keys",
  grant: () => "/settings#grants",
  member: () => "/settings#members",
  import: () => "/settings#import",
  evolution_job: () => "/evolution?tab=jobs",
};
const GONE = ["delete", "erase"];

/** Where the item is, unless it is gone. A conversation without a name is another one's, or gone. */
export function eventPath({ type, subjectKind, subjectId, subjectName }: Event): string | null {
  if (GONE.includes(type) || (subjectKind === "session" && !subjectName)) return null;
  return PATHS[subjectKind]?.(subjectId) ?? null;
}

export type EventFilter = { type?: string; subject?: string };

export function eventsQuery(filter: EventFilter) {
  return infiniteQueryOptions({
    queryKey: ["events", filter],
    queryFn: ({ pageParam, signal }) => {
      const query = {
        limit: 50,
        ...(filter.type ? { type: filter.type } : {}),
        ...(filter.subject ? { subject: filter.subject } : {}),
        ...(pageParam ? { cursor: pageParam } : {}),
      };
      return answerOf(api.GET("/api/events", { params: { query }, signal }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
}
