import { useQuery } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { Link, useParams } from "react-router";
import { useHiddenDocuments, useRestoreDocuments } from "~/features/documents/delete";
import { StatusChip } from "~/features/documents/document-card";
import {
  type Document,
  documentQuery,
  isProcessing,
  tagsOf,
  useChangeDocument,
} from "~/features/documents/documents";
import { markQuote, scrollToRange } from "~/features/documents/evidence";
import {
  type Headline,
  headlineOfDocument,
  isShort,
  summaryOf,
} from "~/features/documents/headline";
import { KindIcon, kindOf } from "~/features/documents/kinds";
import { ReadingView } from "~/features/documents/reading-view";
import { TagEditor } from "~/features/documents/tag-editor";
import { useTicking } from "~/features/documents/ticking";
import type { Quote } from "~/features/memories/document-memories";
import { useProjectLabel } from "~/features/projects/projects";
import { hostOf } from "~/lib/format";
import { isId } from "~/lib/ids";
import { t } from "~/lib/language";
import { plainText } from "~/lib/plain-text";
import { useUrlState } from "~/lib/url-state";
import { useTitle } from "~/lib/use-title";
import { Button } from "~/ui/button";
import { headingsOf } from "~/ui/headings";
import { Meta } from "~/ui/meta";
import { EmptyState, Loaded, NothingHere, Skeleton } from "~/ui/states";
import { Time } from "~/ui/time";
import { Actions } from "./actions";
import { Editor, useDocumentDraft } from "./editor";
import { Facts } from "./facts";
import { Failed } from "./failed";
import { Rail } from "./rail";

const Versions = lazy(() => import("./versions"));

export default function DocumentPage() {
  const { id = "" } = useParams();
  const hidden = useHiddenDocuments();
  // Do not refetch a document that was just deleted.
  const query = useQuery({ ...documentQuery(id), enabled: isId(id) && !hidden.has(id) });
  useTitle(plainText(query.data?.title ?? t("Document")).text);
  const restore = useRestoreDocuments();
  if (!isId(id)) return <NothingHere />;
  if (hidden.has(id)) {
    return (
      <EmptyState
        icon={Trash2}
        title={t("This document was deleted")}
        actions={<Button onClick={() => restore([id])}>{t("Undo")}</Button>}
      />
    );
  }
  return (
    <Loaded query={query} skeleton={<DocumentSkeleton />}>
      {(document) => <DocumentView key={document.id} document={document} />}
    </Loaded>
  );
}

