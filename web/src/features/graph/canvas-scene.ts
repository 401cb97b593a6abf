import type { GraphData } from "./graph";
import { kindKey } from "./kinds";
import { Labels } from "./labels";

/** The parts of a graph that do not change while it is moved, as typed arrays for speed. */
export type Scene = {
  graph: GraphData;
  /** Indices of the two nodes of each edge, one after the other. */
  ends: Int32Array;
  radii: Float32Array;
  /** The nodes of each colour. */
  groups: Map<string, number[]>;
  /** Most connected first. */
  order: number[];
};

/** What changes while the graph is moved or filtered. */
export type Look = {
  x: Float32Array;
  y: Float32Array;
  width: number;
  height: number;
  colours: Record<string, string>;
  lit: ReadonlySet<string> | null;
  selected: string | null;
  /** While a large graph is dragged, its lines are left out. */
  moving: boolean;
};

const LABELS = 24;
const LIT_LABELS = 40;
const LINES_WHILE_MOVING = 5_000;
/** Above this number of nodes, small ones are squares and none has an outline: both are faster. */
const PLAIN_ABOVE = 1_500;

export function radiusOf(weight: number): number {
  return Math.min(14, 3 + Math.sqrt(Math.max(1, weight)) * 1.4);
}

/** Scales nodes down when there are many, to leave room between them. */
export function shrinkFor(nodes: number): number {
  return nodes > 5_000 ? 0.4 : nodes > PLAIN_ABOVE ? 0.6 : 1;
}

export function sceneOf(graph: GraphData): Scene {
  const index = new Map(graph.nodes.map((node, i) => [node.id, i]));
  const ends = new Int32Array(graph.edges.length * 2).fill(-1);
  graph.edges.forEach(({ source, target }, i) => {
    ends[2 * i] = index.get(source) ?? -1;
    ends[2 * i + 1] = index.get(target) ?? -1;
  });
  const scale = shrinkFor(graph.nodes.length);
  const radii = Float32Array.from(graph.nodes, ({ weight }) => radiusOf(weight) * scale);
  const groups = new Map<string, number[]>();
  graph.nodes.forEach((node, i) => {
    const key = kindKey(node);
    const group = groups.get(key);
    if (group) group.push(i);
    else groups.set(key, [i]);
  });
  const order = graph.nodes.map((_, i) => i);
  order.sort((a, b) => (graph.nodes[b]?.weight ?? 0) - (graph.nodes[a]?.weight ?? 0));
  return { graph, ends, radii, groups, order };
}

export function draw(context: CanvasRenderingContext2D, scene: Scene, look: Look): void {
  drawEdges(context, scene, look);
  drawNodes(context, scene, look);
  drawLabels(context, scene, look);
}

function drawEdges(context: CanvasRenderingContext2D, scene: Scene, look: Look): void {
  const { ends, graph } = scene;
  if (look.moving && graph.edges.length > LINES_WHILE_MOVING) return;
  const { x, y, width, height, lit } = look;
  context.lineWidth = graph.edges.length > LINES_WHILE_MOVING ? 0.5 : 1;
  context.strokeStyle = look.colours.line ?? "";
  context.beginPath();
  for (let i = 0; i < ends.length; i += 2) {
    const [from, to] = [ends[i] ?? -1, ends[i + 1] ?? -1];
    if (from < 0 || to < 0 || (lit && !(isLit(scene, lit, from) && isLit(scene, lit, to))))
      continue;
    const [ax = 0, ay = 0, bx = 0, by = 0] = [x[from], y[from], x[to], y[to]];
    if ((ax < 0 && bx < 0) || (ay < 0 && by < 0)) continue;
    if ((ax > width && bx > width) || (ay > height && by > height)) continue;
    context.moveTo(ax, ay);
    context.lineTo(bx, by);
  }
  context.stroke();
}

function isLit({ graph }: Scene, lit: ReadonlySet<string>, i: number): boolean {
  return lit.has(graph.nodes[i]?.id ?? "");
}

function drawNodes(context: CanvasRenderingContext2D, scene: Scene, look: Look): void {
  const { graph, groups } = scene;
  for (const [key, group] of groups) {
    context.fillStyle = look.colours[key] ?? look.colours.other ?? "";
    const { lit } = look;
    const bright = lit ? group.filter((i) => isLit(scene, lit, i)) : group;
    if (lit) {
      context.globalAlpha = 0.15;
      fill(context, scene, look, group);
      context.globalAlpha = 1;
    }
    fill(context, scene, look, bright);
    if (graph.nodes.length <= PLAIN_ABOVE) {
      context.lineWidth = 1;
      context.strokeStyle = look.colours.bg ?? "";
      context.stroke();
    }
  }
  const chosen = look.selected ? graph.nodes.findIndex(({ id }) => id === look.selected) : -1;
  if (chosen < 0) return;
  context.lineWidth = 3;
  context.strokeStyle = look.colours.ink ?? "";
  context.beginPath();
  circle(context, look.x[chosen] ?? 0, look.y[chosen] ?? 0, (scene.radii[chosen] ?? 3) + 1);
  context.stroke();
}

function fill(context: CanvasRenderingContext2D, scene: Scene, look: Look, group: number[]): void {
  const squares = scene.graph.nodes.length > PLAIN_ABOVE;
  context.beginPath();
  for (const i of group) {
    const [px = 0, py = 0, radius = 3] = [look.x[i], look.y[i], scene.radii[i]];
    if (px < -radius || py < -radius || px > look.width + radius || py > look.height + radius)
      continue;
    if (squares && radius < 4) context.rect(px - radius, py - radius, 2 * radius, 2 * radius);
    else circle(context, px, py, radius);
  }
  context.fill();
}

function circle(context: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  context.moveTo(x + radius, y);
  context.arc(x, y, radius, 0, 2 * Math.PI);
}

/** Labels the most connected nodes; labels that would overlap are left out. */
function drawLabels(context: CanvasRenderingContext2D, scene: Scene, look: Look): void {
  const { lit, selected, colours, width, height } = look;
  const labels = new Labels({ ink: colours.ink ?? "", bg: colours.bg ?? "" });
  for (const i of labelled(scene, lit, selected)) {
    const [x = 0, y = 0] = [look.x[i], look.y[i]];
    if (x < 0 || y < 0 || x > width || y > height) continue;
    labels.write(context, scene.graph.nodes[i]?.label ?? "", x, y, scene.radii[i] ?? 3);
    if (labels.count >= (lit ? LIT_LABELS : LABELS)) break;
  }
}

function* labelled(scene: Scene, lit: ReadonlySet<string> | null, selected: string | null) {
  const chosen = selected ? scene.graph.nodes.findIndex(({ id }) => id === selected) : -1;
  if (chosen >= 0) yield chosen;
  for (const i of scene.order) if (i !== chosen && (!lit || isLit(scene, lit, i))) yield i;
}
