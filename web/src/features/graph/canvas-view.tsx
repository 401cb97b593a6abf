import { useEffect, useMemo, useRef, useState } from "react";
import { useIsDark } from "~/lib/theme";
import type { GraphData } from "./graph";
import { colourOf, KIND_KEYS, kindKey, tokenOf } from "./kinds";
import { type Positions, useLayout } from "./use-layout";

export type ViewProps = {
  graph: GraphData;
  selected: string | null;
  /** Everything else is drawn faintly. */
  lit: ReadonlySet<string> | null;
  onSelect: (id: string | null) => void;
};

type Camera = { x: number; y: number; scale: number };
type Fit = { cx: number; cy: number; scale: number };

const ITERATIONS = 200;
const LABELS = 24;
const PADDING = 48;
// The filters are drawn over the upper edge.
const TOP = 48;

function fitOf({ x, y }: Positions, width: number, height: number): Fit {
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

export function radiusOf(weight: number): number {
  return Math.min(14, 3 + Math.sqrt(Math.max(1, weight)) * 1.4);
}

/** The graph on a plain canvas: for machines without a graphics card, and for small pictures of it. */
export default function CanvasView({ graph, selected, lit, onSelect }: ViewProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const positions = useLayout(graph, ITERATIONS);
  const dark = useIsDark();
  const [size, setSize] = useState({ width: 0, height: 0 });
  const [camera, setCamera] = useState<Camera>({ x: 0, y: 0, scale: 1 });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tokens change with the theme
  const colours = useMemo(
    () => ({
      ...Object.fromEntries(KIND_KEYS.map((key) => [key, colourOf(tokenOf(key))])),
      ink: colourOf("--ink"),
      line: colourOf("--line-strong"),
      bg: colourOf("--bg"),
      accent: colourOf("--accent"),
    }),
    [dark],
  ) as Record<string, string>;
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const watch = new ResizeObserver(([entry]) => {
      if (entry)
        setSize({
          width: entry.contentRect.width,
          height: entry.contentRect.height,
        });
    });
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  const fit = useMemo(
    () => positions && size.width && fitOf(positions, size.width, size.height),
    [positions, size],
  );
  const place = (i: number): [number, number] => {
    if (!positions || !fit) return [0, 0];
    const scale = fit.scale * camera.scale;
    return [
      size.width / 2 + ((positions.x[i] ?? 0) - fit.cx) * scale + camera.x,
      (size.height + TOP) / 2 + ((positions.y[i] ?? 0) - fit.cy) * scale + camera.y,
    ];
  };
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (!context || !positions || !fit) return;
    const ratio = window.devicePixelRatio || 1;
    context.canvas.width = size.width * ratio;
    context.canvas.height = size.height * ratio;
    context.scale(ratio, ratio);
    draw(context, { graph, place, colours, lit, selected });
  });
  function nodeAt(px: number, py: number): string | null {
    let best: string | null = null;
    let nearest = 14 ** 2;
    graph.nodes.forEach((node, i) => {
      const [x, y] = place(i);
      const distance = (x - px) ** 2 + (y - py) ** 2;
      if (distance < nearest) [best, nearest] = [node.id, distance];
    });
    return best;
  }
  const drag = useRef<{ x: number; y: number; moved: boolean } | null>(null);
  return (
    <canvas
      ref={canvas}
      className="size-full touch-none"
      aria-label={`Graph of ${graph.nodes.length} items`}
      role="img"
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
        setCamera((at) => ({ ...at, x: at.x + dx, y: at.y + dy }));
      }}
      onPointerUp={(event) => {
        if (drag.current && !drag.current.moved) {
          const box = event.currentTarget.getBoundingClientRect();
          onSelect(nodeAt(event.clientX - box.x, event.clientY - box.y));
        }
        drag.current = null;
      }}
      onWheel={(event) => {
        const factor = Math.exp(-event.deltaY / 500);
        setCamera((at) => ({
          x: at.x * factor,
          y: at.y * factor,
          scale: Math.max(0.2, Math.min(20, at.scale * factor)),
        }));
      }}
    />
  );
}

type Scene = {
  graph: GraphData;
  place: (i: number) => [number, number];
  colours: Record<string, string>;
  lit: ReadonlySet<string> | null;
  selected: string | null;
};

function draw(context: CanvasRenderingContext2D, scene: Scene): void {
  const { graph, place, colours, lit, selected } = scene;
  const places = graph.nodes.map((_, i) => place(i));
  const index = new Map(graph.nodes.map((node, i) => [node.id, i]));
  context.lineWidth = 1;
  context.strokeStyle = colours.line ?? "";
  context.beginPath();
  for (const { source, target } of graph.edges) {
    const from = places[index.get(source) ?? -1];
    const to = places[index.get(target) ?? -1];
    if (!from || !to || (lit && !(lit.has(source) && lit.has(target)))) continue;
    context.moveTo(...from);
    context.lineTo(...to);
  }
  context.stroke();
  graph.nodes.forEach((node, i) => {
    const [x, y] = places[i] ?? [0, 0];
    context.globalAlpha = lit && !lit.has(node.id) ? 0.15 : 1;
    context.fillStyle = colours[kindKey(node)] ?? colours.other ?? "";
    context.beginPath();
    context.arc(x, y, radiusOf(node.weight), 0, 2 * Math.PI);
    context.fill();
    context.lineWidth = node.id === selected ? 3 : 1;
    context.strokeStyle = (node.id === selected ? colours.ink : colours.bg) ?? "";
    context.stroke();
  });
  context.globalAlpha = 1;
  drawLabels(context, scene, places);
}

/** The heaviest nodes have their names beside them, unless two would overlap. */
function drawLabels(context: CanvasRenderingContext2D, scene: Scene, places: [number, number][]) {
  const { graph, colours, lit, selected } = scene;
  context.font = '500 12px "Inter Variable", sans-serif';
  context.fillStyle = colours.ink ?? "";
  context.strokeStyle = colours.bg ?? "";
  context.lineWidth = 3;
  const taken: [number, number, number][] = [];
  const order = graph.nodes
    .map((node, i) => ({ node, i }))
    .filter(({ node }) => !lit || lit.has(node.id))
    .sort(
      (a, b) =>
        Number(b.node.id === selected) - Number(a.node.id === selected) ||
        b.node.weight - a.node.weight,
    );
  for (const { node, i } of order.slice(0, lit ? 40 : LABELS)) {
    const [x, y] = places[i] ?? [0, 0];
    const text = node.label.length > 32 ? `${node.label.slice(0, 31)}…` : node.label;
    const left = x + radiusOf(node.weight) + 4;
    const width = context.measureText(text).width;
    if (taken.some(([tx, ty, tw]) => Math.abs(ty - y) < 14 && left < tx + tw && tx < left + width))
      continue;
    taken.push([left, y, width]);
    context.strokeText(text, left, y + 4);
    context.fillText(text, left, y + 4);
  }
}
