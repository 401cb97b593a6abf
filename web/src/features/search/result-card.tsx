import clsx from "clsx";
import { Brain } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router";
import { KindIcon, kindOf } from "~/features/documents/kinds";
import { categoryName } from "~/features/memories/categories";
import { Outdated } from "~/features/memories/outdated";
import { useProject } from "~/features/projects/projects";
import { clock, hostOf, repeatsTitle, shortDate } from "~/lib/format";
import { Button } from "~/ui/button";
import { Time } from "~/ui/time";
import { Marked } from "./marked";
import { bestSentence, distinctPassages } from "./marking";
import type { Passage, Result } from "./recall";
import { Why } from "./why";

const MAX_PASSAGES = 3;

export function resultPath(result: Result, query: string): string {
  if (result.kind === "memory") return `/memories/${result.id}`;
  const sentence = result.chunks[0] ? bestSentence(result.chunks[0], query) : "";
  const find = sentence ? `?find=${encodeURIComponent(sentence.slice(0, 200))}` : "";
  return `/memory/${result.id}${find}`;
}

type Props = { result: Result; query: string; selected: boolean };

export function ResultCard({ result, query, selected }: Props) {
  const [why, setWhy] = useState(false);
  const project = useProject(result.project_id);
  const explained = result.chunks.find((chunk) => chunk.explain)?.explain;
  const passages = distinctPassages(result.chunks, query).slice(0, MAX_PASSAGES);
  const stored = result.kind === "memory" ? result.chunks[0] : undefined;
  const newer = result.chunks.find((chunk) => chunk.replaced_by)?.replaced_by;
  // The title of a short note is its text.
  const repeated =
    result.kind === "document" &&
    passages.length > 0 &&
    passages.every(({ sentence }) => repeatsTitle(sentence, result.title));
  const label =
    result.kind === "memory"
      ? categoryName(result.category ?? "Memory")
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
          <Brain size={14} strokeWidth={1.75} className="text-kind-memory" />
        ) : (
          <KindIcon type={result.content_type} size={14} />
        )}
        <span>{label}</span>
        {project && <span>· {project.name}</span>}
        <span>
          · <Time at={result.created_at} />
        </span>
        {stored?.occurred_at && <span>· happened {shortDate(stored.occurred_at)}</span>}
        {stored?.due_at && <span>· due {shortDate(stored.due_at)}</span>}
        {result.weak && <span>· loosely related</span>}
        {explained && (
          <Button
            variant="quiet"
            size="sm"
            aria-expanded={why}
            className="-my-1 ms-auto -me-2"
            onClick={() => setWhy(!why)}
          >
            Why this?
          </Button>
        )}
      </div>
      <h2 className="mt-1 font-medium" dir="auto">
        <Link to={resultPath(result, query)} className="hover:text-accent">
          {repeated ? <Marked text={result.title} query={query} /> : result.title || "Untitled"}
        </Link>
      </h2>
      {!repeated &&
        result.kind === "document" &&
        passages.map(({ chunk, sentence }) => (
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
    chunk.page ? `page ${chunk.page}` : null,
    chunk.at_s != null ? clock(chunk.at_s) : null,
    chunk.speaker,
  ].filter(Boolean);
  return (
    <p className="mt-1.5 line-clamp-3 text-sm text-muted" dir="auto">
      <Marked text={sentence} query={query} />
      {where.length > 0 && <span className="ms-2 text-xs">({where.join(", ")})</span>}
    </p>
  );
}
