/**
 * Layered layout, top to bottom, in linear time: longest-path layers, dummies where an edge passes a layer, a
 * depth-first order mended by a few barycentre sweeps (Sugiyama, Tagawa and Toda, 1981), straight chains.
 * `layout.py` is its twin for static pictures.
 */

import { placeLanes } from "./layout_lanes";
import { LONGEST, type Weave, weave } from "./layout_layers";
import { ordered } from "./layout_order";
import { type Extents, placed } from "./layout_place";

export interface Sized {
  readonly w: number;
  readonly h: number;
  /** From the left side to the line its edges keep; the middle unless given. */
  readonly axis?: number;
}

export interface Placed {
  /** Each box's line, which is its middle unless `axis` says otherwise. The leftmost x of all is 0. */
  readonly x: Float64Array;
  /** Each box's upper side: boxes of a layer are level at their top. */
  readonly y: Float64Array;
  /** From the top, 0 first. */
  readonly layer: Int32Array;
  /** Ascending from left to right in a layer; the numbers between belong to edges that pass. */
  readonly order: Int32Array;
  /**
   * Per edge, then per edge of the port in, then out: x and y in turn, at the source's line and lower side, at the
   * middle of each layer it passes, at the target's line and upper side. A lane has two points in between: in the
   * first and in the last layer it passes.
   */
  readonly routes: readonly Float64Array[];
  readonly width: number;
  readonly height: number;
  readonly crossings: number;
}

export interface Ports {
  readonly in: readonly number[];
  readonly out: readonly number[];
}

/**
 * Lays out boxes and the edges `source[i]` → `target[i]`. Equal input gives equal output.
 *
 * @param ports boxes with edges from above and to below the whole: each side has one port, alone in its layer
 * @param gap least distance between neighbours in a layer, and between layers
 */
export function layered(
  boxes: readonly Sized[],
  source: ArrayLike<number>,
  target: ArrayLike<number>,
  ports: Ports = { in: [], out: [] },
  gap = 28,
): Placed {
  const woven = weave(boxes.length, source, target, ports);
  const order = ordered(woven);
  const extents = extentsOf(boxes, woven);
  const x = placed(woven, order, extents, gap);
  placeLanes(woven, order, extents, gap / 2, x);
  const width = moveToZero(x, extents);
  const bands = stack(boxes, woven, gap);
  const base = woven.inPort < 0 ? 0 : 1;
  const points = pointsOf(boxes, woven, x, bands);
  let routes: Float64Array[] | undefined;
  return {
    x: x.slice(0, boxes.length),
    y: Float64Array.from(boxes, (_, box) => bands.top[woven.layer[box] as number] as number),
    layer: woven.layer.slice(0, boxes.length).map((layer) => layer - base),
    order: order.place.slice(0, boxes.length),
    get routes() {
      routes ??= cut(points, woven.swapped);
      return routes;
    },
    width,
    height: woven.layers === 0 ? 0 : (bands.bottom[woven.layers - 1] as number),
    crossings: order.crossings,
  };
}

function extentsOf(boxes: readonly Sized[], woven: Weave): Extents {
  const left = new Float64Array(woven.layer.length);
  const right = new Float64Array(woven.layer.length);
  boxes.forEach(({ w, axis = w / 2 }, box) => {
    left[box] = axis;
    right[box] = w - axis;
  });
  return { left, right };
}

/** Moves everything so that the leftmost x is 0; returns the width. */
function moveToZero(x: Float64Array, { left, right }: Extents): number {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let item = 0; item < x.length; item++) {
    least = Math.min(least, (x[item] as number) - (left[item] as number));
    most = Math.max(most, (x[item] as number) + (right[item] as number));
  }
  if (x.length === 0) return 0;
  for (let item = 0; item < x.length; item++) x[item] = (x[item] as number) - least;
  return most - least;
}

interface Bands {
  readonly top: Float64Array;
  readonly bottom: Float64Array;
}

function stack(boxes: readonly Sized[], woven: Weave, gap: number): Bands {
  const top = new Float64Array(woven.layers);
  const bottom = new Float64Array(woven.layers);
  boxes.forEach(({ h }, box) => {
    const layer = woven.layer[box] as number;
    bottom[layer] = Math.max(bottom[layer] as number, h);
  });
  let y = 0;
  for (let layer = 0; layer < woven.layers; layer++) {
    top[layer] = y;
    y += bottom[layer] as number;
    bottom[layer] = y;
    y += gap;
  }
  return { top, bottom };
}

/** Points of all routes after each other; route `edge` is from `start[edge]` to `start[edge + 1]`. */
function pointsOf(boxes: readonly Sized[], woven: Weave, x: Float64Array, bands: Bands): Points {
  const start = new Int32Array(woven.span.length + 1);
  for (let edge = 0; edge < woven.span.length; edge++) {
    const span = woven.span[edge] as number;
    start[edge + 1] = (start[edge] as number) + (span === 0 ? 0 : 2 * passedBy(span) + 4);
  }
  const points = new Float64Array(start[woven.span.length] as number);
  const topOf = (item: number): number => bands.top[woven.layer[item] as number] as number;
  const middle = (item: number): number => (topOf(item) + (bands.bottom[woven.layer[item] as number] as number)) / 2;
  for (let edge = 0; edge < woven.span.length; edge++) {
    const span = woven.span[edge] as number;
    if (span === 0) continue;
    const [from, to] = [woven.source[edge] as number, woven.target[edge] as number];
    let at = start[edge] as number;
    points[at] = x[from] as number;
    points[at + 1] = topOf(from) + (boxes[from]?.h ?? 0);
    const first = woven.dummy[edge] as number;
    for (let item = first; item < first + passedBy(span); item++) {
      at += 2;
      points[at] = x[item] as number;
      points[at + 1] = middle(item);
    }
    points[at + 2] = x[to] as number;
    points[at + 3] = topOf(to);
  }
  return { start, points };
}

function passedBy(span: number): number {
  return span > LONGEST ? 2 : span - 1;
}

interface Points {
  readonly start: Int32Array;
  readonly points: Float64Array;
}

/** One array per edge, source first. */
function cut({ start, points }: Points, swapped: Uint8Array): Float64Array[] {
  return Array.from(swapped, (back, edge) => {
    const route = points.slice(start[edge], start[edge + 1]);
    return back === 1 ? reversed(route) : route;
  });
}

function reversed(route: Float64Array): Float64Array {
  return route.map((_, at) => route[route.length - 2 - at + 2 * (at % 2)] as number);
}
