import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Check, FileText, Pencil, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import { documentQuery } from "~/features/documents/documents";
import { quoteOf } from "~/features/memories/document-memories";
import type { Memory } from "~/features/memories/memories";
import { MemoryEditor } from "~/features/memories/memory-editor";
import {
  type Contradiction,
  contradictionsQuery,
  unsureQuery,
  useJudge,
  useSettle,
} from "~/features/review/review";
import { shortDate } from "~/lib/format";
import { useKeys } from "~/lib/keyboard";
import { t } from "~/lib/language";
import { plainText } from "~/lib/plain-text";
import { Button } from "~/ui/button";
import { Kbd } from "~/ui/kbd";
import { Card } from "~/ui/layout";
import { EmptyState, ErrorState, SkeletonList } from "~/ui/states";
import { Time } from "~/ui/time";

/** Asks about what remem is not sure of, one question at a time. */
export function Review() {
  const judge = useJudge();
  // Here, because the list is read again, and the card replaced, before a correction has ended.
  const [fixed, setFixed] = useState<Memory>();
  return (
    <>
      <Questions onFix={setFixed} />
      <MemoryEditor
        open={fixed !== undefined}
        memory={fixed}
        onClose={() => setFixed(undefined)}
        // What a person corrected is right.
        onSaved={(id) => fixed && judge.mutate({ memory: { ...fixed, id }, review: "accept" })}
      />
    </>
  );
}

function Questions({ onFix }: { onFix: (memory: Memory) => void }) {
  const pairs = useQuery(contradictionsQuery);
  const unsure = useInfiniteQuery(unsureQuery);
  const error = pairs.error ?? unsure.error;
  if (error && !(pairs.data && unsure.data))
    return (
      <ErrorState error={error} onRetry={() => Promise.all([pairs.refetch(), unsure.refetch()])} />
    );
  if (!pairs.data || !unsure.data) return <SkeletonList rows={1} height="h-56" />;
  const [pair] = pairs.data.contradictions;
  const [memory] = unsure.data.pages[0]?.memories ?? [];
  const left = pairs.data.total + (unsure.data.pages[0]?.total ?? 0);
  if (!pair && !memory)
    return (
      <EmptyState icon={Check} title={t("Nothing to review")}>
        {t("When remem is not sure about something that matters, it asks you here.")}
      </EmptyState>
    );
  return (
    <div className="mx-auto max-w-2xl">
      {pair ? (
        <ChangeCard key={pair.newer.id + pair.older.id} pair={pair} />
      ) : (
        memory && <StatementCard key={memory.id} memory={memory} onFix={() => onFix(memory)} />
      )}
      <p className="mt-3 text-center text-sm text-muted">
        {left > 1
          ? t("{count} more after this one", { count: left - 1 })
          : t("This is the last one")}
      </p>
    </div>
  );
}

function ChangeCard({ pair }: { pair: Contradiction }) {
  const settle = useSettle();
  const decide = (truth: "newer" | "older" | "both") =>
    settle.isPending || settle.mutate({ pair, truth });
  useKeys({ a: () => decide("newer"), d: () => decide("older"), b: () => decide("both") });
  return (
    <Question
      title={t("Did this change?")}
      actions={
        <>
          <Answer hint="a" primary busy={settle.isPending} onClick={() => decide("newer")}>
            {t("Yes, it changed")}
          </Answer>
          <Answer hint="d" busy={settle.isPending} onClick={() => decide("older")}>
            {t("No, the old one counts")}
          </Answer>
          <Answer hint="b" busy={settle.isPending} onClick={() => decide("both")}>
            {t("Both are true")}
          </Answer>
        </>
      }
    >
      <dl className="grid gap-5 sm:grid-cols-2">
        <Side name={t("Before")} memory={pair.older} />
        <Side name={t("New")} memory={pair.newer} />
      </dl>
    </Question>
  );
}

