/** Edges by where their ends stand in the reading order, so that a group finds its own at once. */

import type { Graph } from "./graph";

/** Edges in the order of the places of one of their ends. */
class Placed {
  readonly #places: number[] = [];
  readonly edges: number[] = [];

  add(place: number, edge: number): void {
    this.#places.push(place);
    this.edges.push(edge);
  }

  /** Where the edges of places `from` to `to - 1` stand in `edges`. */
  between(from: number, to: number): readonly [number, number] {
    return [this.#before(from), this.#before(to)];
  }

  #before(place: number): number {
    let low = 0;
    let high = this.#places.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#places[middle] ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Most edges join nodes of one group: what goes from group to group, and to parameters, is kept apart. */
export class Crossings {
  /** Edges that leave the group their source stands in, by their source. */
  readonly leaving = new Placed();
  /** Edges that come into the group their target stands in, by their target. */
  readonly coming = new Placed();
  /** Edges to parameters, by their source. */
  readonly toChips = new Placed();
  /** Nodes that are no leaves before each place. */
  readonly #operations: Int32Array;

  constructor(graph: Graph) {
    const { order, outStart, outEdges, inStart, inEdges } = graph;
    this.#operations = new Int32Array(order.length + 1);
    for (let place = 0; place < order.length; place++) {
      const node = order[place] ?? 0;
      this.#operations[place + 1] = (this.#operations[place] ?? 0) + (graph.leafOf(node) < 0 ? 1 : 0);
      const last = outStart[node + 1] ?? 0;
      for (let at = outStart[node] ?? 0; at < last; at++) this.#leave(graph, place, outEdges[at] ?? 0);
      const end = inStart[node + 1] ?? 0;
      for (let at = inStart[node] ?? 0; at < end; at++) this.#come(graph, place, inEdges[at] ?? 0);
    }
  }

  #leave({ position, nodes, edges }: Graph, place: number, edge: number): void {
    const target = edges.target[edge] ?? 0;
    if (position[target] === -1) this.toChips.add(place, edge);
    else if (nodes.group[target] !== nodes.group[edges.source[edge] ?? 0]) this.leaving.add(place, edge);
  }

  #come({ nodes, edges }: Graph, place: number, edge: number): void {
    const source = edges.source[edge] ?? 0;
    if (nodes.group[source] !== nodes.group[edges.target[edge] ?? 0]) this.coming.add(place, edge);
  }

  /** How many nodes from `from` to `to - 1` are no leaves. */
  operations(from: number, to: number): number {
    return (this.#operations[to] ?? 0) - (this.#operations[from] ?? 0);
  }
}
