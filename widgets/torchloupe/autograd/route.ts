/** The path of a strand: a curve between neighbours, a rounded lane past the layers it skips. */

/** Points of a path, x and y in turn. Two points are a curve with vertical ends, more are a lane. */
export type Path = Float64Array;

const ROUND = 7;
/** Where a pill stands on its path. */
export const PILL_AT = 0.46;

interface Tracer {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  bezierCurveTo(ax: number, ay: number, bx: number, by: number, x: number, y: number): void;
  arcTo(ax: number, ay: number, bx: number, by: number, radius: number): void;
}

function at(path: Path, place: number): number {
  return path[place] ?? 0;
}

/** Draws a path; it ends `short` px above its last point, where the head stands. */
export function trace(into: Tracer, path: Path, short = 0): void {
  const last = path.length - 2;
  into.moveTo(at(path, 0), at(path, 1));
  const endX = at(path, last);
  const endY = at(path, last + 1) - short;
  if (last === 2) {
    const x = at(path, 0);
    const bend = (endY - at(path, 1)) / 2;
    if (x === endX) into.lineTo(endX, endY);
    else into.bezierCurveTo(x, at(path, 1) + bend, endX, endY - bend, endX, endY);
    return;
  }
  for (let place = 2; place < last; place += 2) {
    const x = at(path, place);
    const y = at(path, place + 1);
    const before = Math.hypot(x - at(path, place - 2), y - at(path, place - 1));
    const nextX = at(path, place + 2);
    const nextY = place + 2 === last ? endY : at(path, place + 3);
    const after = Math.hypot(nextX - x, nextY - y);
    into.arcTo(x, y, nextX, nextY, Math.min(ROUND, before / 2, after / 2));
  }
  into.lineTo(endX, endY);
}

/** The point at `t` of a path: of its parameter for a curve, of its length for a lane. */
export function pointAt(path: Path, t: number): { readonly x: number; readonly y: number } {
  const last = path.length - 2;
  if (last === 2) {
    const [x0, y0, x1, y1] = [at(path, 0), at(path, 1), at(path, 2), at(path, 3)];
    const rest = 1 - t;
    const begun = rest * rest * (rest + 3 * t);
    const ended = t * t * (t + 3 * rest);
    const bend = (y1 - y0) / 2;
    const inner = 3 * rest * rest * t * (y0 + bend) + 3 * rest * t * t * (y1 - bend);
    return { x: begun * x0 + ended * x1, y: rest ** 3 * y0 + inner + t ** 3 * y1 };
  }
  let left = t * lengthOf(path);
  for (let place = 2; place <= last; place += 2) {
    const [x, y] = [at(path, place - 2), at(path, place - 1)];
    const length = Math.hypot(at(path, place) - x, at(path, place + 1) - y);
    if (left <= length || place === last) {
      const share = length === 0 ? 0 : Math.min(left / length, 1);
      return { x: x + (at(path, place) - x) * share, y: y + (at(path, place + 1) - y) * share };
    }
    left -= length;
  }
  return { x: at(path, last), y: at(path, last + 1) };
}

/** Length of a path, its corners taken as sharp and a curve as its chord. */
export function lengthOf(path: Path): number {
  let length = 0;
  for (let place = 2; place < path.length; place += 2) {
    length += Math.hypot(at(path, place) - at(path, place - 2), at(path, place + 1) - at(path, place - 1));
  }
  return length;
}

/** Least and greatest x and y of a path. */
export function boundsOf(path: Path): { left: number; right: number; top: number; bottom: number } {
  const bounds = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
  for (let place = 0; place < path.length; place += 2) {
    bounds.left = Math.min(bounds.left, at(path, place));
    bounds.right = Math.max(bounds.right, at(path, place));
    bounds.top = Math.min(bounds.top, at(path, place + 1));
    bounds.bottom = Math.max(bounds.bottom, at(path, place + 1));
  }
  return bounds;
}

/** The same path elsewhere: its start moved by one step, its end by another, what is between by a share of both. */
export function stretched(path: Path, start: readonly [number, number], end: readonly [number, number]): Path {
  const last = path.length - 2;
  const moved = new Float64Array(path.length);
  for (let place = 0; place <= last; place += 2) {
    const share = place / last;
    for (const axis of [0, 1] as const) {
      moved[place + axis] = at(path, place + axis) + start[axis] * (1 - share) + end[axis] * share;
    }
  }
  return moved;
}
