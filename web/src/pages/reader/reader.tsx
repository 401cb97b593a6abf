import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import clsx from "clsx";
import { Archive, ArrowLeft, ArrowRight, CircleCheck, CircleDot, Star } from "lucide-react";
import { useCallback, useRef } from "react";
import { Link, Navigate, useNavigate, useParams } from "react-router";
import {
  copyUrl,
  type Document,
  documentQuery,
  documentsQuery,
  isProcessing,
} from "~/features/documents/documents";
import { FLAG_ACTIONS, useToggleFlag } from "~/features/documents/flags";
import { headlineOfDocument } from "~/features/documents/headline";
import { kindOf } from "~/features/documents/kinds";
import { ReadingView } from "~/features/documents/reading-view";
import { hostOf } from "~/lib/format";
import { isId } from "~/lib/ids";
import { useKeys } from "~/lib/keyboard";
import { t } from "~/lib/language";
import { plainText } from "~/lib/plain-text";
import { useUrlState } from "~/lib/url-state";
import { useTitle } from "~/lib/use-title";
import { Button, buttonClass } from "~/ui/button";
import { Loaded, NothingHere, Skeleton } from "~/ui/states";
import { Segments } from "~/ui/tabs";
import { HighlightList } from "./highlight-list";
import { SelectionTools } from "./selection-tools";
import { useHighlighting } from "./use-highlighting";
import { useParagraphs } from "./use-paragraphs";
import { ProgressBar, useProgress } from "./use-progress";

const WORDS_PER_MINUTE = 230;

export default function ReaderPage() {
  const { id = "" } = useParams();
  const query = useQuery({ ...documentQuery(id), enabled: isId(id) });
  useTitle(plainText(query.data?.title ?? t("Reader")).text);
  if (!isId(id)) return <NothingHere />;
  return (
    <Loaded query={query} skeleton={<ReaderSkeleton />}>
      {(document) => {
        const latest = document.versions?.find((version) => version.is_latest);
        if (latest && latest.id !== id)
          return <Navigate replace to={`/memory/${latest.id}/read`} />;
        return <Reader key={document.id} document={document} />;
      }}
    </Loaded>
  );
}

function Reader({ document }: { document: Document }) {
  const text = useRef<HTMLDivElement>(null);
  const [params] = useUrlState();
  const isCopy = document.has_copy && params.get("view") === "copy";
  const next = useNextUnread(document.id);
  const navigate = useNavigate();
  const toggleFlag = useToggleFlag();
  const highlighting = useHighlighting(document, text);
  const paragraph = useParagraphs(text);
  const finish = useCallback(() => {
    if (document.unread) toggleFlag([document], "unread");
  }, [document, toggleFlag]);
  const share = useProgress(document.id, text, finish);
  const goOn = () => navigate(next ? `/memory/${next}/read` : "/library?is=unread");
  const mark = (note: boolean) => highlighting.markChosen(paragraph(), note);
  useKeys({
    h: () => mark(false),
    H: () => mark(true),
    J: goOn,
    m: () => toggleFlag([document], "unread"),
    f: () => toggleFlag([document], "favourite"),
    a: () => toggleFlag([document], "archived"),
    o: () => navigate(`/memory/${document.id}`),
  });
  return (
    <>
      <ProgressBar share={share} />
      <div className="mx-auto flex w-full max-w-7xl justify-center gap-10 px-4 py-6 max-lg:flex-col sm:px-8 sm:py-8">
        <article
          className={clsx(
            "mx-auto w-full min-w-0 lg:mx-0 lg:flex-1",
            isCopy ? "max-w-5xl" : "max-w-[40rem]",
          )}
        >
          <Header document={document} onNext={goOn} hasNext={Boolean(next)} />
          {isProcessing(document.status) && !document.content ? (
            <p role="status" className="py-8 text-muted">
              {t("remem is reading this document. The text appears here when it is done.")}
            </p>
          ) : (
            <>
              {document.has_copy && <CopySwitch />}
              {isCopy ? (
                <PageCopy document={document} />
              ) : (
                <div ref={text}>
                  <ReadingView document={document} text={headlineOfDocument(document).text} />
                </div>
              )}
            </>
          )}
          <End document={document} onNext={goOn} hasNext={Boolean(next)} />
        </article>
        <HighlightList highlighting={highlighting} />
      </div>
      <SelectionTools root={text} onMark={highlighting.markSelection} />
    </>
  );
}

const TITLE_CLASS = "text-xl font-semibold tracking-tight text-balance break-words";

type HeaderProps = { document: Document; onNext: () => void; hasNext: boolean };

