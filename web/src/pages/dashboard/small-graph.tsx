import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { Link, useNavigate } from "react-router";
import { graphQuery, nodePath } from "~/features/graph/graph";
import { Card, Section } from "~/ui/layout";

const CanvasView = lazy(() => import("~/features/graph/canvas-view"));
const MOST = 60;
const SETTLED_MS = 800;

/** Drawn when it is scrolled to: the first page of the app loads without it. */
export function SmallGraph() {
  const mark = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    const watch = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) setSeen(true);
    });
    // What stands above it comes first; until then it would be in sight.
    const timer = setTimeout(() => mark.current && watch.observe(mark.current), SETTLED_MS);
    return () => {
      clearTimeout(timer);
      watch.disconnect();
    };
  }, []);
  return <div ref={mark}>{seen && <Connections />}</div>;
}

function Connections() {
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
