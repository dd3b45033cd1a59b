/** The ways through a graph: how far each item is from an end, and where ways that join have parted. */

import { type Adjacency, LANE, PORT, type Weave } from "./layout_layers";
import type { Order } from "./layout_order";

/** Looking for the gate of a join gives up after so many steps, so that this stays linear. */
const PATIENCE = 256;

/** Seen from each item towards the top, or towards the bottom. */
export interface Ways {
  /** Most boxes on a way to an end, its own included. */
  readonly far: Int32Array;
  /** The most of that among the boxes next to an item on its other side. */
  readonly farthest: Int32Array;
  /** The nearest item that every way passes but those that end soon (its dominator), or -1. */
  readonly gate: Int32Array;
}

export function ways(weave: Weave, order: Order, up: boolean): Ways {
  const [near, back] = up ? [weave.up, weave.down] : [weave.down, weave.up];
  const count = weave.layer.length;
  const far = new Int32Array(count);
  const farthest = new Int32Array(count);
  const gates = new Gates(weave, near, up, far);
  for (let step = 0; step < count; step++) {
    const item = order.item[up ? step : count - 1 - step] as number;
    const ahead = Math.max(most(far, near, item), acrossLane(weave, far, near, item, up));
    const own = ahead + ((weave.kind[item] as number) <= PORT ? 1 : 0);
    far[item] = own;
    gates.add(item, ahead);
    if ((weave.kind[item] as number) > PORT) continue;
    for (let at = back.start[item] as number; at < (back.start[item + 1] as number); at++) {
      const other = back.item[at] as number;
      farthest[other] = Math.max(farthest[other] as number, own);
    }
  }
  return { far, farthest, gate: gates.gate };
}

/** The most among the neighbours of an item, or 0. */
function most(far: Int32Array, near: Adjacency, item: number): number {
  let own = 0;
  for (let at = near.start[item] as number; at < (near.start[item + 1] as number); at++) {
    own = Math.max(own, far[near.item[at] as number] as number);
  }
  return own;
}

function acrossLane({ kind }: Weave, far: Int32Array, near: Adjacency, item: number, up: boolean): number {
  if (kind[item] !== LANE || near.start[item] !== near.start[item + 1]) return 0;
  return far[up ? item - 1 : item + 1] as number;
}

/** Dominators, item after item (Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm", 2001). */
class Gates {
  readonly gate: Int32Array;
  readonly #depth: Int32Array;

  constructor(
    private readonly weave: Weave,
    private readonly near: Adjacency,
    private readonly up: boolean,
    private readonly far: Int32Array,
  ) {
    this.gate = new Int32Array(weave.layer.length).fill(-1);
    this.#depth = new Int32Array(weave.layer.length);
  }

  /** Finds the gate of an item whose neighbours are known. Ways that end soon do not count. */
  add(item: number, ahead: number): void {
    const { start, item: next } = this.near;
    const [from, to] = [start[item] as number, start[item + 1] as number];
    let gate = from === to && this.weave.kind[item] === LANE ? (this.up ? item - 1 : item + 1) : -1;
    for (let at = from; at < to; at++) {
      const other = next[at] as number;
      if (2 * (this.far[other] as number) < ahead) continue;
      gate = gate < 0 ? other : this.#common(gate, other);
      if (gate < 0) break;
    }
    this.gate[item] = gate;
    this.#depth[item] = gate < 0 ? 0 : (this.#depth[gate] as number) + 1;
  }

  #common(one: number, other: number): number {
    let [a, b] = [one, other];
    for (let step = 0; a !== b && step < PATIENCE; step++) {
      if (a < 0 || b < 0) return -1;
      if ((this.#depth[a] as number) >= (this.#depth[b] as number)) a = this.gate[a] as number;
      else b = this.gate[b] as number;
    }
    return a === b ? a : -1;
  }
}
