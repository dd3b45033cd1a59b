/** Curves made ready to draw: smoothed or as they are, each going on from where it left its parent. */

import { type Axis, percentile, valueAxis, wantsLog } from "./axes";
import { placeAt, type Track, trackOf } from "./columns";
import type { Curve, Numbers, Panel } from "./plot_model";
import { Average, averageAt, smoothed } from "./smoothing";

/** From this many points in view on a curve is smoothed. */
const DENSE = 50;

export interface Drawn {
  readonly curve: Curve;
  readonly track: Track;
  /** Whether it has enough points in view to be smoothed. */
  readonly dense: boolean;
  /** What is drawn at each place of the track; NaN at a gap. */
  readonly line: Float64Array;
  /** Where it leaves its parent. */
  readonly start?: { readonly step: number; readonly value: number };
  /** The average before its first point. */
  readonly from: Average;
  /** Places of the first point in view and behind the last one; one more at either side where there is one. */
  readonly first: number;
  readonly end: number;
  /** Whether its raw columns are drawn. */
  readonly raw: boolean;
}

/** The curves of a panel between two steps, in the order of the panel. */
export function drawnOf(panel: Panel, halfLife: number, from: number, to: number): Drawn[] {
  const byId = new Map(panel.curves.map((curve) => [curve.id, curve]));
  const ready = new Map<string, Drawn>();
  const alone = new Set(panel.curves.filter((curve) => curve.mark === "line").map((curve) => curve.colour)).size <= 1;
  const make = (curve: Curve, within: readonly string[]): Drawn => {
    const known = ready.get(curve.id);
    if (known !== undefined) return known;
    const { parent } = curve;
    const older = parent && !within.includes(parent.id) ? byId.get(parent.id) : undefined;
    const origin = older && make(older, [...within, curve.id]);
    const one = drawn(curve, origin, halfLife, from, to, alone);
    ready.set(curve.id, one);
    return one;
  };
  return panel.curves.map((curve) => make(curve, [curve.id]));
}

function drawn(
  curve: Curve,
  origin: Drawn | undefined,
  halfLife: number,
  from: number,
  to: number,
  alone: boolean,
): Drawn {
  const track = trackOf(curve.columns);
  const first = Math.max(placeAt(track.step, from), 0);
  const end = Math.min(placeAt(track.step, to) + 2, track.size);
  let seen = 0;
  for (let at = first; at < end; at += 1) seen += track.points[at] ?? 0;
  const dense = seen >= DENSE;
  const life = dense ? halfLife : 0;
  const origins = origin && originOf(origin, curve.parent?.step ?? 0, life, dense);
  const average = origins?.average ?? new Average(life);
  const start = origins?.start ? { start: origins.start } : {};
  const line = smoothed(track, average.copy());
  const raw = dense && curve.mark === "line" && (curve.selected || alone);
  return { curve, track, dense, line, from: average, first, end, raw, ...start };
}

/** The average a branch goes on from, and the point its line begins at. */
function originOf(
  origin: Drawn,
  step: number,
  halfLife: number,
  dense: boolean,
): { average: Average; start: { step: number; value: number } | undefined } {
  const { track } = origin;
  const average = averageAt(track, origin.from.with(halfLife), step + track.slack);
  const { value } = average;
  const own = track.step[placeAt(track.step, step + track.slack)] ?? origin.start?.step;
  if (!Number.isFinite(value) || own === undefined) return { average, start: undefined };
  return { average, start: { step: dense || own + track.slack >= step ? step : own, value } };
}

/** The least and the greatest of some values. */
class Range {
  low = Number.POSITIVE_INFINITY;
  high = Number.NEGATIVE_INFINITY;

  take(value: number | undefined): void {
    if (value === undefined || !Number.isFinite(value)) return;
    if (value < this.low) this.low = value;
    if (value > this.high) this.high = value;
  }
}

/** How much of a log and of a linear axis raw values may reach beyond a tick before it moves. */
const OVER = { log: 1.06, linear: 0.02 };

/** The y axis of what is drawn: outliers of raw values lie beyond it, nothing else does. */
export function axisOf(drawn: readonly Drawn[], panel: Panel, height: number): Axis {
  const lines = new Range();
  const least = new Range();
  for (const { track, line, first, end, start } of drawn) {
    lines.take(start?.value);
    for (let at = first; at < end; at += 1) {
      lines.take(line[at]);
      least.take(track.columns.low[at]);
    }
  }
  if (!(lines.high >= lines.low)) return valueAxis(0.5, 2, panel.scale !== "linear", height);
  const wanted = panel.scale === "auto" ? wantsLog(Math.min(lines.low, least.low), lines.high) : panel.scale === "log";
  const log = wanted && lines.high > 0;
  if (log && lines.low <= 0) lines.low = positive(drawn, lines.high);
  const [low, high] = withRaw(drawn, lines, log);
  return valueAxis(low, high, log, height);
}

/** Joins the range of the lines with nearly all of the raw values. */
function withRaw(drawn: readonly Drawn[], { low, high }: Range, log: boolean): [number, number] {
  const values = rawValues(drawn, log);
  if (values.length === 0) return [low, high];
  const [bottom, top] = [percentile(values, 0.005), percentile(values, 0.995)];
  const over = OVER.linear * (top - bottom);
  return log
    ? [Math.min(low, bottom * OVER.log), Math.max(high, top / OVER.log)]
    : [Math.min(low, bottom + over), Math.max(high, top - over)];
}

/** The finite ends of all raw columns in view, on a log axis the positive ones, sorted. */
function rawValues(drawn: readonly Drawn[], log: boolean): Float64Array {
  const shown = drawn.filter(({ raw }) => raw);
  const values = new Float64Array(2 * shown.reduce((sum, { first, end }) => sum + end - first, 0));
  let size = 0;
  for (const { track, first, end } of shown) {
    size = copied(track.columns.low, first, end, log, values, size);
    size = copied(track.columns.high, first, end, log, values, size);
  }
  return values.subarray(0, size).sort();
}

/** Copies what an axis can hold to `into` from `size` on; how much there is then. */
function copied(values: Numbers, first: number, end: number, log: boolean, into: Float64Array, size: number): number {
  let to = size;
  for (let at = first; at < end; at += 1) {
    const value = values[at] ?? Number.NaN;
    if (log ? value > 0 : !Number.isNaN(value)) into[to++] = value;
  }
  return to;
}

/** The least positive value that is drawn. */
function positive(drawn: readonly Drawn[], high: number): number {
  const range = new Range();
  range.take(high);
  for (const { line, first, end } of drawn) {
    for (let at = first; at < end; at += 1) if ((line[at] ?? 0) > 0) range.take(line[at]);
  }
  return range.low;
}

/** The value drawn at `step`: on the line between its neighbours; NaN in a gap or beyond the curve. */
export function valueAt(drawn: Drawn, step: number): number {
  const place = placeAt(drawn.track.step, step);
  if (place < 0) return drawn.start && drawn.start.step <= step ? drawn.start.value : Number.NaN;
  const one = drawn.line[place] ?? Number.NaN;
  const next = drawn.line[place + 1];
  const at = drawn.track.step[place] ?? 0;
  const after = drawn.track.step[place + 1];
  if (next === undefined || after === undefined || at === step) return one;
  return Number.isNaN(next) ? one : one + ((next - one) * (step - at)) / (after - at);
}
