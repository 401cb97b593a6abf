import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { type Document, type Neighbour, relatedQuery } from "~/features/documents/documents";
import { KindIcon } from "~/features/documents/kinds";
import { CategoryIcon } from "~/features/memories/categories";
import { documentMemoriesQuery, type Quote, quoteOf } from "~/features/memories/document-memories";
import type { Memory } from "~/features/memories/memories";
import { plural } from "~/lib/format";
import { t } from "~/lib/language";
import { plainText } from "~/lib/plain-text";
import { Button } from "~/ui/button";

const SHOWN = 12;

type Props = {
  document: Document;
  /** The memories of a few lines say the same as the lines. */
  isShort: boolean;
  onHover: (quote: Quote | null) => void;
  onShow: (quote: Quote) => void;
};

/** The memories from the document, and related documents; nothing if there are none. */
export function Rail(props: Props) {
  const memories = useQuery(documentMemoriesQuery(props.document.id)).data ?? [];
  const related = useQuery(relatedQuery(props.document.id)).data ?? [];
  if (!memories.length && !related.length) return null;
  return (
    <aside className="shrink-0 max-lg:border-t max-lg:pt-6 lg:w-72">
      <div className="space-y-8 lg:sticky lg:top-8">
        {memories.length > 0 && <Memories memories={memories} {...props} />}
        {related.length > 0 && <Related related={related} />}
      </div>
    </aside>
  );
}

function Memories({ memories, isShort, ...rest }: Props & { memories: Memory[] }) {
  const title = t("{memories} from this text", {
    memories: plural(memories.length, "memory", "memories"),
  });
  if (isShort)
    return (
      <details>
        <summary className="cursor-pointer text-xs font-medium text-muted">{title}</summary>
        <MemoryLines memories={memories} {...rest} />
      </details>
    );
  return (
    <section aria-label={t("Memories")}>
      <h2 className="text-xs font-medium text-muted">{title}</h2>
      <MemoryLines memories={memories} {...rest} />
    </section>
  );
}

type LinesProps = Omit<Props, "isShort"> & { memories: Memory[] };

function MemoryLines({ memories, document, onHover, onShow }: LinesProps) {
  const [all, setAll] = useState(false);
  const shown = all ? memories : memories.slice(0, SHOWN);
  return (
    <>
      <ul className="-mx-2 mt-2 lg:max-h-[60vh] lg:overflow-y-auto">
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
              title={t("Show in the text")}
              onFocus={() => onHover(quoteOf(memory, document))}
              onBlur={() => onHover(null)}
              onClick={() => onShow(quoteOf(memory, document))}
            >
              {memory.content}
            </button>
            <Link
              to={`/memories/${memory.id}`}
              aria-label={t("Open the memory: {content}", { content: memory.content })}
              className="self-start text-xs text-muted group-hover:opacity-100 hover:text-accent focus-visible:opacity-100 pointer-fine:opacity-0"
            >
              {t("Open")}
            </Link>
          </li>
        ))}
      </ul>
      {!all && memories.length > SHOWN && (
        <Button variant="quiet" size="sm" className="-ms-2" onClick={() => setAll(true)}>
          {t("Show all")}
        </Button>
      )}
    </>
  );
}

function Related({ related }: { related: Neighbour[] }) {
  return (
    <section aria-label={t("Related")}>
      <h2 className="mb-2 text-xs font-medium text-muted">{t("Related")}</h2>
      <ul className="space-y-2">
        {related.map((neighbour) => (
          <li key={neighbour.id} className="flex gap-2 text-sm">
            <span className="mt-0.5 text-muted">
              <KindIcon type={neighbour.content_type} size={14} />
            </span>
            <Link
              to={`/memory/${neighbour.id}`}
              className="line-clamp-2 hover:text-accent"
              dir="auto"
            >
              {plainText(neighbour.title).text}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
