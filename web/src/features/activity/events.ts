import { infiniteQueryOptions } from "@tanstack/react-query";
import { answerOf, api, type Schemas } from "~/lib/api";

export type Event = Schemas["EventOut"];

/** Labels of the event types. */
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
  mentions: "Found names in",
  graph_extract: "Found names in",
  extend: "Added to",
  merge: "Merged",
  move: "Moved",
  access: "Read",
  lifecycle: "Reviewed",
  review: "Reviewed",
  feedback: "Rated",
  derive: "Found",
  archive: "Archived",
  close: "Closed",
  revoke: "Revoked",
  reuse: "Used again",
  retry: "Tried again",
  consolidation_merge: "Merged",
  consolidation_decay: "Ranked lower",
  consolidation_promote: "Ranked higher",
  consolidation_undo: "Undone",
  vectors_moving: "Began to embed again the texts of",
  vectors_stay: "Stopped embedding again the texts of",
  vectors_moved: "Embedded again the texts of",
  evolution_policy: "Changed the way of searching of",
  evolution_arena: "Compared ways of searching",
  evolution_embedding: "Embedded memories",
  evolution_derivation: "Derived facts and due dates",
  evolution_consolidation: "Tidied up memories",
  evolution_graph: "Connected memories",
  evolution_learning_propagation: "Passed on what was learned",
};

/** Labels of the kinds of subjects. */
const KINDS: Record<string, string> = {
  api_key: "API key",
  grant: "connected app",
  session: "conversation",
  member: "member",
  feed: "feed",
  tenant: "organization",
  // The label of the event is enough.
  evolution_job: "",
};

function withSpaces(name: string): string {
  return name.replaceAll(/[._]/g, " ");
}

export function eventLabel(type: string): string {
  const words = withSpaces(type);
  return LABELS[type] ?? words.slice(0, 1).toUpperCase() + words.slice(1);
}

export function subjectKindLabel(kind: string): string {
  return KINDS[kind] ?? withSpaces(kind);
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
  evolution_job: () => "/operator?tab=jobs",
};
const DELETIONS = ["delete", "erase"];

/** The path of the item, or null if it was deleted. A conversation without a name was deleted or belongs to another user. */
export function eventPath({ type, subjectKind, subjectId, subjectName }: Event): string | null {
  if (DELETIONS.includes(type) || (subjectKind === "session" && !subjectName)) return null;
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
