import clsx from "clsx";
import { AlertTriangle, Archive, Star } from "lucide-react";
import { Link } from "react-router";
import { useProjectLabel } from "~/features/projects/projects";
import { hostOf } from "~/lib/format";
import { t } from "~/lib/language";
import { Chip } from "~/ui/chip";
import { Time } from "~/ui/time";
import { type DocumentLine, inlineUrl, isProcessing } from "./documents";
import { dragProps } from "./dragging";
import { cardTexts } from "./headline";
import { KindIcon, kindOf } from "./kinds";

const STAGES: Record<string, string> = {
  queued: t("Waiting"),
  extracting: t("Reading"),
  chunking: t("Splitting"),
  embedding: t("Embedding"),
  indexing: t("Indexing"),
};

type StatusProps = {
  status: string;
  /** On a phone, show only the icon to leave room for the title. */
  narrow?: boolean;
};

export function StatusChip({ status, narrow }: StatusProps) {
  if (isProcessing(status)) return <Chip tone="accent">{STAGES[status] ?? status}…</Chip>;
  if (status === "failed") {
    return (
      <Chip tone="danger">
        <AlertTriangle
          size={12}
          className={clsx("inline", narrow ? "sm:me-1" : "me-1")}
          aria-hidden
        />
        <span className={narrow ? "max-sm:sr-only" : undefined}>{t("Could not be read")}</span>
      </Chip>
    );
  }
  return null;
}

/** Where a document opens: what is to be read in the reader. */
export function addressOf({ id, unread }: DocumentLine): string {
  return unread ? `/memory/${id}/read` : `/memory/${id}`;
}

/** Small signs for the flags of a document; each has a name for screen readers. */
export function FlagSigns({ document }: { document: DocumentLine }) {
  if (!(document.unread || document.favourite || document.archived)) return null;
  return (
    <span className="inline-flex shrink-0 items-center gap-1.5">
      {document.unread && (
        <span role="img" aria-label={t("Unread")} className="size-2 rounded-full bg-accent" />
      )}
      {document.favourite && (
        <Star size={13} aria-label={t("Favourite")} className="fill-current text-warning" />
      )}
      {document.archived && <Archive size={13} aria-label={t("Archived")} />}
    </span>
  );
}

const LINK =
  "outline-none after:absolute after:inset-0 after:rounded-lg focus-visible:after:outline-2 focus-visible:after:outline-accent";

export function DocumentCard({ document }: { document: DocumentLine }) {
  const project = useProjectLabel(document.project_id);
  const { label } = kindOf(document.content_type);
  const { title, snippet } = cardTexts(document);
  const hasPicture = document.content_type === "image" && document.has_original;
  const path = addressOf(document);
  return (
    <article
      {...dragProps([document.id])}
      className="group relative flex h-full flex-col rounded-lg border bg-surface p-4 transition-colors duration-150 hover:border-line-strong"
    >
      <div className="mb-2 flex items-center gap-2 text-xs text-muted">
        <KindIcon type={document.content_type} size={14} />
        <span className="truncate">
          {document.source_url ? hostOf(document.source_url) : label}
        </span>
        <FlagSigns document={document} />
        <span className="ms-auto">
          <Time at={document.created_at} />
        </span>
      </div>
      {hasPicture && (
        <img
          src={inlineUrl(document.id)}
          alt=""
          loading="lazy"
          className="mb-2 h-28 w-full rounded-md border object-cover"
        />
      )}
      {title ? (
        <>
          <h3 className="line-clamp-2 font-medium" dir="auto">
            <Link to={path} className={LINK}>
              {title}
            </Link>
          </h3>
          <p className="mt-1 line-clamp-2 text-sm text-muted" dir="auto">
            {snippet}
          </p>
        </>
      ) : (
        <h3 className="line-clamp-4 whitespace-pre-line" dir="auto">
          <Link to={path} className={LINK}>
            {snippet}
          </Link>
        </h3>
      )}
      <div className="mt-auto flex flex-wrap gap-1.5 [&:not(:empty)]:pt-3">
        <StatusChip status={document.status} />
        {project && <Chip>{project}</Chip>}
      </div>
    </article>
  );
}
