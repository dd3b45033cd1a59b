/** One open group laid out: its boxes and lines from its own upper left corner, in layout px. */

import { type Body, HEADER_H, type Sizer } from "./anatomy";
import { layered, type Placed } from "./layout";
import { boundsOf, type Path } from "./route";
import { Rows } from "./rows";
import { type Thread, threads } from "./threads";
import type { Box, Level } from "./tree";

/** A box where it stands; an open one is the frame around `inner`. */
export interface Item {
  readonly box: Box;
  readonly body: Body;
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  readonly inner: Plot | undefined;
}

/** A strand, or the part of it that goes through one port; -1 is the group's own border. */
export interface Line extends Thread {
  readonly path: Path;
  /** Whether it ends at a box that has an arrival, not at a border. */
  readonly head: boolean;
}

export interface Plot {
  readonly level: Level;
  readonly items: readonly Item[];
  readonly lines: readonly Line[];
  readonly width: number;
  readonly height: number;
  /** Where the straight way through the group stands. */
  readonly axis: number;
}

/** Room inside the frame of an open group. */
export const PAD = 14;
const BETWEEN = 28;
const GAPS = { near: { straight: 48, bent: 52, well: 66 }, middle: { straight: 14, bent: 24, well: 24 } } as const;
/** Length of the line of a root. */
const ROOT_LINE = { near: 40, middle: 14 } as const;
/** So many boxes in a layer are a crowd. */
const CROWD = 3;
/** Layouts kept for groups of equal shape. */
const MOST_KEPT = 1024;

/** A box without its place: its size, and its line from the left side. */
interface Half {
  readonly body: Body;
  readonly inner: Plot | undefined;
  readonly w: number;
  readonly h: number;
  readonly left: number;
  readonly right: number;
}

/** Where things stand, whatever they are: groups of equal shape share one. */
interface Geometry {
  readonly slim: readonly boolean[];
  readonly corners: readonly { readonly x: number; readonly y: number }[];
  readonly paths: readonly Path[];
  readonly width: number;
  readonly height: number;
  readonly axis: number;
}

const kept = new WeakMap<Sizer, Map<string, Geometry>>();

/** Lays out one level; `inside` are the plots of its open boxes, by their place. */
export function plot(level: Level, sizer: Sizer, inside: readonly (Plot | undefined)[], outermost: boolean): Plot {
  const halves = level.boxes.map((box, index) => half(sizer.body(box), inside[index]));
  const lines = byPort(
    threads(
      level,
      halves.map(({ body }) => body),
      inside,
    ),
  );
  const { slim, corners, paths, width, height, axis } = shared(halves, lines, sizer, outermost);
  const items = level.boxes.map((box, index): Item => {
    const full = halves[index] as Half;
    const { body, inner, w, h } = slim[index] ? half(sizer.slim(full.body), undefined) : full;
    const { x, y } = corners[index] ?? { x: 0, y: 0 };
    return { box, body, inner, w, h, x, y };
  });
  const routed = lines.map((line, place): Line => {
    const head = line.target >= 0 && inside[line.target] === undefined;
    return { ...line, head, path: paths[place] ?? new Float64Array(4) };
  });
  return { level, items, lines: routed, width, height, axis };
}

/** Lines between boxes, then those from above, then those to below: the order in which `layered` gives routes. */
function byPort(lines: readonly Thread[]): readonly Thread[] {
  const port = ({ source, target }: Thread): number => (source < 0 ? 1 : target < 0 ? 2 : 0);
  return [0, 1, 2].flatMap((each) => lines.filter((line) => port(line) === each));
}

function half(body: Body, inner: Plot | undefined): Half {
  if (inner === undefined) {
    const left = body.w / 2 + body.axis;
    return { body, inner, w: body.w, h: body.h, left: left + body.left, right: body.w - left + body.right };
  }
  const w = inner.width + 2 * PAD;
  const left = inner.axis + PAD;
  return { body, inner, w, h: inner.height, left, right: w - left };
}

