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
import { percent, plural } from "~/lib/format";
import { rich, t } from "~/lib/language";
import { useUrlState } from "~/lib/url-state";
import { Button } from "~/ui/button";
import { Row, Rows } from "~/ui/layout";
import { ShowMore } from "~/ui/show-more";
import { EmptyState, Loaded, SkeletonList } from "~/ui/states";
import { Segments } from "~/ui/tabs";
import { Time } from "~/ui/time";

const KINDS = [
  { value: "", label: t("All") },
  { value: "merge", label: t("Merged") },
  { value: "decay", label: t("Ranked lower") },
  { value: "promote", label: t("Ranked higher") },
  { value: "derive", label: t("Found") },
] as const;
type Kind = (typeof KINDS)[number]["value"];

function lookOf({ action, after }: Action): { icon: LucideIcon; label: string } {
  if (action === "merge") return { icon: Combine, label: t("Merged") };
  if (action === "decay") return { icon: ArrowDown, label: t("Ranked lower") };
  if (action === "promote") return { icon: ArrowUp, label: t("Ranked higher") };
  if (after === "insight") return { icon: Lightbulb, label: t("Insight") };
  return after
    ? { icon: Split, label: t("Split") }
    : { icon: CalendarClock, label: t("Date added") };
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
          label={t("Kind of change")}
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
              <EmptyState icon={Sparkles} title={t("Nothing was changed yet")}>
                {t(
                  "Memories that say the same are merged, unused ones are ranked lower, those you read often higher, and dates are found in them. You can undo each change here.",
                )}
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
        <span className="text-sm text-muted">{t("Undone")}</span>
      ) : (
        <Button
          size="sm"
          busy={undo.isPending}
          aria-label={t("Undo: {label}, {content}", { label, content: action.content })}
          onClick={() => undo.mutate(action.id)}
        >
          {t("Undo")}
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

function Effect({ action }: { action: Action }) {
  if (action.action === "merge") {
    if (!action.intoId) return <>{t("Was merged with another memory for a while.")}</>;
    return (
      <>
        {rich("Says the same as {memory}", {
          memory: (
            <Link to={`/memories/${action.intoId}`} className="text-accent underline">
              {action.intoContent}
            </Link>
          ),
        })}
        {action.similarity != null &&
          ` (${t("{similarity} alike", { similarity: percent(action.similarity) })})`}
      </>
    );
  }
  if (action.action === "decay" && typeof action.before === "number") {
    const after = typeof action.after === "number" ? percent(action.after) : t("less");
    return (
      <>
        {t("Not used in 60 days: confidence {before} → {after}", {
          before: percent(action.before),
          after,
        })}
      </>
    );
  }
  if (action.action === "derive") {
    if (action.after === "insight") {
      return (
        <>
          {t("Follows from two memories.")}{" "}
          <Link to="/memories?tab=review" className="text-accent underline">
            {t("Waiting for your review")}
          </Link>
        </>
      );
    }
    const parts = typeof action.after === "number" ? action.after : 0;
    return (
      <>
        {parts
          ? t("Says {things}; each is now a part of it", { things: plural(parts, "thing") })
          : t("Its date was added")}
      </>
    );
  }
  return <>{t("You read it often: it ranks higher now")}</>;
}
