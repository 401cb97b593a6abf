import { useInfiniteQuery } from "@tanstack/react-query";
import { Activity as ActivityIcon } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router";
import {
  type Event,
  eventLabel,
  eventPath,
  eventsQuery,
  subjectKindLabel,
} from "~/features/activity/events";
import { useRestoreDocuments } from "~/features/documents/delete";
import { useRestoreMemory } from "~/features/memories/memories";
import { usePerson } from "~/features/session/session";
import { longDay } from "~/lib/format";
import { t } from "~/lib/language";
import { useUrlState } from "~/lib/url-state";
import { useTitle } from "~/lib/use-title";
import { Button } from "~/ui/button";
import { Select } from "~/ui/input";
import { PageLayout } from "~/ui/layout";
import { ShowMore } from "~/ui/show-more";
import { EmptyState, Loaded, SkeletonList } from "~/ui/states";
import { Time } from "~/ui/time";

const TYPES = ["create", "edit", "delete", "forget", "restore", "supersede", "merge", "lifecycle"];

export default function Activity() {
  useTitle(t("Activity"));
  const [params, change] = useUrlState();
  const type = params.get("type") ?? "";
  const list = useInfiniteQuery(eventsQuery({ type: type || undefined }));
  return (
    <PageLayout
      title={t("Activity")}
      description={t("Everything that was changed, and by whom.")}
      actions={
        <Select
          aria-label={t("Type of event")}
          value={type}
          onChange={(event) => change({ type: event.target.value })}
        >
          <option value="">{t("Everything")}</option>
          {TYPES.map((name) => (
            <option key={name} value={name}>
              {eventLabel(name)}
            </option>
          ))}
        </Select>
      }
    >
      <Loaded query={list} skeleton={<SkeletonList rows={8} height="h-10" />}>
        {({ pages }) => {
          const events = pages.flatMap((page) => page.events);
          if (!events.length) {
            return <EmptyState icon={ActivityIcon} title={t("No activity yet")} />;
          }
          return (
            <>
              {groupsOf(events).map(([day, group]) => (
                <section key={day} className="mb-6">
                  <h2 className="mb-2 text-sm font-medium text-muted">{day}</h2>
                  <ul className="divide-y divide-line rounded-lg border bg-surface">
                    {group.map((event) => (
                      <EventRow key={event.id} event={event} />
                    ))}
                  </ul>
                </section>
              ))}
              <ShowMore list={list} />
            </>
          );
        }}
      </Loaded>
    </PageLayout>
  );
}

function groupsOf(events: Event[]): [string, Event[]][] {
  const groups = new Map<string, Event[]>();
  for (const event of events) {
    const day = longDay(event.createdAt);
    groups.set(day, [...(groups.get(day) ?? []), event]);
  }
  return [...groups];
}

/** Describes an actor such as "key:mc_abc". */
function actorLabel(event: Event, me: string): string {
  const [kind, name] = event.actor.split(/:(.*)/s);
  const words: Record<string, string> = {
    key: event.actorName
      ? t("the key “{actorName}”", { actorName: event.actorName })
      : t("an API key ({name}…)", { name }),
    user: name === me ? t("you") : t("another member"),
    grant: t("a connected app"),
    client: name ?? t("an assistant"),
  };
  return words[kind ?? ""] ?? "remem";
}

/** Whether the event is a delete that can still be undone (for 30 days). */
function isRestorable(event: Event): boolean {
  const until = event.data.restorable_until;
  return event.type === "delete" && typeof until === "string" && Date.parse(until) > Date.now();
}

function RestoreDocument({ id }: { id: string }) {
  const restore = useRestoreDocuments();
  const [state, setState] = useState<"deleted" | "busy" | "restored">("deleted");
  return (
    <Button
      size="sm"
      busy={state === "busy"}
      disabled={state === "restored"}
      onClick={async () => {
        setState("busy");
        setState((await restore([id])) ? "restored" : "deleted");
      }}
    >
      {state === "restored" ? t("Restored") : t("Undo")}
    </Button>
  );
}

function EventRow({ event }: { event: Event }) {
  const [open, setOpen] = useState(false);
  const me = usePerson().user_id;
  const restore = useRestoreMemory();
  const forgotten = event.subjectKind === "memory" && ["forget", "delete"].includes(event.type);
  return (
    <li className="px-4 py-2.5 text-sm">
      <div className="flex items-start gap-x-3">
        <div className="min-w-0 flex-1">
          <p className="break-words">
            <EventText event={event} />
          </p>
          <p className="text-xs text-muted">
            {t("by {who}", { who: actorLabel(event, me) })} · <Time at={event.createdAt} />
          </p>
        </div>
        <div className="flex shrink-0 gap-1">
          {forgotten && (
            <Button
              size="sm"
              busy={restore.isPending}
              disabled={restore.isSuccess}
              onClick={() => restore.mutate(event.subjectId)}
            >
              {restore.isSuccess ? t("Restored") : t("Undo")}
            </Button>
          )}
          {isRestorable(event) && <RestoreDocument id={event.subjectId} />}
          <Button variant="quiet" size="sm" aria-expanded={open} onClick={() => setOpen(!open)}>
            {t("Details")}
          </Button>
        </div>
      </div>
      {open && (
        <pre className="mt-2 overflow-x-auto rounded-md bg-raised p-3 font-mono text-xs whitespace-pre-wrap">
          {JSON.stringify({ ...event.data, request: event.requestId }, null, 2)}
        </pre>
      )}
    </li>
  );
}

/** A description such as "Created document “Harbour notes”", with a link. */
function EventText({ event }: { event: Event }) {
  const to = eventPath(event);
  const kind = subjectKindLabel(event.subjectKind);
  const name = event.subjectName;
  return (
    <>
      <span className="font-medium">{eventLabel(event.type)}</span> {kind}{" "}
      {name && to && (
        <Link to={to} className="text-accent underline underline-offset-3" dir="auto">
          {name}
        </Link>
      )}
      {name && !to && <span dir="auto">{name}</span>}
      {!name && to && (
        <Link to={to} className="text-accent underline underline-offset-3">
          {t("Show")}
        </Link>
      )}
    </>
  );
}
