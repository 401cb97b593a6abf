import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { answerOf, api, type Schemas } from "~/lib/api";

export type Event = Schemas["EventOut"];

const LABELS: Record<string, string> = {
  create: "Created",
  update: "Changed",
  edit: "Changed",
  delete: "Deleted",
  forget: "Forgotten",
  restore: "Restored",
  supersede: "Replaced",
  extend: "Added to",
  merge: "Merged",
  move: "Moved",
  access: "Read",
  lifecycle: "Reviewed",
  feedback: "Rated",
  derive: "Derived",
  archive: "Archived",
  revoke: "Revoked",
};

export function eventLabel(type: string): string {
  const plain = type.replaceAll(/[._]/g, " ");
  return LABELS[type] ?? plain.slice(0, 1).toUpperCase() + plain.slice(1);
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

const AT_ONCE = 100;

/** What the memories among the subjects of events say now, by their id; what is gone is left out. */
export function subjectsQuery(events: Event[]) {
  const memories = events.filter(({ subjectKind }) => subjectKind === "memory");
  const ids = [...new Set(memories.map(({ subjectId }) => subjectId))];
  return queryOptions({
    queryKey: ["events", "subjects", ids],
    queryFn: async ({ signal }): Promise<Record<string, string>> => {
      const texts: Record<string, string> = {};
      for (let from = 0; from < ids.length; from += AT_ONCE) {
        const body = { ids: ids.slice(from, from + AT_ONCE) };
        const found = await answerOf(api.POST("/api/memories/batch-get", { body, signal }));
        for (const { id, content } of found.memories) texts[id] = content;
      }
      return texts;
    },
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
  });
}
