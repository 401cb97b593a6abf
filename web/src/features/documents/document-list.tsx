import { useInfiniteQuery } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import clsx from "clsx";
import { memo, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { plural } from "~/lib/format";
import { useKeys } from "~/lib/keyboard";
import { t } from "~/lib/language";
import { toggled } from "~/lib/toggled";
import { SelectAll } from "~/ui/select-all";
import { ErrorState, Skeleton } from "~/ui/states";
import { BulkBar } from "./bulk";
import { useDeleteDocuments, useHiddenDocuments } from "./delete";
import { addressOf, DocumentCard } from "./document-card";
import { DocumentRow } from "./document-row";
import { type DocumentFilter, type DocumentLine, documentsQuery } from "./documents";
import { useToggleFlag } from "./flags";

type Props = {
  filter: DocumentFilter;
  view: "cards" | "table";
  empty: ReactNode;
};

const CARD_WIDTH = 290;
const CARD_HEIGHT = 184;
const ROW_HEIGHT = 45;

/** Renders only the rows near the viewport, and fetches more pages while scrolling. */
export function DocumentList({ filter, view, empty }: Props) {
  const list = useInfiniteQuery(documentsQuery(filter));
  const hidden = useHiddenDocuments();
  const documents = useMemo(
    () =>
      (list.data?.pages ?? [])
        .flatMap((page) => page.documents)
        .filter((document) => !hidden.has(document.id)),
    [list.data, hidden],
  );
  const box = useRef<HTMLDivElement>(null);
  const columns = useColumns(box, view, list.isPending);
  const rows = Math.ceil(documents.length / columns);
  const [selected, setSelected] = useState<string[]>([]);
  const [at, setAt] = useState(-1);
  const virtual = useVirtualizer({
    count: rows,
    getScrollElement: () => document.getElementById("content"),
    estimateSize: () => (view === "cards" ? CARD_HEIGHT : ROW_HEIGHT),
    overscan: 6,
    scrollMargin: box.current?.offsetTop ?? 0,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= rows - 3 && list.hasNextPage && !list.isFetchingNextPage) list.fetchNextPage();
  }, [last, rows, list.hasNextPage, list.isFetchingNextPage, list.fetchNextPage]);
  useListKeys(documents, at, setAt, setSelected, (index) =>
    virtual.scrollToIndex(Math.floor(index / columns)),
  );
  useFlagKeys(documents, selected, documents[at]);
  const toggle = useCallback((id: string) => setSelected((all) => toggled(all, id)), []);
  if (list.error && !list.data) return <ErrorState error={list.error} onRetry={list.refetch} />;
  if (list.isPending) return <Skeletons view={view} />;
  if (!documents.length) return empty;
  return (
    <>
      <SelectAll
        count={plural(list.data?.pages[0]?.total ?? documents.length, "document")}
        ids={documents.map(({ id }) => id)}
        selected={selected}
        onChange={setSelected}
      />
      <div
        ref={box}
        className={clsx("relative", view === "table" && "rounded-lg border bg-surface")}
        style={{ height: virtual.getTotalSize() }}
      >
        {items.map((item) => (
          <div
            key={item.key}
            ref={virtual.measureElement}
            data-index={item.index}
            className={clsx("absolute inset-x-0 top-0", view === "cards" && "grid gap-3 pb-3")}
            style={{
              transform: `translateY(${item.start - virtual.options.scrollMargin}px)`,
              ...(view === "cards"
                ? { gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }
                : {}),
            }}
          >
            {documents
              .slice(item.index * columns, (item.index + 1) * columns)
              .map((document, i) => {
                const shared = {
                  document,
                  selected: selected.includes(document.id),
                  current: at === item.index * columns + i,
                  onToggle: toggle,
                };
                return view === "cards" ? (
                  <SelectableCard key={document.id} {...shared} />
                ) : (
                  <DocumentRow key={document.id} {...shared} />
                );
              })}
          </div>
        ))}
      </div>
      <BulkBar
        selected={documents.filter(({ id }) => selected.includes(id))}
        onClear={() => setSelected([])}
      />
    </>
  );
}

export type RowProps = {
  document: DocumentLine;
  selected: boolean;
  current: boolean;
  onToggle: (id: string) => void;
};

const SelectableCard = memo(function SelectableCard({
  document,
  selected,
  current,
  onToggle,
}: RowProps) {
  return (
    <div
      className={clsx(
        "group/card relative rounded-lg",
        (selected || current) && "outline-2 outline-accent",
      )}
    >
      <DocumentCard document={document} />
      <input
        type="checkbox"
        aria-label={t("Select {title}", { title: document.title })}
        checked={selected}
        onChange={() => onToggle(document.id)}
        className={clsx(
          "absolute end-4 bottom-4 z-10 size-4 accent-(--accent)",
          !selected &&
            "opacity-0 group-hover/card:opacity-100 focus-visible:opacity-100 pointer-coarse:opacity-100",
        )}
      />
    </div>
  );
});

function useColumns(
  box: React.RefObject<HTMLDivElement | null>,
  view: "cards" | "table",
  pending: boolean,
): number {
  const [columns, setColumns] = useState(1);
  useEffect(() => {
    const element = box.current;
    if (!element || pending) return;
    const measure = () =>
      setColumns(view === "table" ? 1 : Math.max(1, Math.floor(element.clientWidth / CARD_WIDTH)));
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    return () => watch.disconnect();
  }, [box, view, pending]);
  return columns;
}

function useListKeys(
  documents: DocumentLine[],
  at: number,
  setAt: (index: number) => void,
  setSelected: React.Dispatch<React.SetStateAction<string[]>>,
  reveal: (index: number) => void,
) {
  const navigate = useNavigate();
  const remove = useDeleteDocuments();
  const current = documents[at];
  const go = (index: number) => {
    const next = Math.max(0, Math.min(documents.length - 1, index));
    setAt(next);
    reveal(next);
  };
  useKeys({
    j: () => go(at + 1),
    k: () => go(at - 1),
    o: () => current && navigate(addressOf(current)),
    e: () => current && navigate(`/memory/${current.id}?edit=1`),
    x: () => current && setSelected((all) => toggled(all, current.id)),
    "#": () => current && remove([current.id]),
  });
}

/** Marks the selected documents, or the current one. */
function useFlagKeys(
  documents: DocumentLine[],
  selected: string[],
  current: DocumentLine | undefined,
) {
  const toggleFlag = useToggleFlag();
  const chosen = () => {
    const marked = documents.filter(({ id }) => selected.includes(id));
    return marked.length || !current ? marked : [current];
  };
  useKeys({
    m: () => toggleFlag(chosen(), "unread"),
    f: () => toggleFlag(chosen(), "favourite"),
    a: () => toggleFlag(chosen(), "archived"),
  });
}

function Skeletons({ view }: { view: "cards" | "table" }) {
  const keys = ["a", "b", "c", "d", "e", "f"];
  return (
    <div
      role="status"
      aria-label={t("Loading")}
      className={view === "cards" ? "grid gap-3 sm:grid-cols-2 lg:grid-cols-3" : "space-y-2"}
    >
      {keys.map((key) => (
        <Skeleton key={key} className={view === "cards" ? "h-40 rounded-lg" : "h-10"} />
      ))}
    </div>
  );
}
