/** What lies between the root and a box, and between a box and the leaves. */

import type { Graph } from "./graph";

/** How many nodes and parameters are reached. */
export interface Reached {
  readonly nodes: number;
  readonly parameters: number;
}

/** One direction of a reach. */
export class Side {
  readonly count: Reached;
  readonly #met: Uint8Array;
  /** Nodes met before each place of the reading order. */
  readonly #before: Int32Array;

  constructor(graph: Graph, starts: readonly number[], down: boolean) {
    this.#met = spread(graph, starts, down);
    this.#before = new Int32Array(graph.order.length + 1);
    graph.order.forEach((node, place) => {
      this.#before[place + 1] = (this.#before[place] ?? 0) + (this.#met[node] ?? 0);
    });
    let nodes = 0;
    let parameters = 0;
    this.#met.forEach((met, node) => {
      if (met === 1 && graph.isParameter(node)) parameters++;
      else nodes += met;
    });
    this.count = { nodes, parameters };
  }

  has(node: number): boolean {
    return this.#met[node] === 1;
  }

  /** Whether a node at places `from` to `to - 1` of the reading order is met. */
  meets(from: number, to: number): boolean {
    return (this.#before[to] ?? 0) > (this.#before[from] ?? 0);
  }
}

/** Marks what can be reached from `starts`, these left out. */
function spread(graph: Graph, starts: readonly number[], down: boolean): Uint8Array {
  const [start, list] = down ? [graph.outStart, graph.outEdges] : [graph.inStart, graph.inEdges];
  const end = down ? graph.edges.target : graph.edges.source;
  const met = new Uint8Array(graph.nodes.count);
  const queue = [...starts];
  for (const node of starts) met[node] = 1;
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    for (let at = start[node] ?? 0; at < (start[node + 1] ?? 0); at++) {
      const next = end[list[at] ?? 0] ?? 0;
      if (met[next] === 1) continue;
      met[next] = 1;
      queue.push(next);
    }
  }
  for (const node of starts) met[node] = 0;
  return met;
}
