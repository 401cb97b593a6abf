import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { Link, useNavigate } from "react-router";
import { graphQuery, nodePath } from "~/features/graph/graph";
import { Card, Section } from "~/ui/layout";

const CanvasView = lazy(() => import("~/features/graph/canvas-view"));
const MOST = 60;

export function SmallGraph() {
  const { data } = useQuery(graphQuery({ limit: MOST }));
  const navigate = useNavigate();
  if (!data || data.nodes.length < 3) return null;
  return (
    <Section
      title="How it is connected"
      actions={
        <Link to="/graph" className="text-sm text-accent hover:underline">
          Open the graph
        </Link>
      }
    >
      <Card className="h-64 overflow-hidden">
        <Suspense fallback={null}>
          <CanvasView
            graph={data}
            selected={null}
            lit={null}
            onSelect={(id) => {
              const node = data.nodes.find((one) => one.id === id);
              const path = node && nodePath(node);
              if (path) navigate(path);
            }}
          />
        </Suspense>
      </Card>
    </Section>
  );
}
