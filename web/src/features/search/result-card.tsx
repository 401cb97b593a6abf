import clsx from "clsx";
import { Brain } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router";
import { headlineOf } from "~/features/documents/headline";
import { KindIcon, kindOf } from "~/features/documents/kinds";
import { categoryName } from "~/features/memories/categories";
import { Outdated } from "~/features/memories/outdated";
import { useProjectLabel } from "~/features/projects/projects";
import { clock, hostOf, list, shortDate } from "~/lib/format";
import { t } from "~/lib/language";
import { plainText } from "~/lib/plain-text";
import { Button } from "~/ui/button";
import { Meta } from "~/ui/meta";
import { Time } from "~/ui/time";
import { Marked } from "./marked";
import { bestSentence, distinctPassages } from "./marking";
import type { Passage, Result } from "./recall";
import { Why } from "./why";

const MAX_PASSAGES = 3;
const SHORT_CHARS = 280;
/** The subject as a heading and the fields of a mail, as they are stored before its text. */
const MAIL_HEADER = /^(?:#[^\n]*\n+)?(?:[A-Z][\w-]*:[ \t][^\n]*\n)+\n/;

function chunksOf({ chunks, content_type }: Result): Passage[] {
  if (content_type !== "email") return chunks;
  return chunks.map((chunk) => ({ ...chunk, content: chunk.content.replace(MAIL_HEADER, "") }));
}

export function resultPath(result: Result, query: string): string {
  if (result.kind === "memory") return `/memories/${result.id}`;
  const [first] = chunksOf(result);
  const sentence = first ? bestSentence(first, query) : "";
  const find = sentence ? `?find=${encodeURIComponent(sentence.slice(0, 200))}` : "";
  return `/memory/${result.id}${find}`;
}

type Props = { result: Result; query: string; selected: boolean };

export function ResultCard({ result, query, selected }: Props) {
  const [why, setWhy] = useState(false);
  const project = useProjectLabel(result.project_id);
  const explained = result.chunks.find((chunk) => chunk.explain)?.explain;
  const chunks = chunksOf(result);
  const passages = distinctPassages(chunks, query).slice(0, MAX_PASSAGES);
  const stored = result.kind === "memory" ? result.chunks[0] : undefined;
  const newer = result.chunks.find((chunk) => chunk.replaced_by)?.replaced_by;
  const opening = chunks.find(({ chunk_index: place }) => !place)?.content ?? "";
  const isNote =
    result.kind === "memory" || !headlineOf(result.title, opening, result.content_type).title;
  const isShort = opening.length <= SHORT_CHARS;
  // A note without a title is shown itself, or the sentence that was found in it.
  const note = isShort ? plainText(opening).text : (passages[0]?.sentence ?? result.title);
  const more = isNote ? passages.slice(isShort ? MAX_PASSAGES : 1) : passages;
  const label =
    result.kind === "memory"
      ? categoryName(result.category ?? t("Memory"))
      : result.source_url
        ? hostOf(result.source_url)
        : kindOf(result.content_type).label;
  return (
    <article
      aria-current={selected}
      className={clsx(
        "rounded-lg border bg-surface p-4 transition-colors duration-150",
        selected ? "border-accent" : "hover:border-line-strong",
      )}
    >
      <div className="flex items-center gap-2 text-xs text-muted">
        {result.kind === "memory" ? (
          <Brain size={14} strokeWidth={1.75} className="shrink-0 text-kind-memory" />
        ) : (
          <KindIcon type={result.content_type} size={14} />
        )}
        <Meta className="min-w-0 flex-1">
          <span>{label}</span>
          {project && <span>{project}</span>}
          <Time at={result.created_at} />
          {stored?.occurred_at && (
            <span>{t("happened {date}", { date: shortDate(stored.occurred_at) })}</span>
          )}
          {stored?.due_at && <span>{t("due {date}", { date: shortDate(stored.due_at) })}</span>}
          {result.weak && <span>{t("loosely related")}</span>}
        </Meta>
        {explained && (
          <Button
            variant="quiet"
            size="sm"
            aria-expanded={why}
            className="-my-1 -me-2"
            onClick={() => setWhy(!why)}
          >
            {t("Why this?")}
          </Button>
        )}
      </div>
      <h2 className={clsx("mt-1", isNote ? "line-clamp-6" : "font-medium")} dir="auto">
        <Link to={resultPath(result, query)} className="hover:text-accent">
          {isNote ? <Marked text={note} query={query} /> : result.title || t("Untitled")}
        </Link>
      </h2>
      {result.kind === "document" &&
        more.map(({ chunk, sentence }) => (
          <Sentence key={chunk.memory_id} chunk={chunk} sentence={sentence} query={query} />
        ))}
      {newer && <Outdated newer={newer} />}
      {why && explained && <Why parts={explained} />}
    </article>
  );
}

type SentenceProps = { chunk: Passage; sentence: string; query: string };

function Sentence({ chunk, sentence, query }: SentenceProps) {
  const where = [
    chunk.page ? t("page {page}", { page: chunk.page }) : null,
    chunk.at_s != null ? clock(chunk.at_s) : null,
    chunk.speaker,
  ].filter((part): part is string => Boolean(part));
  return (
    <p className="mt-1.5 line-clamp-3 text-sm text-muted" dir="auto">
      <Marked text={sentence} query={query} />
      {where.length > 0 && <span className="ms-2 text-xs">({list(where)})</span>}
    </p>
  );
}
