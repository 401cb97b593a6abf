import { useInfiniteQuery } from "@tanstack/react-query";
import { Hash } from "lucide-react";
import { Link, useParams } from "react-router";
import { DocumentCard } from "~/features/documents/document-card";
import { documentsQuery } from "~/features/documents/documents";
import { type HighlightLine, taggedHighlightsQuery } from "~/features/highlights/highlights";
import { memoriesQuery } from "~/features/memories/memories";
import { MemoryLine } from "~/features/memories/memory-line";
import { t } from "~/lib/language";
import { useTitle } from "~/lib/use-title";
import { Button, buttonClass } from "~/ui/button";
import { PageLayout, Row, Rows, Section } from "~/ui/layout";
import { EmptyState, ErrorState, SkeletonList } from "~/ui/states";

const SHOWN = 12;

/** Everything with a tag: documents, what was marked in them, and statements. */
export default function TagPage() {
  const { tag = "" } = useParams();
  useTitle(`#${tag}`);
  const documents = useInfiniteQuery(documentsQuery({ tags: [tag] }, SHOWN));
  const highlights = useInfiniteQuery(taggedHighlightsQuery(tag));
  const memories = useInfiniteQuery(memoriesQuery({ tags: [tag] }, SHOWN));
  const lines = documents.data?.pages.flatMap((page) => page.documents) ?? [];
  const marked = highlights.data?.pages.flatMap((page) => page.highlights) ?? [];
  const statements = (memories.data?.pages.flatMap((page) => page.memories) ?? []).filter(
    ({ source }) => source !== "highlight",
  );
  const failed = [documents, highlights, memories].find(({ error, data }) => error && !data);
  const isPending = [documents, highlights, memories].some((query) => query.isPending);
  const total = documents.data?.pages[0]?.total ?? 0;
  const filter = `tag=${encodeURIComponent(tag)}`;
  return (
    <PageLayout
      title={`#${tag}`}
      width="list"
      actions={
        <Link to={`/search?${filter}`} className={buttonClass()}>
          {t("Search in this tag")}
        </Link>
      }
    >
      {failed ? (
        <ErrorState error={failed.error} onRetry={() => failed.refetch()} />
      ) : isPending ? (
        <SkeletonList rows={4} height="h-24" />
      ) : lines.length + marked.length + statements.length === 0 ? (
        <EmptyState icon={Hash} title={t("Nothing has this tag")}>
          {t("Add it to a document on its page.")}
        </EmptyState>
      ) : (
        <div className="space-y-10">
          {lines.length > 0 && (
            <Section
              title={t("Documents")}
              actions={
                total > lines.length && (
                  <Link to={`/library?${filter}`} className="text-sm text-accent hover:underline">
                    {t("All {total}", { total: total })}
                  </Link>
                )
              }
            >
              <div className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
                {lines.map((document) => (
                  <DocumentCard key={document.id} document={document} />
                ))}
              </div>
            </Section>
          )}
          {marked.length > 0 && (
            <Section title={t("Highlights")}>
              <Rows>
                {marked.map((highlight) => (
                  <Marked key={highlight.id} highlight={highlight} />
                ))}
              </Rows>
              <More query={highlights} />
            </Section>
          )}
          {statements.length > 0 && (
            <Section title={t("Statements")}>
              <Rows>
                {statements.map((memory) => (
                  <Row key={memory.id}>
                    <MemoryLine memory={memory} />
                  </Row>
                ))}
              </Rows>
              <More query={memories} />
            </Section>
          )}
        </div>
      )}
    </PageLayout>
  );
}

function Marked({ highlight }: { highlight: HighlightLine }) {
  return (
    <Row>
      <div className="min-w-0 flex-1 border-s-2 border-accent ps-3">
        <Link
          to={`/memory/${highlight.document_id}/read`}
          className="line-clamp-4 hover:text-accent"
          dir="auto"
        >
          {highlight.quote}
        </Link>
        {highlight.note && (
          <p className="mt-1 text-sm whitespace-pre-wrap text-muted" dir="auto">
            {highlight.note}
          </p>
        )}
        <p className="mt-1 truncate text-xs text-muted" dir="auto">
          {highlight.document_title}
        </p>
      </div>
    </Row>
  );
}

type MoreProps = {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
};

function More({ query }: MoreProps) {
  if (!query.hasNextPage) return null;
  return (
    <Button
      variant="quiet"
      size="sm"
      className="mt-2"
      busy={query.isFetchingNextPage}
      onClick={() => query.fetchNextPage()}
    >
      {t("Show more")}
    </Button>
  );
}
