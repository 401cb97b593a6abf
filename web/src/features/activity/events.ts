import { infiniteQueryOptions } from "@tanstack/react-query";
import { answerOf, api, type Schemas } from "~/lib/api";
import { t } from "~/lib/language";

export type Event = Schemas["EventOut"];

/** Labels of the event types. */
const LABELS: Record<string, string> = {
  create: t("Created"),
  update: t("Changed"),
  edit: t("Changed"),
  delete: t("Deleted"),
  erase: t("Erased"),
  forget: t("Forgotten"),
  expire: t("Expired"),
  restore: t("Restored"),
  supersede: t("Replaced"),
  relate: t("Connected"),
  mentions: t("Found names in"),
  graph_extract: t("Found names in"),
  extend: t("Added to"),
  merge: t("Merged"),
  move: t("Moved"),
  access: t("Read##event"),
  lifecycle: t("Reviewed"),
  review: t("Reviewed"),
  feedback: t("Rated"),
  derive: t("Found"),
  archive: t("Archived"),
  close: t("Closed"),
  revoke: t("Revoked"),
  reuse: t("Used again"),
  retry: t("Tried again"),
  consolidation_merge: t("Merged"),
  consolidation_decay: t("Ranked lower"),
  consolidation_promote: t("Ranked higher"),
  consolidation_undo: t("Undone"),
  vectors_moving: t("Began to embed again the texts of"),
  vectors_stay: t("Stopped embedding again the texts of"),
  vectors_moved: t("Embedded again the texts of"),
  evolution_policy: t("Changed the way of searching of"),
  evolution_arena: t("Compared ways of searching"),
  evolution_embedding: t("Embedded memories"),
  evolution_derivation: t("Derived facts and due dates"),
  evolution_consolidation: t("Tidied up memories"),
  evolution_graph: t("Connected memories"),
  evolution_learning_propagation: t("Passed on what was learned"),
};

/** Labels of the kinds of subjects. */
const KINDS: Record<string, string> = {
  memory: t("memory"),
  document: t("document"),
  project: t("project"),
  entity: t("person or thing"),
  import: t("import"),
  connection: t("connection"),
  api_key: t("API key"),
  grant: t("connected app"),
  session: t("conversation"),
  member: t("member"),
  feed: t("feed"),
  tenant: t("organization"),
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
