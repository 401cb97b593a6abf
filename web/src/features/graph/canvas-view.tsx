import { useEffect, useMemo, useRef, useState } from "react";
import { plural } from "~/lib/format";
import { t } from "~/lib/language";
import { useIsDark } from "~/lib/theme";
import { draw, sceneOf } from "./canvas-scene";
import type { GraphData } from "./graph";
import { colourOf, KIND_KEYS, tokenOf } from "./kinds";
import { type Positions, useLayout } from "./use-layout";

export type ViewProps = {
  graph: GraphData;
  selected: string | null;
  /** The highlighted nodes; the others are drawn faintly. */
  lit: ReadonlySet<string> | null;
  onSelect: (id: string | null) => void;
};

type Camera = { x: number; y: number; scale: number };
type Size = { width: number; height: number };
type Fit = { cx: number; cy: number; scale: number };

const PADDING = 48;
// The filters cover the upper edge.
const TOP = 48;
const CLICK_DISTANCE = 14;

function fitOf({ x, y }: Positions, { width, height }: Size): Fit {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let i = 0; i < x.length; i += 1) {
    left = Math.min(left, x[i] ?? 0);
    right = Math.max(right, x[i] ?? 0);
    top = Math.min(top, y[i] ?? 0);
    bottom = Math.max(bottom, y[i] ?? 0);
  }
  const scale = Math.min(
    (width - 2 * PADDING) / Math.max(1, right - left),
    (height - 2 * PADDING - TOP) / Math.max(1, bottom - top),
  );
  return { cx: (left + right) / 2, cy: (top + bottom) / 2, scale };
}

/** Screen coordinates of the nodes. */
function toScreen(positions: Positions, fit: Fit, camera: Camera, size: Size): Positions {
  const scale = fit.scale * camera.scale;
  const [dx, dy] = [size.width / 2 + camera.x, (size.height + TOP) / 2 + camera.y];
  return {
    x: positions.x.map((value) => (value - fit.cx) * scale + dx),
    y: positions.y.map((value) => (value - fit.cy) * scale + dy),
  };
}

function useColours(): Record<string, string> {
  const dark = useIsDark();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tokens change with the theme
  return useMemo(
    () => ({
      ...Object.fromEntries(KIND_KEYS.map((key) => [key, colourOf(tokenOf(key))])),
      ink: colourOf("--ink"),
      line: colourOf("--line-strong"),
      bg: colourOf("--bg"),
    }),
    [dark],
  );
}

function useSize(canvas: React.RefObject<HTMLCanvasElement | null>): Size {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const watch = new ResizeObserver(([entry]) => {
      if (entry) setSize({ width: entry.contentRect.width, height: entry.contentRect.height });
    });
    watch.observe(element);
    return () => watch.disconnect();
  }, [canvas]);
  return size;
}

/** The graph on a 2D canvas: for machines without a graphics card, and for previews. */
export default function CanvasView({ graph, selected, lit, onSelect }: ViewProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const positions = useLayout(graph);
  const colours = useColours();
  const size = useSize(canvas);
  const scene = useMemo(() => sceneOf(graph), [graph]);
  const [camera, setCamera] = useState<Camera>({ x: 0, y: 0, scale: 1 });
  const [moving, setMoving] = useState(false);
  const at = useMemo(
    () =>
      positions && size.width ? toScreen(positions, fitOf(positions, size), camera, size) : null,
    [positions, size, camera],
  );
  useEffect(() => {
    if (!at) return;
    const frame = requestAnimationFrame(() => {
      const context = canvas.current?.getContext("2d");
      if (!context) return;
      const ratio = window.devicePixelRatio || 1;
      context.canvas.width = size.width * ratio;
      context.canvas.height = size.height * ratio;
      context.scale(ratio, ratio);
      draw(context, scene, { ...at, ...size, colours, lit, selected, moving });
    });
    return () => cancelAnimationFrame(frame);
  }, [at, scene, size, colours, lit, selected, moving]);
  function nodeAt(px: number, py: number): string | null {
    let best: string | null = null;
    let nearest = CLICK_DISTANCE ** 2;
    graph.nodes.forEach((node, i) => {
      const distance = ((at?.x[i] ?? 0) - px) ** 2 + ((at?.y[i] ?? 0) - py) ** 2;
      if (distance < nearest) [best, nearest] = [node.id, distance];
    });
    return best;
  }
  const drag = useRef<{ x: number; y: number; moved: boolean } | null>(null);
  return (
    <canvas
      ref={canvas}
      className="size-full touch-none"
      aria-label={t("Graph of {items}", { items: plural(graph.nodes.length, "item") })}
      role="img"
      data-layout={positions?.done ? "done" : "running"}
      onPointerDown={(event) => {
        drag.current = { x: event.clientX, y: event.clientY, moved: false };
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        const from = drag.current;
        if (!from) return;
        const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
        if (!from.moved && Math.hypot(dx, dy) < 4) return;
        drag.current = { x: event.clientX, y: event.clientY, moved: true };
        setMoving(true);
        setCamera((old) => ({ ...old, x: old.x + dx, y: old.y + dy }));
      }}
      onPointerUp={(event) => {
        if (drag.current && !drag.current.moved) {
          const box = event.currentTarget.getBoundingClientRect();
          onSelect(nodeAt(event.clientX - box.x, event.clientY - box.y));
        }
        drag.current = null;
        setMoving(false);
      }}
      onWheel={(event) => {
        const factor = Math.exp(-event.deltaY / 500);
        setCamera((old) => ({
          x: old.x * factor,
          y: old.y * factor,
          scale: Math.max(0.2, Math.min(40, old.scale * factor)),
        }));
      }}
    />
  );
}
