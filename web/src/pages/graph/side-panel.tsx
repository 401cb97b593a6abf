import { Route, X } from "lucide-react";
import { Link } from "react-router";
import { type GraphData, nodePath } from "~/features/graph/graph";
import { kindKey, tokenOf } from "~/features/graph/kinds";
import { plainName } from "~/features/graph/names";
import { neighboursOf } from "~/features/graph/select";
import { plural } from "~/lib/format";
import { t } from "~/lib/language";
import { Button, buttonClass } from "~/ui/button";

type Props = {
  graph: GraphData;
  id: string;
  from: string | null;
  path: string[] | null;
  onSelect: (id: string | null) => void;
  onFrom: (id: string | null) => void;
};

const MAX_NEIGHBOURS = 40;

export function SidePanel({ graph, id, from, path, onSelect, onFrom }: Props) {
  const byId = new Map(graph.nodes.map((node) => [node.id, node]));
  const node = byId.get(id);
  if (!node) return null;
  const neighbours = [...neighboursOf(graph, id)].slice(0, MAX_NEIGHBOURS);
  const to = nodePath(node);
  const start = from ? byId.get(from) : undefined;
  return (
    <aside
      aria-label={t("Selected item")}
      className="absolute inset-y-3 end-3 flex w-80 max-w-[calc(100%-24px)] flex-col overflow-hidden rounded-lg border border-line-strong bg-surface max-sm:top-auto max-sm:h-1/2"
    >
      <div className="flex items-start gap-2 border-b p-4">
        <Dot kind={kindKey(node)} />
        <div className="min-w-0 flex-1">
          <p className="text-xs text-muted first-letter:uppercase">
            {plainName(node.type || node.kind)}
          </p>
          <h2 className="font-medium break-words" dir="auto">
            {node.label}
          </h2>
        </div>
        <Button
          variant="quiet"
          size="icon"
          aria-label={t("Close")}
          className="-mt-1 -me-2"
          onClick={() => onSelect(null)}
        >
          <X size={16} />
        </Button>
      </div>
      <div className="flex flex-wrap gap-2 border-b px-4 py-3">
        {to && (
          <Link to={to} className={buttonClass("secondary", "sm")}>
            {node.kind === "entity"
              ? t("Search for it")
              : node.kind === "tag"
                ? t("Find all")
                : t("Open")}
          </Link>
        )}
        {node.kind === "entity" && (
          <Link
            to={`/people?query=${encodeURIComponent(node.label)}`}
            className={buttonClass("secondary", "sm")}
          >
            {t("Rename or merge")}
          </Link>
        )}
        <Button size="sm" onClick={() => onFrom(from === id ? null : id)}>
          <Route size={14} /> {from === id ? t("Clear the start") : t("Find a path from here")}
        </Button>
      </div>
      {start && from !== id && (
        <div className="border-b px-4 py-3 text-sm">
          {path ? (
            <>
              <h3 className="mb-1 text-xs text-muted">
                {t("Path, {steps}", { steps: plural(path.length - 1, "step") })}
              </h3>
              <ol className="space-y-1">
                {path.map((step) => (
                  <li key={step} className="flex items-start gap-2">
                    <Dot kind={kindKey(byId.get(step) ?? node)} />
                    <button
                      type="button"
                      className="text-start break-words hover:text-accent"
                      onClick={() => onSelect(step)}
                    >
                      {byId.get(step)?.label}
                    </button>
                  </li>
                ))}
              </ol>
            </>
          ) : (
            <p className="text-muted">
              {t("Nothing in the graph shown connects this to “{name}”.", { name: start.label })}
            </p>
          )}
        </div>
      )}
      {from === id && (
        <p className="border-b px-4 py-3 text-sm text-muted">
          {t("Now choose another item to see how they are connected.")}
        </p>
      )}
      <div className="min-h-0 flex-1 overflow-y-auto p-2">
        <h3 className="px-2 py-1 text-xs text-muted">{plural(neighbours.length, "connection")}</h3>
        <ul>
          {neighbours.map(([other, relation]) => {
            const neighbour = byId.get(other);
            if (!neighbour) return null;
            return (
              <li key={other}>
                <button
                  type="button"
                  className="flex w-full items-start gap-2 rounded-md px-2 py-1.5 text-start text-sm hover:bg-raised"
                  onClick={() => onSelect(other)}
                >
                  <Dot kind={kindKey(neighbour)} />
                  <span className="line-clamp-2 min-w-0 flex-1 break-words" dir="auto">
                    {neighbour.label}
                  </span>
                  <span className="mt-0.5 text-xs whitespace-nowrap text-muted">
                    {plainName(relation)}
                  </span>
                </button>
              </li>
            );
          })}
        </ul>
      </div>
    </aside>
  );
}

function Dot({ kind }: { kind: string }) {
  return (
    <span
      aria-hidden
      className="mt-1 size-2.5 shrink-0 rounded-full"
      style={{ background: `var(${tokenOf(kind)})` }}
    />
  );
}
