import { useQuery } from "@tanstack/react-query";
import { Waypoints } from "lucide-react";
import { lazy, Suspense } from "react";
import { Link, useNavigate } from "react-router";
import { t } from "~/lib/language";
import { EmptyState, Loaded, Skeleton } from "~/ui/states";
import { graphQuery, nodePath } from "./graph";

const CanvasView = lazy(() => import("./canvas-view"));
const LIMIT = 200;

export function ProjectGraph({ project }: { project: string }) {
  const query = useQuery(graphQuery({ project, limit: LIMIT }));
  const navigate = useNavigate();
  return (
    <Loaded query={query} skeleton={<Skeleton className="h-[60vh] rounded-lg" />}>
      {(graph) =>
        graph.nodes.length ? (
          <>
            <div className="h-[60vh] overflow-hidden rounded-lg border bg-surface">
              <Suspense fallback={null}>
                <CanvasView
                  graph={graph}
                  selected={null}
                  lit={null}
                  onSelect={(id) => {
                    const node = graph.nodes.find((candidate) => candidate.id === id);
                    const path = node && nodePath(node);
                    if (path) navigate(path);
                  }}
                />
              </Suspense>
            </div>
            <Link
              to={`/graph?project=${project}`}
              className="mt-2 inline-block text-sm text-accent hover:underline"
            >
              {t("Open in the full graph")}
            </Link>
          </>
        ) : (
          <EmptyState icon={Waypoints} title={t("Nothing is connected yet")} />
        )
      }
    </Loaded>
  );
}