function Header({ document, onNext, hasNext }: HeaderProps) {
  const toggleFlag = useToggleFlag();
  const words = document.content.split(/\s+/).length;
  const minutes = Math.max(1, Math.round(words / WORDS_PER_MINUTE));
  const { author } = document.metadata as { author?: unknown };
  const { title } = headlineOfDocument(document);
  return (
    <header className="mb-8 border-b pb-5">
      <div className="-ms-2 mb-4 flex flex-wrap items-center gap-1">
        <Link to={`/memory/${document.id}`} className={buttonClass("quiet", "sm")}>
          <ArrowLeft size={14} /> {t("Details")}
        </Link>
        <span className="ms-auto" />
        <FlagButton
          label={document.unread ? FLAG_ACTIONS.unread.unset : FLAG_ACTIONS.unread.set}
          onPress={() => toggleFlag([document], "unread")}
        >
          {document.unread ? (
            <CircleDot size={16} className="text-accent" />
          ) : (
            <CircleCheck size={16} />
          )}
        </FlagButton>
        <FlagButton
          label={document.favourite ? FLAG_ACTIONS.favourite.unset : FLAG_ACTIONS.favourite.set}
          onPress={() => toggleFlag([document], "favourite")}
        >
          <Star
            size={16}
            className={document.favourite ? "fill-current text-warning" : undefined}
          />
        </FlagButton>
        <FlagButton
          label={document.archived ? FLAG_ACTIONS.archived.unset : FLAG_ACTIONS.archived.set}
          onPress={() => toggleFlag([document], "archived")}
        >
          <Archive size={16} className={document.archived ? "text-accent" : undefined} />
        </FlagButton>
        {hasNext && (
          <Button variant="quiet" size="sm" onClick={onNext}>
            {t("Next unread")} <ArrowRight size={14} />
          </Button>
        )}
      </div>
      <h1 className={title ? TITLE_CLASS : "sr-only"} dir="auto">
        {title || kindOf(document.content_type).label}
      </h1>
      <p className="mt-2 flex flex-wrap gap-x-2 text-sm text-muted">
        {document.source_url && (
          <a
            href={document.source_url}
            target="_blank"
            rel="noopener noreferrer nofollow"
            className="text-accent hover:underline"
          >
            {hostOf(document.source_url)}
          </a>
        )}
        {typeof author === "string" && author && <span>{author}</span>}
        <span>{t("{minutes} min", { minutes: minutes })}</span>
      </p>
    </header>
  );
}

function CopySwitch() {
  const [params, change] = useUrlState();
  return (
    <div className="mb-6">
      <Segments
        label={t("View")}
        value={params.get("view") === "copy" ? "copy" : "text"}
        options={[
          { value: "text", label: t("Text") },
          { value: "copy", label: t("Page as saved") },
        ]}
        onChange={(view) => change({ view: view === "copy" ? "copy" : null })}
      />
    </div>
  );
}

/** The page as it was saved. It runs nothing and loads nothing from anywhere. */
function PageCopy({ document }: { document: Document }) {
  return (
    <iframe
      sandbox=""
      title={t("The page as it was saved: {title}", { title: document.title })}
      src={copyUrl(document.id)}
      className="h-[80vh] w-full rounded-lg border bg-white"
    />
  );
}

type FlagButtonProps = { label: string; onPress: () => void; children: React.ReactNode };

function FlagButton({ label, onPress, children }: FlagButtonProps) {
  return (
    <Button variant="quiet" size="icon" aria-label={label} title={label} onClick={onPress}>
      {children}
    </Button>
  );
}

/** What comes after the text: the next one, or the way back. */
function End({ document, onNext, hasNext }: HeaderProps) {
  const toggleFlag = useToggleFlag();
  return (
    <footer className="mt-10 flex flex-wrap gap-2 border-t pt-5">
      {!document.archived && (
        <Button onClick={() => toggleFlag([document], "archived")}>
          <Archive size={14} /> {t("Archive")}
        </Button>
      )}
      {hasNext ? (
        <Button variant="primary" onClick={onNext}>
          {t("Next unread")} <ArrowRight size={14} />
        </Button>
      ) : (
        <Link to="/library?is=unread" className={buttonClass()}>
          {t("Back to the library")}
        </Link>
      )}
    </footer>
  );
}

function useNextUnread(id: string): string | undefined {
  const { data } = useInfiniteQuery(documentsQuery({ flag: "unread" }, 2));
  return data?.pages[0]?.documents.find((document) => document.id !== id)?.id;
}

function ReaderSkeleton() {
  return (
    <div className="mx-auto max-w-[40rem] space-y-4 py-8" role="status" aria-label={t("Loading")}>
      <Skeleton className="h-4 w-40" />
      <Skeleton className="h-9 w-3/4" />
      <Skeleton className="h-4" />
      <Skeleton className="h-4 w-2/3" />
    </div>
  );
}
