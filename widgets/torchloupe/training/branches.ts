/** Ways back: from the end of a branch up into the lane of flags, back, and down to where the next begins. */

import { type Drawn, valueAt } from "./drawn";
import { type Inks, type Pen, runInk } from "./ink";
import { widthOf } from "./measure";
import type { Rewind } from "./plot_model";
import type { Scales } from "./scales";

const LIFT = 10;
const ROUND = 5;
const RING = 5;
const HEAD = 4;
const DOT = 2.8;

/** Draws the ways back over the curves of the first panel. */
export function drawRewinds(
  pen: Pen,
  inks: Inks,
  scales: Scales,
  drawn: readonly Drawn[],
  rewinds: readonly Rewind[],
): void {
  let free = scales.left;
  rewinds.forEach((rewind, at) => {
    const lane = scales.top - LIFT + (at % 2) * 5;
    const next = drawn.find(({ curve }) => curve.id === rewind.next);
    const old = drawn.find(({ curve }) => curve.id === rewind.old);
    drawWay(pen, inks, scales, rewind, lane, old, next);
    free = Math.max(free, drawWords(pen, inks, scales, rewind, lane, free));
  });
}

/** The ring where a branch begins, in any panel. */
export function drawRing(pen: Pen, inks: Inks, scales: Scales, drawn: Drawn): void {
  const { start, curve } = drawn;
  if (start === undefined || curve.mark !== "line") return;
  const x = scales.x(start.step);
  if (x < scales.left - 1 || x > scales.right + 1) return;
  pen.beginPath();
  pen.arc(x, scales.y(start.value), RING, 0, 2 * Math.PI);
  pen.fillStyle = inks.paper;
  pen.fill();
  pen.lineWidth = 2.2;
  pen.strokeStyle = runInk(inks, curve.colour);
  pen.stroke();
}

function drawWay(
  pen: Pen,
  inks: Inks,
  scales: Scales,
  rewind: Rewind,
  lane: number,
  old: Drawn | undefined,
  next: Drawn | undefined,
): void {
  const from = scales.x(rewind.from);
  const to = scales.x(rewind.to);
  const end = old === undefined ? Number.NaN : valueAt(old, rewind.from);
  const begin = next?.start?.value ?? Number.NaN;
  const bottom = Number.isNaN(end) ? scales.top : scales.y(end) - DOT - 1;
  const tip = Number.isNaN(begin) ? scales.bottom : scales.y(begin) - RING - 2;
  const round = Math.min(ROUND, Math.abs(from - to) / 2);
  pen.save();
  pen.beginPath();
  pen.rect(scales.left - 8, 0, scales.right - scales.left + 16, scales.bottom + 8);
  pen.clip();
  pen.strokeStyle = runInk(inks, rewind.colour);
  pen.lineWidth = 1.5;
  pen.lineCap = "round";
  pen.lineJoin = "round";
  pen.beginPath();
  pen.moveTo(from, bottom);
  pen.arcTo(from, lane, to, lane, round);
  pen.arcTo(to, lane, to, tip, round);
  pen.lineTo(to, tip);
  pen.moveTo(to - HEAD, tip - HEAD);
  pen.lineTo(to, tip);
  pen.lineTo(to + HEAD, tip - HEAD);
  pen.stroke();
  if (old !== undefined && !Number.isNaN(end)) {
    pen.beginPath();
    pen.arc(from, scales.y(end), DOT, 0, 2 * Math.PI);
    pen.fillStyle = runInk(inks, old.curve.colour);
    pen.fill();
  }
  pen.restore();
}

/** The words beside the way; returns where they end. Words that would cover others are left out. */
function drawWords(pen: Pen, inks: Inks, scales: Scales, rewind: Rewind, lane: number, free: number): number {
  const right = scales.x(Math.max(rewind.from, rewind.to)) + 8;
  pen.font = `11px ${inks.ui}`;
  const wide = widthOf(pen, rewind.words);
  const left = scales.x(Math.min(rewind.from, rewind.to));
  const x = right + wide > scales.right ? left - 8 - wide : right;
  if (left > scales.right || right - 8 < scales.left || x < free) return free;
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  pen.fillStyle = runInk(inks, rewind.colour);
  pen.fillText(rewind.words, x, lane);
  return x + wide + 12;
}
