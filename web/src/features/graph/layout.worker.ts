import Graph from "graphology";
import forceAtlas2 from "graphology-layout-forceatlas2";

export type LayoutTask = {
  nodes: string[];
  edges: [number, number][];
};
export type LayoutResult = { x: Float32Array; y: Float32Array; done: boolean };

/** The number of iterations, and how many between updates; one takes long in a large graph. */
function roundsFor(nodes: number): { rounds: number; step: number } {
  if (nodes <= 1_000) return { rounds: 300, step: 20 };
  if (nodes <= 3_000) return { rounds: 160, step: 10 };
  return { rounds: 60, step: 5 };
}

/** Starts with a fixed spiral, so that the same graph looks the same each time. */
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
  const { rounds, step } = roundsFor(data.nodes.length);
  for (let done = 0; done < rounds; done += step) {
    forceAtlas2.assign(graph, { iterations: step, settings });
    post(graph, data.nodes, done + step >= rounds);
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
