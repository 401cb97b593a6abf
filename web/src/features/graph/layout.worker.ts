import Graph from "graphology";
import forceAtlas2 from "graphology-layout-forceatlas2";

export type LayoutTask = {
  nodes: string[];
  edges: [number, number][];
  iterations: number;
};
export type LayoutResult = { x: Float32Array; y: Float32Array; done: boolean };

const STEP = 20;

/** A ring to begin with, the same for the same nodes, so that a graph looks the same each time. */
function seed(graph: Graph, nodes: string[]): void {
  nodes.forEach((id, i) => {
    const angle = i * 2.399963;
    const radius = Math.sqrt(i + 1) * 10;
    graph.addNode(id, {
      x: Math.cos(angle) * radius,
      y: Math.sin(angle) * radius,
    });
  });
}

self.onmessage = ({ data }: MessageEvent<LayoutTask>) => {
  const graph = new Graph({ multi: true });
  seed(graph, data.nodes);
  for (const [from, to] of data.edges) {
    const source = data.nodes[from];
    const target = data.nodes[to];
    if (source && target && source !== target) graph.addEdge(source, target);
  }
  const settings = {
    ...forceAtlas2.inferSettings(graph),
    barnesHutOptimize: data.nodes.length > 500,
    strongGravityMode: true,
    gravity: 0.08,
    scalingRatio: 8,
    slowDown: 4,
  };
  for (let done = 0; done < data.iterations; done += STEP) {
    forceAtlas2.assign(graph, { iterations: STEP, settings });
    post(graph, data.nodes, done + STEP >= data.iterations);
  }
};

function post(graph: Graph, nodes: string[], done: boolean): void {
  const x = new Float32Array(nodes.length);
  const y = new Float32Array(nodes.length);
  nodes.forEach((id, i) => {
    x[i] = graph.getNodeAttribute(id, "x");
    y[i] = graph.getNodeAttribute(id, "y");
  });
  self.postMessage({ x, y, done } satisfies LayoutResult, {
    transfer: [x.buffer, y.buffer],
  });
}
