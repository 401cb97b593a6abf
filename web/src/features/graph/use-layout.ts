import { useEffect, useState } from "react";
import type { GraphData } from "./graph";
import type { LayoutResult, LayoutTask } from "./layout.worker";

export type Positions = { x: Float32Array; y: Float32Array };
export type Layout = Positions & { done: boolean };

/** Positions of the nodes, computed in a worker and refined while they are shown. */
export function useLayout(graph: GraphData): Layout | undefined {
  const [positions, setPositions] = useState<{
    graph: GraphData;
    at: Layout;
  }>();
  useEffect(() => {
    const worker = new Worker(new URL("./layout.worker.ts", import.meta.url), {
      type: "module",
    });
    const index = new Map(graph.nodes.map((node, i) => [node.id, i]));
    const edges = graph.edges.flatMap(({ source, target }): [number, number][] => {
      const from = index.get(source);
      const to = index.get(target);
      return from === undefined || to === undefined ? [] : [[from, to]];
    });
    worker.onmessage = ({ data }: MessageEvent<LayoutResult>) => {
      setPositions({ graph, at: data });
      if (data.done) worker.terminate();
    };
    const task: LayoutTask = {
      nodes: graph.nodes.map(({ id }) => id),
      edges,
    };
    worker.postMessage(task);
    return () => worker.terminate();
  }, [graph]);
  return positions?.graph === graph ? positions.at : undefined;
}
