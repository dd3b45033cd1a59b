/** Left to right in each layer: depth first, then sweeps that keep the fewest crossings. */

import { type Adjacency, BOX, LANE, PORT, type Weave } from "./layout_layers";
import { switchSides } from "./layout_sides";

const SWEEPS = 4;

export interface Rows {
  /** Where each layer begins in `item`; one more than there are layers. */
  readonly start: Int32Array;
  /** Items by layer, left to right. */
  readonly item: Int32Array;
  /** Each item's place in its layer. */
  readonly place: Int32Array;
  /** How many ends of lanes stand leftmost in each layer. */
  readonly lanes: Int32Array;
}

export interface Order extends Rows {
  readonly crossings: number;
}

/** Orders every layer. */
export function ordered(weave: Weave): Order {
  const rows = depthFirst(weave);
  const counting = new Counting(weave, rows);
  let best = rows.item.slice();
  let crossings = counting.total();
  const keep = (): void => {
    const found = counting.total();
    if (found >= crossings) return;
    crossings = found;
    best = rows.item.slice();
  };
  for (let sweep = 0; sweep < SWEEPS && crossings > 0; sweep++) {
    if (sweep === SWEEPS / 2) {
      rows.item.set(best);
      number(rows);
      switchSides(weave, rows);
      keep();
    }
    if (sweepOnce(weave, rows, sweep % 3 === 0)) keep();
  }
  rows.item.set(best);
  number(rows);
  return { ...rows, crossings };
}

function number(rows: Rows): void {
  for (let layer = 0; layer + 1 < rows.start.length; layer++) {
    const from = rows.start[layer] as number;
    for (let at = from; at < (rows.start[layer + 1] as number); at++) rows.place[rows.item[at] as number] = at - from;
  }
}

/** Ends of lanes first, the longest leftmost; the others in the order a walk from the top meets them. */
function depthFirst(weave: Weave): Rows {
  const { layer, kind } = weave;
  const start = new Int32Array(weave.layers + 1);
  const lanes = new Int32Array(weave.layers);
  for (const own of layer) start[own + 1] = (start[own + 1] as number) + 1;
  for (let at = 0; at < weave.layers; at++) start[at + 1] = (start[at + 1] as number) + (start[at] as number);
  const free = start.slice(0, weave.layers);
  const item = new Int32Array(layer.length);
  const put = (own: number): void => {
    const row = layer[own] as number;
    const place = free[row] as number;
    item[place] = own;
    free[row] = place + 1;
  };
  for (const edge of longestFirst(weave)) {
    for (const end of [weave.dummy[edge] as number, (weave.dummy[edge] as number) + 1]) {
      lanes[layer[end] as number] = (lanes[layer[end] as number] as number) + 1;
      put(end);
    }
  }
  for (const own of walk(weave)) if (kind[own] !== LANE) put(own);
  const rows = { start, item, place: new Int32Array(layer.length), lanes };
  number(rows);
  return rows;
}

function longestFirst(weave: Weave): number[] {
  const edges: number[] = [];
  weave.dummy.forEach((first, edge) => {
    if (first >= 0 && weave.kind[first] === LANE) edges.push(edge);
  });
  return edges.sort((a, b) => (weave.span[b] as number) - (weave.span[a] as number) || a - b);
}

/** Depth first from each item that only lanes lead to; the port at the top first. */
function walk(weave: Weave): Int32Array {
  const { down, up, kind } = weave;
  const met = new Uint8Array(weave.layer.length);
  const order = new Int32Array(weave.layer.length);
  const stack: number[] = [];
  let end = 0;
  const from = (root: number): void => {
    stack.push(root);
    for (let own = stack.pop(); own !== undefined; own = stack.pop()) {
      if (met[own] === 1) continue;
      met[own] = 1;
      order[end++] = own;
      for (let at = (down.start[own + 1] as number) - 1; at >= (down.start[own] as number); at--) {
        const next = down.item[at] as number;
        if (met[next] === 0 && kind[next] !== LANE) stack.push(next);
      }
    }
  };
  if (weave.inPort >= 0) from(weave.inPort);
  for (let own = 0; own < kind.length; own++) {
    if ((kind[own] === BOX || kind[own] === PORT) && !fed(up, kind, own)) from(own);
  }
  for (let own = 0; own < kind.length; own++) if (met[own] === 0) order[end++] = own;
  return order;
}

function fed(up: Adjacency, kind: Uint8Array, item: number): boolean {
  for (let at = up.start[item] as number; at < (up.start[item + 1] as number); at++) {
    if (kind[up.item[at] as number] !== LANE) return true;
  }
  return false;
}

