/** One curve: its raw columns, its line, and the marks of its points. */

import { placeAt, type Track } from "./columns";
import type { Drawn } from "./drawn";
import { type Inks, type Pen, runInk } from "./ink";
import type { Mark } from "./plot_model";
import type { Scales } from "./scales";

const RAW = 0.26;
/** What remains of a branch after it was left. */
const LEFT = 0.55;
/** What is left of the marks of other runs. */
const REST = 0.65;
const RADIUS = 3.4;
const SIDE = 3;
const DOT = 2;
const TICK = 3;
/** From this distance of points in px on each of them gets a dot. */
const APART = 9;

/** Draws a curve; the part after the step at which it was left is pale. */
export function drawCurve(pen: Pen, inks: Inks, scales: Scales, drawn: Drawn): void {
  const { track, curve, first, end } = drawn;
  let split = end;
  if (curve.left !== undefined) {
    split = Math.min(Math.max(placeAt(track.step, curve.left + track.slack) + 1, first), end);
  }
  const alpha = pen.globalAlpha;
  part(pen, inks, scales, drawn, first, split);
  if (!drawn.dense) drawMarks(pen, inks, scales, drawn, first, split);
  pen.globalAlpha = alpha * LEFT;
  if (split < end) part(pen, inks, scales, drawn, Math.max(split - 1, first), end);
  if (!drawn.dense) drawMarks(pen, inks, scales, drawn, split, end);
  pen.globalAlpha = alpha;
}

function part(pen: Pen, inks: Inks, scales: Scales, drawn: Drawn, from: number, to: number): void {
  const { curve } = drawn;
  const alpha = pen.globalAlpha;
  pen.strokeStyle = runInk(inks, curve.colour);
  pen.fillStyle = pen.strokeStyle;
  pen.lineJoin = "round";
  pen.lineCap = "round";
  if (!curve.selected && curve.mark !== "line") pen.globalAlpha = alpha * REST;
  if (drawn.raw && !inks.forced) {
    pen.globalAlpha = alpha * RAW;
    drawRaw(pen, scales, drawn, from, to);
    pen.globalAlpha = alpha;
  }
  pen.lineWidth = lineWidth(drawn, inks.forced);
  pen.setLineDash(curve.mark === "line" ? [] : [3, 2.5]);
  drawLine(pen, scales, drawn, from, to);
  pen.setLineDash([]);
  pen.globalAlpha = alpha;
}

function lineWidth({ curve }: Drawn, forced: boolean): number {
  if (curve.mark !== "line") return 1.2;
  if (forced) return 2.5;
  if (curve.colour === 0) return 1;
  return curve.selected ? 2.25 : 1.75;
}

/** The polyline through first, low, high and last of each column covers what the curve itself would. */
function drawRaw(pen: Pen, scales: Scales, { track }: Drawn, from: number, to: number): void {
  const { x, y } = scales;
  const { first, low, high, last } = track.columns;
  pen.lineWidth = 1;
  pen.beginPath();
  let down = false;
  for (let at = from; at < to; at += 1) {
    const good = track.bad[at] === 0;
    const px = x(track.step[at] ?? 0);
    if (good && down) pen.lineTo(px, y(first[at] ?? 0));
    else if (good) pen.moveTo(px, y(first[at] ?? 0));
    down = good;
    if (!good || track.points[at] === 1) continue;
    pen.lineTo(px, y(low[at] ?? 0));
    pen.lineTo(px, y(high[at] ?? 0));
    pen.lineTo(px, y(last[at] ?? 0));
  }
  pen.stroke();
  drawOutside(pen, scales, track, from, to);
}

/** Ticks at the edge where raw values lie beyond the axis. */
function drawOutside(pen: Pen, { x, y, top, bottom }: Scales, track: Track, from: number, to: number): void {
  const { low, high } = track.columns;
  const [highest, lowest] = [top - 0.5, bottom + 0.5];
  pen.globalAlpha = Math.min(pen.globalAlpha * 3, 1);
  for (let at = from; at < to; at += 1) {
    const px = x(track.step[at] ?? 0) - 0.5;
    if (y(high[at] ?? 0) < highest) pen.fillRect(px, top, 1, TICK);
    if (y(low[at] ?? 0) > lowest) pen.fillRect(px, bottom - TICK, 1, TICK);
  }
}

function drawLine(pen: Pen, { x, y }: Scales, { track, line, start }: Drawn, from: number, to: number): void {
  pen.beginPath();
  let down = false;
  if (from === 0 && start !== undefined) {
    pen.moveTo(x(start.step), y(start.value));
    down = true;
  }
  for (let at = from; at < to; at += 1) {
    const value = line[at] ?? Number.NaN;
    if (Number.isNaN(value)) {
      down = false;
    } else if (down) {
      pen.lineTo(x(track.step[at] ?? 0), y(value));
    } else {
      pen.moveTo(x(track.step[at] ?? 0), y(value));
      down = true;
    }
  }
  pen.stroke();
}

function drawMarks(pen: Pen, inks: Inks, scales: Scales, drawn: Drawn, from: number, to: number): void {
  const { track, line, curve } = drawn;
  const solid = curve.mark === "line";
  if (solid && !wide(scales, drawn)) return;
  const alpha = pen.globalAlpha;
  const shown = curve.selected || solid ? alpha : alpha * REST;
  pen.strokeStyle = runInk(inks, curve.colour);
  pen.fillStyle = solid ? pen.strokeStyle : inks.paper;
  pen.lineWidth = 1.6;
  for (let at = from; at < to; at += 1) {
    const value = line[at] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    pen.beginPath();
    shape(pen, curve.mark, scales.x(track.step[at] ?? 0), Math.min(scales.y(value), scales.bottom));
    pen.globalAlpha = 1;
    pen.fill();
    pen.globalAlpha = shown;
    if (!solid) pen.stroke();
  }
  pen.globalAlpha = alpha;
}

function shape(pen: Pen, mark: Mark, x: number, y: number): void {
  if (mark === "square") pen.rect(x - SIDE, y - SIDE, 2 * SIDE, 2 * SIDE);
  else pen.arc(x, y, mark === "line" ? DOT : RADIUS, 0, 2 * Math.PI);
}

function wide({ x }: Scales, { track, first, end }: Drawn): boolean {
  const span = x(track.step[end - 1] ?? 0) - x(track.step[first] ?? 0);
  return end - first < 2 || span / (end - first - 1) >= APART;
}

/** How many values in view are not on a log axis, as far as columns tell; marks on the floor where they are. */
export function drawFloor(pen: Pen, inks: Inks, scales: Scales, drawn: readonly Drawn[]): number {
  if (!scales.axis.log) return 0;
  let found = 0;
  for (const { track, curve, first, end } of drawn) {
    pen.fillStyle = runInk(inks, curve.colour);
    for (let at = first; at < end; at += 1) {
      if (!((track.columns.low[at] ?? Number.NaN) <= 0)) continue;
      found += 1;
      const px = scales.x(track.step[at] ?? 0);
      pen.beginPath();
      pen.moveTo(px - 3, scales.bottom - 5);
      pen.lineTo(px + 3, scales.bottom - 5);
      pen.lineTo(px, scales.bottom);
      pen.fill();
    }
  }
  return found;
}
