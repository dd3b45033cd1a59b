/** Columns as points to draw: a step and a mean for each, and the pieces between NaNs. */

import type { Columns, Numbers } from "./plot_model";
import type { Points } from "./smoothing";

/** A curve's columns with the step each of them stands at. */
export interface Track extends Points {
  readonly columns: Columns;
  readonly step: Float64Array;
  readonly mean: Float64Array;
  readonly size: number;
  /** How far a step may be off: half a column where columns do not tell. */
  readonly slack: number;
}

const tracks = new WeakMap<Columns, Track>();

/** The points of `columns`; worked out once. */
export function trackOf(columns: Columns): Track {
  const known = tracks.get(columns);
  if (known !== undefined) return known;
  const size = columns.column.length;
  const step = new Float64Array(size);
  const mean = new Float64Array(size);
  for (let at = 0; at < size; at += 1) {
    step[at] = columns.step?.[at] ?? stepOf(columns, columns.column[at] ?? 0);
    mean[at] = columns.mean?.[at] ?? ((columns.first[at] ?? 0) + (columns.last[at] ?? 0)) / 2;
  }
  const slack = columns.step === undefined ? Math.max(wideOf(columns) - 1, 0) / 2 : 0;
  const track = { columns, step, mean, size, slack, points: columns.points, bad: columns.bad };
  tracks.set(columns, track);
  return track;
}

function wideOf({ left, right, count }: Columns): number {
  return (right - left) / count;
}

/** The middle of the whole steps that a column holds. */
function stepOf(columns: Columns, column: number): number {
  const wide = wideOf(columns);
  const left = columns.left + column * wide;
  const first = Math.ceil(left - 1e-9) + 0;
  const last = column === columns.count - 1 ? Math.floor(columns.right + 1e-9) : Math.ceil(left + wide - 1e-9) - 1;
  return last <= first ? first : (first + last) / 2;
}

/** Steps from the first to the last one of a run of NaNs, both within. */
export interface Gap {
  readonly left: number;
  readonly right: number;
  /** How many values are NaN or infinite. */
  readonly bad: number;
  /** The places of the columns before and after it; -1 or `size` where there are none. */
  readonly before: number;
  readonly after: number;
}

/** The runs of columns that hold a NaN or an infinity. */
export function gaps(track: Track): Gap[] {
  const found: Gap[] = [];
  for (let at = 0; at < track.size; at += 1) {
    if ((track.bad[at] ?? 0) === 0) continue;
    const start = at;
    let bad = 0;
    while (at < track.size && (track.bad[at] ?? 0) > 0) {
      bad += track.bad[at] ?? 0;
      at += 1;
    }
    const edge = (place: number, end: 0 | 1): number => edgeOf(track.columns, place, end);
    found.push({ left: edge(start, 0), right: edge(at - 1, 1), bad, before: start - 1, after: at });
  }
  return found;
}

/** The left or right edge of the whole steps in the column at `place`. */
function edgeOf(columns: Columns, place: number, end: 0 | 1): number {
  const wide = wideOf(columns);
  const left = columns.left + (columns.column[place] ?? 0) * wide;
  const first = Math.ceil(left - 1e-9) + 0;
  if (end === 0) return first;
  return Math.max(Math.ceil(left + wide - 1e-9) - 1, first);
}

/** The place of the last point at or before `step`, -1 when there is none. */
export function placeAt(steps: Numbers, step: number): number {
  let low = 0;
  let high = steps.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((steps[middle] ?? 0) <= step) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
