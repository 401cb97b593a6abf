import { Brain, CircleHelp, FileText } from "lucide-react";
import { Link } from "react-router";
import type { Claim, Exchange, Source } from "~/features/ask/ask";
import { KindIcon, kindOf } from "~/features/documents/kinds";
import { isSomeoneElse } from "~/features/memories/memories";
import { longDay, plural, repeatsTitle, shortDate } from "~/lib/format";
import { t } from "~/lib/language";
import { plainText } from "~/lib/plain-text";
import { Button } from "~/ui/button";
import { Meta } from "~/ui/meta";
import { ErrorState } from "~/ui/states";

/** The link to the sentence of a source. */
export function placeOf(source: Source): string {
  if (source.documentId)
    return `/memory/${source.documentId}?${new URLSearchParams({ find: source.sentence })}`;
  return `/memories/${source.memoryId}`;
}

type Props = { exchange: Exchange; onRetry: () => void; onRemove: () => void };

export function Answer({ exchange, onRetry, onRemove }: Props) {
  if (exchange.error) return <ErrorState error={exchange.error} onRetry={onRetry} />;
  if (exchange.state === "erased")
    return (
      <p className="text-muted">
        {t("The sources of this answer were deleted, so the answer was deleted too.")}
      </p>
    );
  if (exchange.state === "waiting")
    return <p className="text-muted">{t("Waiting for the answer above…")}</p>;
  if (exchange.state === "failed")
    return (
      <div className="flex flex-wrap items-center gap-2">
        <p className="me-2 text-muted">{t("This question was not answered.")}</p>
        <Button size="sm" onClick={onRetry}>
          {t("Try again")}
        </Button>
        <Button size="sm" variant="quiet" onClick={onRemove}>
          {t("Remove")}
        </Button>
      </div>
    );
  if (exchange.state === "unknown") return <Unknown exchange={exchange} />;
  return (
    <div className="space-y-4">
      <Claims exchange={exchange} />
      {exchange.state === "asking" && <Working exchange={exchange} />}
      {exchange.sources.length > 0 && <Sources sources={exchange.sources} />}
    </div>
  );
}

function Working({ exchange }: { exchange: Exchange }) {
  const { reading, claims } = exchange;
  if (claims.length) return null;
  return (
    <p role="status" className="animate-pulse text-muted motion-reduce:animate-none">
      {reading === undefined
        ? t("Searching what you saved…")
        : t("Reading {passages}…", { passages: plural(reading, "passage") })}
    </p>
  );
}

function Claims({ exchange }: { exchange: Exchange }) {
  const { claims, kind } = exchange;
  if ((kind === "list" || kind === "about") && claims.length > 1)
    return (
      <ul className="list-disc space-y-1.5 ps-5 text-lg">
        {claims.map((claim) => (
          <li key={claim.text}>
            <ClaimText claim={claim} sources={exchange.sources} />
          </li>
        ))}
      </ul>
    );
  return (
    <p className="text-lg" dir="auto">
      {claims.map((claim) => (
        <span key={claim.text}>
          <ClaimText claim={claim} sources={exchange.sources} />{" "}
        </span>
      ))}
    </p>
  );
}

function ClaimText({ claim, sources }: { claim: Claim; sources: Source[] }) {
  const cited = sources.filter((source) => claim.citations.includes(source.number));
  return (
    <>
      <span dir="auto">{plainText(claim.text).text}</span>
      {cited.map((source) => (
        <Link
          key={source.number}
          to={placeOf(source)}
          aria-label={t("Source {number}: {text}", {
            number: source.number,
            text: plainText(source.sentence).text,
          })}
          title={plainText(source.sentence).text}
          className="ms-1 inline-grid h-5 min-w-5 place-items-center rounded-md bg-accent-soft px-1 align-text-bottom text-xs font-semibold text-accent tabular-nums hover:underline"
        >
          {source.number}
        </Link>
      ))}
    </>
  );
}

function Sources({ sources, label = t("Sources") }: { sources: Source[]; label?: string }) {
  return (
    <ol aria-label={label} className="space-y-2">
      {sources.map((source) => (
        <li key={source.number}>
          <Link
            to={placeOf(source)}
            className="flex gap-3 rounded-lg border bg-surface px-3 py-2 hover:border-line-strong hover:bg-raised"
          >
            <span className="mt-0.5 text-xs font-semibold text-accent tabular-nums">
              {source.number}
            </span>
            <span className="min-w-0 flex-1">
              <span className="block text-base" dir="auto">
                <Marked source={source} />
              </span>
              <About source={source} />
            </span>
          </Link>
        </li>
      ))}
    </ol>
  );
}

function Marked({ source }: { source: Source }) {
  const { text, start, end } = plainText(source.sentence, ...(source.mark ?? []));
  if (end <= start || end - start === text.length) return text;
  return (
    <>
      {text.slice(0, start)}
      <mark>{text.slice(start, end)}</mark>
      {text.slice(end)}
    </>
  );
}

/** The type and the title of a source, and when it was said. */
function About({ source }: { source: Source }) {
  const title = source.title && !repeatsTitle(source.sentence, source.title) ? source.title : null;
  const type = source.contentType ? kindOf(source.contentType).label : null;
  return (
    <span className="mt-0.5 flex items-center gap-1.5 text-xs text-muted">
      {source.contentType ? (
        <KindIcon type={source.contentType} size={12} />
      ) : source.documentId ? (
        <FileText size={12} />
      ) : (
        <Brain size={12} />
      )}
      <Meta className="min-w-0">
        {type ?? (source.documentId ? t("Document") : t("Memory"))}
        {title && <span className="truncate">{title}</span>}
        {isSomeoneElse(source.speaker) && <span>{source.speaker}</span>}
        {source.saidAt && <span>{shortDate(source.saidAt)}</span>}
        {source.occurredAt && (
          <span>{t("happened {date}", { date: shortDate(source.occurredAt) })}</span>
        )}
        {source.dueAt && <span>{t("due {date}", { date: shortDate(source.dueAt) })}</span>}
      </Meta>
    </span>
  );
}

function Unknown({ exchange }: { exchange: Exchange }) {
  return (
    <div className="space-y-4">
      <p className="flex items-center gap-2 text-lg">
        <CircleHelp size={18} className="text-muted" aria-hidden />
        {t("I don't know.")}
      </p>
      <p className="text-sm text-muted">
        {exchange.asOf
          ? t(
              "Nothing you knew on {day} answers this. You may have learned it later; remove the date and ask again.",
              { day: longDay(exchange.asOf) },
            )
          : t("Nothing you saved answers this.")}{" "}
        <Link
          to={`/search?${new URLSearchParams({ q: exchange.understood ?? exchange.question })}`}
          className="text-accent underline underline-offset-2"
        >
          {t("Search instead")}
        </Link>
      </p>
      {exchange.nearest.length > 0 && (
        <details className="text-sm">
          <summary className="cursor-pointer text-muted">{t("Closest sentences")}</summary>
          <div className="mt-2">
            <Sources sources={exchange.nearest} label={t("Closest sentences")} />
          </div>
        </details>
      )}
    </div>
  );
}