function DocumentView({ document }: { document: Document }) {
  const [params, change] = useUrlState();
  const text = useRef<HTMLDivElement>(null);
  const [quote, setQuote] = useState<Quote | null>(null);
  const find = params.get("find");
  const mode = params.has("edit") ? "edit" : params.has("versions") ? "versions" : "read";
  useEffect(() => {
    markQuote(text.current, quote?.words ?? find, quote?.nth);
    return () => void markQuote(null, null);
  }, [quote, find]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is rendered with the content
  useEffect(() => {
    if (!find || mode !== "read") return;
    // Wait until the Markdown is rendered.
    const timer = setTimeout(() => {
      const range = markQuote(text.current, find);
      if (range) scrollToRange(range);
    }, 50);
    return () => clearTimeout(timer);
  }, [find, mode, document.content]);
  function show({ words, nth }: Quote) {
    const range = markQuote(text.current, words, nth);
    if (range) scrollToRange(range);
  }
  const headline = headlineOfDocument(document);
  const isBrief = isShort(headline);
  const tick = useTicking(document, headline.text);
  return (
    <div className="mx-auto flex w-full max-w-7xl gap-10 px-4 py-6 max-lg:flex-col sm:px-8 sm:py-8">
      <Contents text={headline.text} />
      <article className="min-w-0 max-w-[46rem] flex-1">
        <TopLine document={document} />
        {document.status === "failed" && <Failed document={document} />}
        <OldVersionNotice document={document} />
        {mode === "read" && (
          <DraftNotice document={document} onContinue={() => change({ edit: "1" })} />
        )}
        <div ref={text}>
          <Head document={document} headline={headline} />
          {mode === "read" &&
            (isProcessing(document.status) && !document.content ? (
              <p role="status" className="py-8 text-muted">
                {t("remem is reading this document. The text appears here when it is done.")}
              </p>
            ) : (
              <ReadingView
                document={document}
                text={headline.text}
                isLarge={isBrief && !headline.title}
                onTick={tick}
              />
            ))}
        </div>
        {mode === "edit" && <Editor document={document} onClose={() => change({ edit: null })} />}
        {mode === "versions" && (
          <Suspense fallback={<Skeleton className="h-64" />}>
            <Versions document={document} onClose={() => change({ versions: null })} />
          </Suspense>
        )}
        {mode === "read" && <Foot document={document} />}
      </article>
      <Rail document={document} isShort={isBrief} onHover={setQuote} onShow={show} />
    </div>
  );
}

/** What kind of document it is, from where and when, and what can be done with it. */
function TopLine({ document }: { document: Document }) {
  const project = useProjectLabel(document.project_id);
  return (
    <div className="mb-3 flex min-h-8 items-center gap-2">
      <span className="text-muted">
        <KindIcon type={document.content_type} size={14} />
      </span>
      <Meta className="min-w-0 flex-1">
        {document.source_url ? (
          <a
            href={document.source_url}
            target="_blank"
            rel="noopener noreferrer nofollow"
            className="text-accent hover:underline"
          >
            {hostOf(document.source_url)}
          </a>
        ) : (
          <span>{kindOf(document.content_type).label}</span>
        )}
        {project && <span>{project}</span>}
        <Time at={document.created_at} />
        {document.version > 1 && (
          <span>{t("version {version}", { version: document.version })}</span>
        )}
        {document.status !== "done" && <StatusChip status={document.status} />}
      </Meta>
      <Actions document={document} />
    </div>
  );
}

type HeadProps = { document: Document; headline: Headline };

function Head({ document, headline }: HeadProps) {
  const summary = summaryOf(document, headline);
  if (!headline.title)
    return (
      <h1 className="sr-only" data-outside-text="">
        {kindOf(document.content_type).label}
      </h1>
    );
  return (
    <header className="mb-6">
      <h1
        className="text-xl font-semibold tracking-tight text-balance break-words"
        dir="auto"
        data-outside-text={headline.isFirstLine ? undefined : ""}
      >
        {headline.title}
      </h1>
      {summary && (
        <p className="mt-2 text-muted" dir="auto" data-outside-text="">
          {summary}
        </p>
      )}
    </header>
  );
}

function Foot({ document }: { document: Document }) {
  const changeDocument = useChangeDocument(document.id);
  return (
    <footer className="mt-8 border-t pt-4">
      <TagEditor tags={tagsOf(document)} onChange={(tags) => changeDocument.mutate({ tags })} />
      <Facts document={document} />
    </footer>
  );
}

/** A notice that the document was edited, but not saved. */
function DraftNotice({ document, onContinue }: { document: Document; onContinue: () => void }) {
  const [draft] = useDocumentDraft(document);
  if (!draft) return null;
  return (
    <div
      role="note"
      className="mb-6 flex flex-wrap items-center gap-3 rounded-lg bg-accent-soft px-4 py-3"
    >
      <p className="min-w-48 flex-1">
        {t("You have changes to this text that are not saved yet.")}
      </p>
      <Button size="sm" onClick={onContinue}>
        {t("Continue editing")}
      </Button>
    </div>
  );
}

/** A notice that this is not the current version. */
function OldVersionNotice({ document }: { document: Document }) {
  const latest = document.versions?.find((version) => version.is_latest);
  if (!latest || latest.id === document.id) return null;
  return (
    <p className="mb-6 rounded-lg bg-warning-soft p-4 text-warning">
      {t("This is version {version}.", { version: document.version })}{" "}
      <Link to={`/memory/${latest.id}`} className="underline underline-offset-2">
        {t("Go to the current version")}
      </Link>
    </p>
  );
}

function Contents({ text }: { text: string }) {
  const headings = headingsOf(text).filter(({ level }) => level < 4);
  if (headings.length < 2) return null;
  return (
    <nav aria-label={t("Contents")} className="hidden w-44 shrink-0 2xl:block">
      <div className="sticky top-8">
        <h2 className="mb-2 text-xs font-medium text-muted">{t("Contents")}</h2>
        <ul className="space-y-1.5 border-s">
          {headings.map(({ id, text, level }, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two headings can have the same words
            <li key={`${id}-${i}`} style={{ paddingInlineStart: level * 10 }}>
              <a href={`#${id}`} className="line-clamp-2 text-sm text-muted hover:text-ink">
                {text}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </nav>
  );
}

function DocumentSkeleton() {
  return (
    <div className="mx-auto max-w-3xl space-y-4 p-8" role="status" aria-label={t("Loading")}>
      <Skeleton className="h-4 w-40" />
      <Skeleton className="h-9 w-3/4" />
      <Skeleton className="h-4" />
      <Skeleton className="h-4" />
      <Skeleton className="h-4 w-2/3" />
    </div>
  );
}
