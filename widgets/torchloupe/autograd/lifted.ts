/** The edges of a group lifted to its children, and the strands they make between boxes. */

import type { Crossings } from "./crossings";
import type { Graph } from "./graph";
import type { Strand } from "./level";

/** Edges with an end in a group that do not stay inside one child; ends are places of children, -1 is outside. */
export interface Lifted {
  readonly source: readonly number[];
  readonly target: readonly number[];
  readonly edges: readonly number[];
}

/** Lifts the edges of one group: those between its own nodes, and those that cross borders inside it. */
export function lifted(graph: Graph, { leaving, coming }: Crossings, group: number): Lifted {
  const { position, edges } = graph;
  const [first, end] = graph.range(~group);
  const childAt = places(graph, group);
  const found = { source: [] as number[], target: [] as number[], edges: [] as number[] };
  const childOf = (node: number): number => {
    const place = position[node] ?? -1;
    return place < first || place >= end ? -1 : (childAt[place - first] ?? -1);
  };
  const add = (edge: number, outer: boolean): void => {
    const source = childOf(edges.source[edge] ?? 0);
    const target = childOf(edges.target[edge] ?? 0);
    if (source === target || source < 0 !== outer) return;
    found.source.push(source);
    found.target.push(target);
    found.edges.push(edge);
  };
  for (const edge of own(graph, group)) add(edge, false);
  const [from, to] = leaving.between(first, end);
  for (let at = from; at < to; at++) add(leaving.edges[at] ?? 0, false);
  const [begin, last] = coming.between(first, end);
  for (let at = begin; at < last; at++) add(coming.edges[at] ?? 0, true);
  return found;
}

/** Edges between nodes that stand directly in a group. */
function own(graph: Graph, group: number): number[] {
  const { edges, position } = graph;
  const beside = (edge: number): boolean => {
    const target = edges.target[edge] ?? 0;
    return position[target] !== -1 && graph.parentOf(target) === group;
  };
  const nodes = Array.from(graph.childrenOf(group)).filter((item) => item >= 0);
  return nodes.flatMap((node) => Array.from(graph.out(node)).filter(beside));
}

/** For each node of a group, in reading order, the place of the child that holds it. */
function places(graph: Graph, group: number): Int32Array {
  const [first, end] = graph.range(~group);
  const childAt = new Int32Array(end - first);
  graph.childrenOf(group).forEach((item, child) => {
    const [from, to] = graph.range(item);
    childAt.fill(child, from - first, to - first);
  });
  return childAt;
}

/** Strands between boxes, in the order of their first edges; `boxAt` is the box of each child. What stays inside one box is hidden in it. */
export function strands({ source, target, edges }: Lifted, boxAt: Int32Array): readonly Strand[] {
  const wide = boxAt.length + 1;
  const found = new Map<number, { source: number; target: number; edges: number[] }>();
  edges.forEach((edge, place) => {
    const from = boxAt[source[place] ?? -1] ?? -1;
    const to = boxAt[target[place] ?? -1] ?? -1;
    if (from === to) return;
    const pair = (from + 1) * wide + to + 1;
    const strand = found.get(pair);
    if (strand === undefined) found.set(pair, { source: from, target: to, edges: [edge] });
    else strand.edges.push(edge);
  });
  return [...found.values()]
    .map((strand) => ({ ...strand, edges: Int32Array.from(strand.edges).sort() }))
    .sort((a, b) => (a.edges[0] ?? 0) - (b.edges[0] ?? 0));
}
