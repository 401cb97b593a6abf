import { useInfiniteQuery } from "@tanstack/react-query";
import {
  ArrowDown,
  ArrowUp,
  CalendarClock,
  Combine,
  Lightbulb,
  type LucideIcon,
  Sparkles,
  Split,
} from "lucide-react";
import { Link } from "react-router";
import { type Action, actionsQuery, useUndo } from "~/features/evolution/evolution";
import { messageOf } from "~/lib/api";
import { useUrlState } from "~/lib/url-state";
import { Button } from "~/ui/button";
import { Row, Rows } from "~/ui/layout";
import { ShowMore } from "~/ui/show-more";
import { EmptyState, Loaded, SkeletonList } from "~/ui/states";
import { Segments } from "~/ui/tabs";
import { Time } from "~/ui/time";

const KINDS = [
  { value: "", label: "All" },
  { value: "merge", label: "Merged" },
  { value: "decay", label: "Ranked lower" },
  { value: "promote", label: "Ranked higher" },
  { value: "derive", label: "Found" },
] as const;
type Kind = (typeof KINDS)[number]["value"];

function lookOf({ action, after }: Action): { icon: LucideIcon; label: string } {
  if (action === "merge") return { icon: Combine, label: "Merged" };
  if (action === "decay") return { icon: ArrowDown, label: "Ranked lower" };
  if (action === "promote") return { icon: ArrowUp, label: "Ranked higher" };
  if (after === "insight") return { icon: Lightbulb, label: "Insight" };
  return after ? { icon: Split, label: "Split" } : { icon: CalendarClock, label: "Date added" };
}

/** What was merged, decayed, promoted and derived, each with "Undo". */
export function Actions() {
  const [params, change] = useUrlState();
  const requested = params.get("kind") ?? "";
  const kind: Kind = KINDS.find(({ value }) => value === requested)?.value ?? "";
  const list = useInfiniteQuery(actionsQuery(kind || undefined));
  return (
    <>
      <div className="mb-4">
        <Segments
          label="Kind of change"
          options={[...KINDS]}
          value={kind}
          onChange={(value) => change({ kind: value || null })}
        />
      </div>
      <Loaded query={list} skeleton={<SkeletonList rows={5} height="h-16" />}>
        {({ pages }) => {
          const actions = pages.flatMap((page) => page.actions);
          if (!actions.length) {
            return (
              <EmptyState icon={Sparkles} title="Nothing was changed yet">
                Memories that say the same are merged, unused ones are ranked lower, those you read
                often higher, and dates are found in them. You can undo each change here.
              </EmptyState>
            );
          }
          return (
            <>
              <Rows>
                {actions.map((action) => (
                  <ActionRow key={action.id} action={action} />
                ))}
              </Rows>
              <ShowMore list={list} className="mt-4" />
            </>
          );
        }}
      </Loaded>
    </>
  );
}

function ActionRow({ action }: { action: Action }) {
  const undo = useUndo();
  const { icon: Icon, label } = lookOf(action);
  return (
    <Row>
      <span className="flex flex-1 items-center gap-2 text-sm font-medium sm:w-28 sm:flex-none">
        <Icon size={14} aria-hidden />
        {label}
      </span>
      <div className="order-last min-w-0 flex-1 basis-full sm:order-none sm:basis-60">
        <p dir="auto" className="break-words">
          <Link to={`/memories/${action.memoryId}`} className="hover:underline">
            {action.content}
          </Link>
        </p>
        <p className="text-sm text-muted">
          <Effect action={action} />
        </p>
      </div>
      <span className="text-sm text-muted">
        <Time at={action.createdAt} />
      </span>
      {action.undoneAt ? (
        <span className="text-sm text-muted">Undone</span>
      ) : (
        <Button
          size="sm"
          busy={undo.isPending}
          aria-label={`Undo: ${label}, ${action.content}`}
          onClick={() => undo.mutate(action.id)}
        >
          Undo
        </Button>
      )}
      {undo.error && (
        <p role="alert" className="basis-full text-sm text-danger">
          {messageOf(undo.error)}
        </p>
      )}
    </Row>
  );
}

const percent = (value: number) => `${Math.round(value * 100)} %`;

function Effect({ action }: { action: Action }) {
  if (action.action === "merge") {
    if (!action.intoId) return <>Was merged with another memory for a while.</>;
    return (
      <>
        Says the same as{" "}
        <Link to={`/memories/${action.intoId}`} className="text-accent underline">
          {action.intoContent}
        </Link>
        {action.similarity != null && ` (${percent(action.similarity)} alike)`}
      </>
    );
  }
  if (action.action === "decay" && typeof action.before === "number") {
    const after = typeof action.after === "number" ? percent(action.after) : "less";
    return (
      <>
        Not used in 60 days: confidence {percent(action.before)} → {after}
      </>
    );
  }
  if (action.action === "derive") {
    if (action.after === "insight") {
      return (
        <>
          Follows from two memories.{" "}
          <Link to="/memories?tab=review" className="text-accent underline">
            Waiting for your review
          </Link>
        </>
      );
    }
    const parts = typeof action.after === "number" ? action.after : 0;
    return <>{parts ? `Says ${parts} things; each is now a part of it` : "Its date was added"}</>;
  }
  return <>You read it often: it ranks higher now</>;
}
