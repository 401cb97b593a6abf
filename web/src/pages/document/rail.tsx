import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { type Document, relatedQuery } from "~/features/documents/documents";
import { KindIcon } from "~/features/documents/kinds";
import { CategoryIcon } from "~/features/memories/categories";
import { documentMemoriesQuery, type Quote, quoteOf } from "~/features/memories/document-memories";
import { plural } from "~/lib/format";
import { Button } from "~/ui/button";
import { SkeletonList } from "~/ui/states";

const SHOWN = 12;

type Props = {
  document: Document;
  onHover: (quote: Quote | null) => void;
  onShow: (quote: Quote) => void;
};

/** The memories from the document, and related documents. */
export function Rail({ document, onHover, onShow }: Props) {
  return (
    <aside className="shrink-0 max-lg:border-t max-lg:pt-6 lg:w-72">
      <div className="space-y-8 lg:sticky lg:top-8">
        <Memories document={document} onHover={onHover} onShow={onShow} />
        <Related id={document.id} />
      </div>
    </aside>
  );
}

function Memories({ document, onHover, onShow }: Props) {
  const { data, isPending } = useQuery(documentMemoriesQuery(document.id));
  const [all, setAll] = useState(false);
  if (isPending) return <SkeletonList rows={4} height="h-10" />;
  if (!data?.length) return null;
  const shown = all ? data : data.slice(0, SHOWN);
  return (
    <section aria-label="Memories">
      <h2 className="mb-2 text-xs font-medium text-muted">
        {plural(data.length, "memory", "memories")} from this text
      </h2>
      <ul className="-mx-2 lg:max-h-[60vh] lg:overflow-y-auto">
        {shown.map((memory) => (
          <li
            key={memory.id}
            onMouseEnter={() => onHover(quoteOf(memory, document))}
            onMouseLeave={() => onHover(null)}
            className="group flex gap-2 rounded-md px-2 py-1.5 text-sm hover:bg-raised"
          >
            <span className="mt-1">
              <CategoryIcon category={memory.category} />
            </span>
            <button
              type="button"
              className="flex-1 text-start"
              dir="auto"
              title="Show in the text"
              onFocus={() => onHover(quoteOf(memory, document))}
              onBlur={() => onHover(null)}
              onClick={() => onShow(quoteOf(memory, document))}
            >
              {memory.content}
            </button>
            <Link
              to={`/memories/${memory.id}`}
              aria-label={`Open the memory: ${memory.content}`}
              className="self-start text-xs text-muted group-hover:opacity-100 hover:text-accent focus-visible:opacity-100 pointer-fine:opacity-0"
            >
              Open
            </Link>
          </li>
        ))}
      </ul>
      {!all && data.length > SHOWN && (
        <Button variant="quiet" size="sm" className="-ms-2" onClick={() => setAll(true)}>
          Show all
        </Button>
      )}
    </section>
  );
}

function Related({ id }: { id: string }) {
  const { data } = useQuery(relatedQuery(id));
  if (!data?.length) return null;
  return (
    <section aria-label="Related">
      <h2 className="mb-2 text-xs font-medium text-muted">Related</h2>
      <ul className="space-y-2">
        {data.map((neighbour) => (
          <li key={neighbour.id} className="flex gap-2 text-sm">
            <span className="mt-0.5 text-muted">
              <KindIcon type={neighbour.content_type} size={14} />
            </span>
            <Link
              to={`/memory/${neighbour.id}`}
              className="line-clamp-2 hover:text-accent"
              dir="auto"
            >
              {neighbour.title}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
