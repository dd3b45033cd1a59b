/** The layers of a graph, and its edges as segments between neighbouring layers. */

/** An edge over more layers than this runs as a lane beside them. */
export const LONGEST = 8;

export const BOX = 0;
export const PORT = 1;
export const DUMMY = 2;
/** One end of a lane: always leftmost in its layer. */
export const LANE = 3;

/** Neighbours of each item, in the order of the segments. */
export interface Adjacency {
  readonly start: Int32Array;
  readonly item: Int32Array;
}

/** Boxes, then ports, then dummies: one item for each layer an edge passes. */
export interface Weave {
  readonly layers: number;
  readonly layer: Int32Array;
  readonly kind: Uint8Array;
  readonly inPort: number;
  readonly outPort: number;
  /** Per edge, the layout's ends: those of an edge that closes a circle are swapped. */
  readonly source: Int32Array;
  readonly target: Int32Array;
  readonly swapped: Uint8Array;
  readonly span: Int32Array;
  /** Per edge: its first dummy, or -1. */
  readonly dummy: Int32Array;
  readonly down: Adjacency;
  readonly up: Adjacency;
}

export function adjacency(count: number, from: Int32Array, to: Int32Array): Adjacency {
  const start = new Int32Array(count + 2);
  for (let at = 0; at < from.length; at++) {
    const after = (from[at] as number) + 2;
    start[after] = (start[after] as number) + 1;
  }
  for (let at = 2; at <= count; at++) start[at] = (start[at] as number) + (start[at - 1] as number);
  const item = new Int32Array(from.length);
  for (let at = 0; at < from.length; at++) {
    const next = (from[at] as number) + 1;
    const place = start[next] as number;
    item[place] = to[at] as number;
    start[next] = place + 1;
  }
  return { start, item };
}

/** How many edges each item gets from others. */
function fedBy(count: number, source: Int32Array, target: Int32Array): Int32Array {
  const fed = new Int32Array(count);
  for (let edge = 0; edge < target.length; edge++) {
    const item = target[edge] as number;
    if (source[edge] !== item) fed[item] = (fed[item] as number) + 1;
  }
  return fed;
}

/** Sources before targets as far as that is possible: a circle is entered at its first box. */
function topological(count: number, down: Adjacency, fed: Int32Array): Int32Array {
  const waiting = fed.slice();
  const order = new Int32Array(count);
  const taken = new Uint8Array(count);
  let [end, lowest] = [0, 0];
  const take = (item: number): void => {
    taken[item] = 1;
    order[end++] = item;
  };
  for (let item = 0; item < count; item++) if (waiting[item] === 0) take(item);
  for (let head = 0; head < count; head++) {
    if (head === end) {
      lowest = taken.indexOf(0, lowest);
      take(lowest);
    }
    const item = order[head] as number;
    for (let at = down.start[item] as number; at < (down.start[item + 1] as number); at++) {
      const target = down.item[at] as number;
      const left = (waiting[target] as number) - 1;
      waiting[target] = left;
      if (left === 0 && taken[target] === 0) take(target);
    }
  }
  return order;
}

interface Ends {
  readonly source: Int32Array;
  readonly target: Int32Array;
}

/** Swaps the ends of edges that go against the order, and marks them. */
function straighten(order: Int32Array, source: Int32Array, target: Int32Array): Uint8Array {
  const rank = new Int32Array(order.length);
  for (let at = 0; at < order.length; at++) rank[order[at] as number] = at;
  const swapped = new Uint8Array(source.length);
  for (let edge = 0; edge < source.length; edge++) {
    const [from, to] = [source[edge] as number, target[edge] as number];
    if ((rank[from] as number) <= (rank[to] as number)) continue;
    swapped[edge] = 1;
    source[edge] = to;
    target[edge] = from;
  }
  return swapped;
}

/** Longest path from the sources; then who feeds more than it is fed sinks to just above its first consumer. */
function rankLayers(order: Int32Array, down: Adjacency, ins: Int32Array, inPort: number, outPort: number): Int32Array {
  const layer = new Int32Array(order.length).fill(inPort < 0 ? 0 : 1);
  if (inPort >= 0) layer[inPort] = 0;
  for (const item of order) {
    const next = (layer[item] as number) + 1;
    for (let at = down.start[item] as number; at < (down.start[item + 1] as number); at++) {
      const target = down.item[at] as number;
      if (target !== item && (layer[target] as number) < next) layer[target] = next;
    }
  }
  if (outPort >= 0) sinkPort(layer, outPort);
  for (let place = order.length - 1; place >= 0; place--) {
    const item = order[place] as number;
    const outs = (down.start[item + 1] as number) - (down.start[item] as number);
    if (item !== inPort && outs > (ins[item] as number)) sink(item, layer, down);
  }
  return layer;
}

function sink(item: number, layer: Int32Array, down: Adjacency): void {
  let first = Number.POSITIVE_INFINITY;
  for (let at = down.start[item] as number; at < (down.start[item + 1] as number); at++) {
    const target = down.item[at] as number;
    if (target !== item) first = Math.min(first, layer[target] as number);
  }
  if (first < Number.POSITIVE_INFINITY) layer[item] = first - 1;
}

