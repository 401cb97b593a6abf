import Graph from "graphology";
import { useEffect, useRef } from "react";
import Sigma from "sigma";
import { useIsDark } from "~/lib/theme";
import { radiusOf, shrinkFor } from "./canvas-scene";
import type { ViewProps } from "./canvas-view";
import { colourOf, KIND_KEYS, kindKey, tokenOf } from "./kinds";
import { Labels } from "./labels";
import { useLayout } from "./use-layout";

/** A colour as rgb(); sigma reads no other notations that a computed colour may have. */
function rgbOf(token: string): string {
  const context = document.createElement("canvas").getContext("2d");
  if (!context) return "#888888";
  context.fillStyle = colourOf(token);
  context.fillRect(0, 0, 1, 1);
  const [r = 0, g = 0, b = 0] = context.getImageData(0, 0, 1, 1).data;
  return `rgb(${r}, ${g}, ${b})`;
}

/** The graph drawn with WebGL: smooth with thousands of nodes. */
export default function SigmaView({ graph, selected, lit, onSelect }: ViewProps) {
  const box = useRef<HTMLDivElement>(null);
  const positions = useLayout(graph);
  const dark = useIsDark();
  const rendered = useRef<{ sigma: Sigma; graph: Graph } | null>(null);
  const state = useRef({ selected, lit, onSelect });
  state.current = { selected, lit, onSelect };
  const latest = useRef(positions);
  latest.current = positions;
  const ready = positions !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tokens change with the theme
  useEffect(() => {
    if (!box.current || !ready) return;
    const faint = rgbOf("--line");
    const colours = new Map(KIND_KEYS.map((key) => [key, rgbOf(tokenOf(key))]));
    const scale = shrinkFor(graph.nodes.length);
    const sigmaGraph = new Graph({ multi: true });
    for (const [i, node] of graph.nodes.entries()) {
      sigmaGraph.addNode(node.id, {
        x: latest.current?.x[i] ?? 0,
        y: latest.current?.y[i] ?? 0,
        size: radiusOf(node.weight) * scale,
        label: node.label,
        color: colours.get(kindKey(node)) ?? colours.get("other"),
      });
    }
    for (const { source, target } of graph.edges) {
      if (sigmaGraph.hasNode(source) && sigmaGraph.hasNode(target))
        sigmaGraph.addEdge(source, target);
    }
    const labels = new Labels({ ink: rgbOf("--ink"), bg: rgbOf("--bg") });
    const sigma = new Sigma(sigmaGraph, box.current, {
      defaultEdgeColor: rgbOf("--line-strong"),
      labelColor: { color: rgbOf("--ink") },
      labelFont: "Inter Variable, sans-serif",
      labelSize: 12,
      defaultDrawNodeLabel: (context, { label, x, y, size }) => {
        if (label) labels.write(context, label, x, y, size);
      },
      labelRenderedSizeThreshold: 5 * scale,
      hideEdgesOnMove: graph.edges.length > 5_000,
      allowInvalidContainer: true,
      nodeReducer: (id, data) => {
        const { lit, selected } = state.current;
        if (lit && !lit.has(id)) return { ...data, color: faint, label: "" };
        return id === selected ? { ...data, highlighted: true } : data;
      },
      edgeReducer: (id, data) => {
        const { lit } = state.current;
        if (lit && !sigmaGraph.extremities(id).every((end) => lit.has(end)))
          return { ...data, hidden: true };
        return data;
      },
    });
    sigma.on("beforeRender", () => labels.clear());
    sigma.on("clickNode", ({ node }) => state.current.onSelect(node));
    sigma.on("clickStage", () => state.current.onSelect(null));
    rendered.current = { sigma, graph: sigmaGraph };
    return () => {
      sigma.kill();
      rendered.current = null;
    };
  }, [graph, ready, dark]);
  useEffect(() => {
    if (!positions) return;
    let i = 0;
    // Nodes are visited in the order in which they were added.
    rendered.current?.graph.updateEachNodeAttributes(
      (_, attributes) => {
        attributes.x = positions.x[i];
        attributes.y = positions.y[i];
        i += 1;
        return attributes;
      },
      { attributes: ["x", "y"] },
    );
  }, [positions]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the reducers read both
  useEffect(() => {
    rendered.current?.sigma.refresh({ skipIndexation: true });
  }, [selected, lit]);
  return (
    <div
      ref={box}
      role="img"
      aria-label={`Graph of ${graph.nodes.length} items`}
      className="size-full"
    />
  );
}
