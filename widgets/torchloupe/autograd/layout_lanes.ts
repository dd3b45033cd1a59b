/** Lanes: the edges that pass so many layers that they run left of them. */

import { LONGEST, type Weave } from "./layout_layers";
import type { Order } from "./layout_order";
import type { Extents } from "./layout_place";

/** Lanes up to this long keep close to what they pass; longer ones share columns left of everything. */
const LOCAL = 64;
const COLUMNS = 32;

/** Sets the x of both ends of each lane: short lanes inside, each left of all it passes. */
export function placeLanes(weave: Weave, order: Order, extents: Extents, gap: number, x: Float64Array): void {
  const lanes: number[] = [];
  weave.span.forEach((span, edge) => {
    if (span > LONGEST) lanes.push(edge);
  });
  if (lanes.length === 0) return;
  lanes.sort((a, b) => (weave.span[a] as number) - (weave.span[b] as number) || a - b);
  const leftmost = reached(weave, order, extents, x);
  const long: number[] = [];
  for (const edge of lanes) {
    if ((weave.span[edge] as number) > LOCAL) long.push(edge);
    else besideLayers(weave, edge, leftmost, gap, x);
  }
  const outside = leftmost.reduce((least, own) => Math.min(least, own), 0);
  const columns: number[] = [];
  for (const edge of long) {
    const first = weave.dummy[edge] as number;
    x[first] = x[first + 1] = outside - gap * (1 + freeColumn(columns, weave, first));
  }
}

/** The leftmost x that the items of each layer reach. */
function reached(weave: Weave, order: Order, extents: Extents, x: Float64Array): Float64Array {
  const leftmost = new Float64Array(weave.layers).fill(Number.POSITIVE_INFINITY);
  for (let layer = 0; layer < weave.layers; layer++) {
    const first = (order.start[layer] as number) + (order.lanes[layer] as number);
    if (first === order.start[layer + 1]) continue;
    const item = order.item[first] as number;
    leftmost[layer] = (x[item] as number) - (extents.left[item] as number);
  }
  return leftmost;
}

function besideLayers(weave: Weave, edge: number, leftmost: Float64Array, gap: number, x: Float64Array): void {
  const first = weave.dummy[edge] as number;
  const [from, to] = [weave.layer[first] as number, weave.layer[first + 1] as number];
  let own = Number.POSITIVE_INFINITY;
  for (let layer = from; layer <= to; layer++) own = Math.min(own, leftmost[layer] as number);
  leftmost.fill(own - gap, from, to + 1);
  x[first] = x[first + 1] = own - gap;
}

/** The innermost column whose last lane has ended; when all are taken, lanes share. */
function freeColumn(columns: number[], weave: Weave, first: number): number {
  const [from, to] = [weave.layer[first] as number, weave.layer[first + 1] as number];
  let column = columns.findIndex((end) => end < from);
  if (column < 0) column = columns.length < COLUMNS ? columns.length : first % COLUMNS;
  columns[column] = Math.max(columns[column] ?? 0, to);
  return column;
}