/** The port at the bottom stands alone in the last layer. */
function sinkPort(layer: Int32Array, outPort: number): void {
  layer[outPort] = 0;
  layer[outPort] = deepest(layer) + 1;
}

function deepest(layer: Int32Array): number {
  let last = -1;
  for (let item = 0; item < layer.length; item++) last = Math.max(last, layer[item] as number);
  return last;
}

interface Dummies {
  readonly layer: Int32Array;
  readonly kind: Uint8Array;
  readonly dummy: Int32Array;
  readonly upper: Int32Array;
  readonly lower: Int32Array;
}

/** Cuts edges at each layer they pass. Long ones come first, so that they stand left of short ones. */
function cut(ends: Ends, ranks: Int32Array, span: Int32Array, boxes: number): Dummies {
  const dummy = new Int32Array(span.length).fill(-1);
  let items = ranks.length;
  let segments = 0;
  for (let edge = 0; edge < span.length; edge++) {
    const own = dummiesOf(span[edge] as number);
    if (own > 0) dummy[edge] = items;
    items += own;
    segments += (span[edge] as number) === 0 ? 0 : (span[edge] as number) > LONGEST ? 2 : own + 1;
  }
  const layer = new Int32Array(items);
  layer.set(ranks);
  const kind = new Uint8Array(items).fill(DUMMY, ranks.length).fill(PORT, boxes, ranks.length);
  const upper = new Int32Array(segments);
  const lower = new Int32Array(segments);
  let end = 0;
  const join = (from: number, to: number): void => {
    upper[end] = from;
    lower[end++] = to;
  };
  for (const edge of bySpan(span)) {
    const [from, to] = [ends.source[edge] as number, ends.target[edge] as number];
    const [own, first, top] = [span[edge] as number, dummy[edge] as number, ranks[from] as number];
    if (own > LONGEST) {
      kind[first] = kind[first + 1] = LANE;
      layer[first] = top + 1;
      layer[first + 1] = top + own - 1;
      join(from, first);
      join(first + 1, to);
      continue;
    }
    let above = from;
    for (let step = 1; step < own; step++) {
      const item = first + step - 1;
      layer[item] = top + step;
      join(above, item);
      above = item;
    }
    if (own > 0) join(above, to);
  }
  return { layer, kind, dummy, upper, lower };
}

function dummiesOf(span: number): number {
  return span > LONGEST ? 2 : Math.max(0, span - 1);
}

/** Edges from the longest span to the shortest, all lanes first; equal ones in their own order. */
function bySpan(span: Int32Array): Int32Array {
  const start = new Int32Array(LONGEST + 3);
  const row = (edge: number): number => LONGEST + 1 - Math.min(span[edge] as number, LONGEST + 1);
  for (let edge = 0; edge < span.length; edge++) {
    const after = row(edge) + 1;
    start[after] = (start[after] as number) + 1;
  }
  for (let at = 1; at < start.length; at++) start[at] = (start[at] as number) + (start[at - 1] as number);
  const edges = new Int32Array(span.length);
  for (let edge = 0; edge < span.length; edge++) {
    const own = row(edge);
    const place = start[own] as number;
    edges[place] = edge;
    start[own] = place + 1;
  }
  return edges;
}

/** Gives each box a layer and cuts the edges into segments. Port edges follow the others: in first, then out. */
export function weave(
  boxes: number,
  sources: ArrayLike<number>,
  targets: ArrayLike<number>,
  ports: { readonly in: readonly number[]; readonly out: readonly number[] },
): Weave {
  const inPort = ports.in.length > 0 ? boxes : -1;
  const outPort = ports.out.length > 0 ? boxes + (inPort < 0 ? 0 : 1) : -1;
  const count = Math.max(boxes, inPort + 1, outPort + 1);
  const inner = sources.length;
  const source = new Int32Array(inner + ports.in.length + ports.out.length).fill(inPort);
  const target = new Int32Array(source.length).fill(outPort);
  source.set(sources);
  source.set(ports.out, inner + ports.in.length);
  target.set(targets);
  target.set(ports.in, inner);
  const order = topological(count, adjacency(count, source, target), fedBy(count, source, target));
  const swapped = straighten(order, source, target);
  const ranks = rankLayers(order, adjacency(count, source, target), fedBy(count, source, target), inPort, outPort);
  const span = new Int32Array(source.length);
  for (let edge = 0; edge < span.length; edge++) {
    span[edge] = (ranks[target[edge] as number] as number) - (ranks[source[edge] as number] as number);
  }
  const { layer, kind, dummy, upper, lower } = cut({ source, target }, ranks, span, boxes);
  return {
    layers: deepest(ranks) + 1,
    layer,
    kind,
    inPort,
    outPort,
    source,
    target,
    swapped,
    span,
    dummy,
    down: adjacency(layer.length, upper, lower),
    up: adjacency(layer.length, lower, upper),
  };
}