/** Sorts each layer by the mean place of its neighbours above (or below); says whether anything moved. */
function sweepOnce(weave: Weave, rows: Rows, downwards: boolean): boolean {
  const near = downwards ? weave.up : weave.down;
  const mean = new Float64Array(rows.item.length);
  const moving: number[] = [];
  let changed = false;
  for (let step = 1; step < weave.layers; step++) {
    const layer = downwards ? step : weave.layers - 1 - step;
    const base = rows.start[layer] as number;
    const from = base + (rows.lanes[layer] as number);
    const to = rows.start[layer + 1] as number;
    if (to - from < 2) continue;
    moving.length = 0;
    for (let at = from; at < to; at++) {
      const item = rows.item[at] as number;
      if (meanPlace(near, rows.place, mean, item)) moving.push(item);
    }
    if (settle(rows, moving, mean, near, [base, from, to])) changed = true;
  }
  return changed;
}

function meanPlace(near: Adjacency, place: Int32Array, mean: Float64Array, item: number): boolean {
  const [from, to] = [near.start[item] as number, near.start[item + 1] as number];
  let sum = 0;
  for (let at = from; at < to; at++) sum += place[near.item[at] as number] as number;
  mean[item] = sum / (to - from);
  return to > from;
}

/** Puts the sorted items into their places; those without neighbours keep theirs. */
function settle(
  rows: Rows,
  moving: number[],
  mean: Float64Array,
  near: Adjacency,
  [base, from, to]: readonly [number, number, number],
): boolean {
  let sorted = true;
  for (let at = 1; at < moving.length && sorted; at++) {
    sorted = (mean[moving[at - 1] as number] as number) <= (mean[moving[at] as number] as number);
  }
  if (sorted) return false;
  moving.sort((a, b) => (mean[a] as number) - (mean[b] as number));
  let next = 0;
  for (let at = from; at < to; at++) {
    const item = rows.item[at] as number;
    if (near.start[item] !== near.start[item + 1]) rows.item[at] = moving[next++] as number;
    rows.place[rows.item[at] as number] = at - base;
  }
  return true;
}

/** Counts crossings with a Fenwick tree: for each segment, those before it that end to its right. */
class Counting {
  readonly #weave: Weave;
  readonly #rows: Rows;
  readonly #tree: Int32Array;

  constructor(weave: Weave, rows: Rows) {
    this.#weave = weave;
    this.#rows = rows;
    let widest = 0;
    for (let layer = 0; layer < weave.layers; layer++) {
      widest = Math.max(widest, (rows.start[layer + 1] as number) - (rows.start[layer] as number));
    }
    this.#tree = new Int32Array(widest + 1);
  }

  /** Crossings between all neighbouring layers, in the order the rows have now. */
  total(): number {
    number(this.#rows);
    let crossings = 0;
    for (let layer = 0; layer + 1 < this.#weave.layers; layer++) crossings += this.#between(layer);
    return crossings;
  }

  #between(layer: number): number {
    const { start, item } = this.#rows;
    const [from, to] = [start[layer] as number, start[layer + 1] as number];
    const width = (start[layer + 2] as number) - to;
    if (to - from < 2 || width < 2) return 0;
    const tree = this.#tree;
    for (let place = 0; place <= width; place++) tree[place] = 0;
    let [seen, crossings] = [0, 0];
    for (let at = from; at < to; at++) {
      const upper = item[at] as number;
      crossings += this.#right(tree, upper, seen);
      seen += this.#add(tree, upper, width);
    }
    return crossings;
  }

  #right(tree: Int32Array, upper: number, seen: number): number {
    const { down } = this.#weave;
    let crossings = 0;
    for (let at = down.start[upper] as number; at < (down.start[upper + 1] as number); at++) {
      let left = 0;
      const place = (this.#rows.place[down.item[at] as number] as number) + 1;
      for (let node = place; node > 0; node &= node - 1) left += tree[node] as number;
      crossings += seen - left;
    }
    return crossings;
  }

  #add(tree: Int32Array, upper: number, width: number): number {
    const { down } = this.#weave;
    const [from, to] = [down.start[upper] as number, down.start[upper + 1] as number];
    for (let at = from; at < to; at++) {
      const place = (this.#rows.place[down.item[at] as number] as number) + 1;
      for (let node = place; node <= width; node += node & -node) tree[node] = (tree[node] as number) + 1;
    }
    return to - from;
  }
}
