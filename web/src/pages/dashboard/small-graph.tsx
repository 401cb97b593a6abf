import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { Link, useNavigate } from "react-router";
import { graphQuery, nodePath } from "~/features/graph/graph";
import { t } from "~/lib/language";
import { Card, Section } from "~/ui/layout";

const CanvasView = lazy(() => import("~/features/graph/canvas-view"));
const LIMIT = 60;
const SETTLED_MS = 800;

/** Loads the graph when it is scrolled into view, so that the page loads faster. */
export function SmallGraph() {
  const anchor = useRef<HTMLDivElement>(null);
  const [visible, setVisible] = useState(false);
  useEffect(() => {
    const watch = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) setVisible(true);
    });
    // Wait until the content above is loaded; before that, this element would be in view.
    const timer = setTimeout(() => anchor.current && watch.observe(anchor.current), SETTLED_MS);
    return () => {
      clearTimeout(timer);
      watch.disconnect();
    };
  }, []);
  return <div ref={anchor}>{visible && <Connections />}</div>;
}

function Connections() {
  const { data } = useQuery(graphQuery({ limit: LIMIT }));
  const navigate = useNavigate();
  if (!data || data.nodes.length < 3) return null;
  return (
    <Section
      title={t("How things are connected")}
      actions={
        <Link to="/graph" className="text-sm text-accent hover:underline">
          {t("Open the graph")}
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
              const node = data.nodes.find((candidate) => candidate.id === id);
              const path = node && nodePath(node);
              if (path) navigate(path);
            }}
          />
        </Suspense>
      </Card>
    </Section>
  );
}