function shared(halves: readonly Half[], lines: readonly Thread[], sizer: Sizer, outermost: boolean): Geometry {
  let known = kept.get(sizer);
  if (known === undefined || known.size >= MOST_KEPT) {
    known = new Map();
    kept.set(sizer, known);
  }
  const boxes = halves.map(({ w, h, left, right, body, inner }) => [
    w,
    h,
    left,
    right,
    body.slots.length,
    inner ? 1 : 0,
  ]);
  const ends = lines.map(({ source, target, leaving, arriving }) => [source, target, leaving, arriving]);
  const key = `${outermost}|${boxes.join()}|${ends.join()}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = geometry(halves, lines, sizer, outermost);
  known.set(key, made);
  return made;
}

function geometry(full: readonly Half[], lines: readonly Thread[], sizer: Sizer, outermost: boolean): Geometry {
  const slim = crowded(full, lines, sizer);
  const halves = full.map((each, index) => (slim[index] ? half(sizer.slim(each.body), undefined) : each));
  const placed = arranged(halves, lines);
  const standing = halves.map((each) => ({ ...each, open: each.inner !== undefined }));
  const [above, below] = outermost ? [ROOT_LINE[sizer.anatomy], 0] : [HEADER_H, PAD];
  const rows = new Rows(standing, placed, lines, GAPS[sizer.anatomy], above, below);
  const paths = rows.paths();
  const [left, right] = extent(halves, placed, paths);
  const straight = lines.findIndex(({ source }) => source < 0);
  const leaving = lines.findIndex(({ target }) => target < 0);
  const axis = paths[straight]?.[0] ?? paths[leaving]?.at(-2) ?? (left + right) / 2;
  const corners = halves.map(({ body, inner, left: before }, index) => {
    const aside = inner === undefined ? body.left : 0;
    return { x: (placed.x[index] ?? 0) - before + aside - left, y: rows.top(index) };
  });
  const moved = paths.map((path) => path.map((value, place) => (place % 2 === 0 ? value - left : value)));
  return { slim, corners, paths: moved, width: right - left, height: rows.height, axis: axis - left };
}

function arranged(halves: readonly Half[], lines: readonly Thread[]): Placed {
  const own = lines.filter(({ source, target }) => source >= 0 && target >= 0);
  const placed = layered(
    halves.map(({ left, right, h }) => ({ w: left + right, h, axis: left })),
    own.map(({ source }) => source),
    own.map(({ target }) => target),
    {
      in: lines.filter(({ source }) => source < 0).map(({ target }) => target),
      out: lines.filter(({ source, target }) => source >= 0 && target < 0).map(({ source }) => source),
    },
    BETWEEN,
  );
  // Whole px keep borders sharp.
  const whole = (values: Float64Array): Float64Array => values.map(Math.round);
  return { ...placed, x: whole(placed.x), routes: placed.routes.map(whole) };
}

/** Which boxes share their layer with two others or more: they are slim. Layers follow from the lines alone. */
function crowded(full: readonly Half[], lines: readonly Thread[], sizer: Sizer): readonly boolean[] {
  if (sizer.anatomy === "near" || full.length < CROWD) return full.map(() => false);
  const { layer } = arranged(full, lines);
  const crowd = new Map<number, number>();
  for (const at of layer) crowd.set(at, (crowd.get(at) ?? 0) + 1);
  return full.map(({ inner }, index) => inner === undefined && (crowd.get(layer[index] ?? 0) ?? 0) >= CROWD);
}

/** The least and the greatest x of boxes and lines. */
function extent(halves: readonly Half[], placed: Placed, paths: readonly Path[]): readonly [number, number] {
  if (halves.length === 0) return [0, 0];
  let [least, most] = [Infinity, -Infinity];
  halves.forEach(({ left, right }, index) => {
    const x = placed.x[index] ?? 0;
    least = Math.min(least, x - left);
    most = Math.max(most, x + right);
  });
  for (const path of paths) {
    const { left, right } = boundsOf(path);
    least = Math.min(least, left);
    most = Math.max(most, right);
  }
  return [least, most];
}
