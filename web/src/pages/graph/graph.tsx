import { useQuery } from "@tanstack/react-query";
import clsx from "clsx";
import { Maximize, Waypoints } from "lucide-react";
import { lazy, Suspense, useMemo, useRef } from "react";
import { graphQuery } from "~/features/graph/graph";
import { filtered, hasGraphicsCard, litBy, pathBetween } from "~/features/graph/select";
import { list, plural } from "~/lib/format";
import { useKeys } from "~/lib/keyboard";
import { t } from "~/lib/language";
import { useUrlState } from "~/lib/url-state";
import { useTitle } from "~/lib/use-title";
import { Button } from "~/ui/button";
import { EmptyState, ErrorState, Skeleton } from "~/ui/states";
import { GraphFilters } from "./filters";
import { SidePanel } from "./side-panel";
import { TimeRange, useTimeRange } from "./time-range";

const SigmaView = lazy(() => import("~/features/graph/sigma-view"));
const CanvasView = lazy(() => import("~/features/graph/canvas-view"));
const MAX_NODES = 10_000;
/** Drawing without a graphics card is smooth up to this number. */
const MAX_WITHOUT_CARD = 1_500;

export default function GraphPage() {
  useTitle(t("Graph"));
  const [params, change] = useUrlState();
  const card = useMemo(hasGraphicsCard, []);
  const project = params.get("project") ?? "";
  const limit = card || params.has("all") ? MAX_NODES : MAX_WITHOUT_CARD;
  const query = useQuery(graphQuery({ project, limit }));
  const frame = useRef<HTMLDivElement>(null);
  const kinds = params.getAll("kind");
  const relations = params.getAll("relation");
  const selected = params.get("node");
  const range = useTimeRange(query.data);
  const kindsKey = kinds.join();
  const relationsKey = relations.join();
  const graph = useMemo(
    () =>
      query.data &&
      filtered(query.data, {
        kinds: kindsKey ? kindsKey.split(",") : [],
        relations: relationsKey ? relationsKey.split(",") : [],
        until: range.until,
      }),
    [query.data, kindsKey, relationsKey, range.until],
  );
  const from = params.get("from");
  const path = useMemo(
    () =>
      graph && from && selected && from !== selected ? pathBetween(graph, from, selected) : null,
    [graph, from, selected],
  );
  const lit = useMemo(() => (graph ? litBy(graph, selected, path) : null), [graph, selected, path]);
  const select = (id: string | null) => change({ node: id, ...(id ? {} : { from: null }) });
  useKeys({
    f: () => frame.current?.requestFullscreen(),
    Escape: () => select(null),
  });
  if (query.error && !query.data) return <ErrorState error={query.error} onRetry={query.refetch} />;
  if (!query.data || !graph) return <Skeleton className="m-4 h-[calc(100%-2rem)]" />;
  if (!query.data.nodes.length) {
    return (
      <EmptyState icon={Waypoints} title={t("Nothing is connected yet")}>
        {t("The graph grows with the documents and memories you save.")}
      </EmptyState>
    );
  }
  const View = card ? SigmaView : CanvasView;
  return (
    <div ref={frame} className="relative h-full overflow-hidden bg-bg">
      <h1 className="sr-only">{t("Graph")}</h1>
      {/* The graph is drawn beside the panel, so that the selected node stays visible. */}
      <div className={clsx("absolute inset-0", selected && "max-sm:bottom-1/2 sm:end-86")}>
        <Suspense fallback={null}>
          <View graph={graph} selected={selected} lit={lit} onSelect={select} />
        </Suspense>
      </div>
      <GraphFilters
        graph={query.data}
        kinds={kinds}
        relations={relations}
        project={project}
        beside={selected !== null}
        change={change}
      />
      <div
        className={clsx(
          "pointer-events-none absolute inset-x-3 bottom-3 flex flex-wrap items-end gap-3",
          selected && "max-sm:hidden sm:end-86",
        )}
      >
        <p className="rounded-md bg-surface px-2 py-1 text-xs text-muted">
          {list([plural(graph.nodes.length, "item"), plural(graph.edges.length, "connection")])}
          {query.data.truncated && ` · ${t("only the {limit} most connected", { limit: limit })}`}
          {!card && ` · ${t("drawn without a graphics card")}`}
          {!card && query.data.truncated && limit < MAX_NODES && (
            <button
              type="button"
              className="pointer-events-auto ms-2 text-accent hover:underline"
              onClick={() => change({ all: "1" })}
            >
              {t("Show up to {limit} (slower)", { limit: MAX_NODES })}
            </button>
          )}
        </p>
        <TimeRange range={range} />
        <Button
          size="sm"
          className="pointer-events-auto ms-auto"
          onClick={() => frame.current?.requestFullscreen()}
        >
          <Maximize size={14} /> {t("Full screen")}
        </Button>
      </div>
      {selected && (
        <SidePanel
          graph={query.data}
          id={selected}
          from={from}
          path={path}
          onSelect={select}
          onFrom={(id) => change({ from: id })}
        />
      )}
    </div>
  );
}