function Side({ name, memory }: { name: string; memory: Memory }) {
  return (
    <div className="min-w-0">
      <dt className="mb-1 text-xs font-medium text-muted">
        {name} · <Time at={memory.saidAt ?? memory.createdAt} />
      </dt>
      <dd className="text-md break-words" dir="auto">
        {memory.content}
      </dd>
      <Source memory={memory} />
    </div>
  );
}

function StatementCard({ memory, onFix }: { memory: Memory; onFix: () => void }) {
  const judge = useJudge();
  const decide = (review: "accept" | "decline") =>
    judge.isPending || judge.mutate({ memory, review });
  useKeys({ a: () => decide("accept"), d: () => decide("decline"), e: onFix });
  const isInsight = memory.category === "insight";
  return (
    <Question
      title={isInsight ? t("Does this follow?") : t("Is this right?")}
      actions={
        <>
          <Answer
            hint="a"
            primary
            icon={<Check size={14} />}
            busy={judge.isPending}
            onClick={() => decide("accept")}
          >
            {t("Keep")}
          </Answer>
          <Answer hint="e" icon={<Pencil size={14} />} onClick={onFix}>
            {t("Fix")}
          </Answer>
          <Answer
            hint="d"
            icon={<X size={14} />}
            busy={judge.isPending}
            onClick={() => decide("decline")}
          >
            {t("No")}
          </Answer>
        </>
      }
    >
      <p className="text-lg break-words" dir="auto">
        {memory.content}
      </p>
      <p className="mt-1 text-sm text-muted">{factsOf(memory).join(" · ")}</p>
      <Source memory={memory} />
    </Question>
  );
}

function factsOf(memory: Memory): string[] {
  const isOthers = memory.speaker && memory.speaker !== "user";
  return [
    memory.dueAt ? t("Due {date}", { date: shortDate(memory.dueAt) }) : "",
    isOthers ? t("{speaker} said it", { speaker: memory.speaker }) : "",
  ].filter(Boolean);
}

/** The document with the sentence, if the statement was read in one. */
function Source({ memory }: { memory: Memory }) {
  const id = memory.documentId ?? "";
  const { data } = useQuery({ ...documentQuery(id), enabled: id !== "" });
  if (!data) return null;
  const { words } = quoteOf(memory, data);
  const isQuoted = words.trim() !== memory.content.trim();
  return (
    <div className="mt-2 text-sm text-muted">
      {isQuoted && (
        <blockquote className="mb-1 border-s-2 ps-3" dir="auto">
          {words}
        </blockquote>
      )}
      <Link
        to={`/memory/${id}?find=${encodeURIComponent(words.slice(0, 200))}`}
        className="inline-flex max-w-full items-center gap-1.5 hover:text-accent"
      >
        <FileText size={14} className="shrink-0" />
        <span className="truncate" dir="auto">
          {plainText(data.title).text}
        </span>
      </Link>
    </div>
  );
}

type QuestionProps = { title: string; children: ReactNode; actions: ReactNode };

function Question({ title, children, actions }: QuestionProps) {
  return (
    <Card className="p-5 sm:p-6">
      <h2 className="mb-4 text-sm font-medium text-muted">{title}</h2>
      {children}
      <div className="mt-6 flex flex-wrap gap-2">{actions}</div>
    </Card>
  );
}

type AnswerProps = {
  /** The key that gives the answer. */
  hint: string;
  children: string;
  icon?: ReactNode;
  primary?: boolean;
  busy?: boolean;
  onClick: () => void;
};

function Answer({ hint, children, icon, primary, busy, onClick }: AnswerProps) {
  return (
    <Button
      variant={primary ? "primary" : "secondary"}
      busy={busy}
      aria-label={children}
      aria-keyshortcuts={hint}
      onClick={onClick}
    >
      {icon} {children}
      <span className="pointer-coarse:hidden">
        <Kbd>{hint}</Kbd>
      </span>
    </Button>
  );
}
