/** NaNs: a cross where the line ends and where it goes on, hatching between, and how many there were. */

import type { Say } from "../core/words";
import { type Gap, gaps } from "./columns";
import type { Drawn } from "./drawn";
import { count } from "./figures";
import type { Inks, Pen } from "./ink";
import { widthOf } from "./measure";
import type { Scales } from "./scales";

const LEAST = 4;
const ABOVE = 26;
const BELOW = 14;
const CROSS = 3.2;
const HATCH = 5;

/** How tall a band is: around the ends of its branch, or the whole panel where no other curve passes. */
export function bandHeights(
  ends: readonly number[],
  passed: boolean,
  { top, bottom }: { readonly top: number; readonly bottom: number },
): readonly [number, number] {
  if (!passed || ends.length === 0) return [top, bottom];
  return [Math.max(Math.min(...ends) - ABOVE, top), Math.min(Math.max(...ends) + BELOW, bottom)];
}

/** Draws the gaps of one curve; `others` are all curves of the panel. */
export function drawGaps(
  pen: Pen,
  inks: Inks,
  scales: Scales,
  drawn: Drawn,
  others: readonly Drawn[],
  say: Say,
  narrow: boolean,
): void {
  for (const gap of gaps(drawn.track)) {
    const left = scales.x(gap.left);
    const right = Math.max(scales.x(gap.right), left + LEAST);
    if (right < scales.left || left > scales.right) continue;
    const ends = [gap.before, gap.after].flatMap((place) => {
      const value = drawn.line[place];
      return value === undefined || Number.isNaN(value) ? [] : [scales.y(value)];
    });
    const passed = others.some((other) => other !== drawn && covers(other, gap, drawn));
    const [top, bottom] = bandHeights(ends, passed, scales);
    const from = Math.max(left, scales.left);
    const to = Math.min(right, scales.right);
    hatch(pen, inks.bad, from, top, to - from, bottom - top, 0.55);
    for (const place of [gap.before, gap.after]) cross(pen, inks, scales, drawn, place);
    label(pen, inks, scales, gap, drawn, (top + bottom) / 2, say, narrow);
  }
}

function covers(other: Drawn, gap: Gap, own: Drawn): boolean {
  if (other.curve.colour === own.curve.colour) return false;
  const { step, size } = other.track;
  return size > 0 && (step[0] ?? 0) <= gap.right && (step[size - 1] ?? 0) >= gap.left;
}

/** Fills a rectangle with thin diagonal lines. */
export function hatch(
  pen: Pen,
  colour: string,
  left: number,
  top: number,
  width: number,
  height: number,
  alpha: number,
): void {
  pen.save();
  pen.beginPath();
  pen.rect(left, top, width, height);
  pen.clip();
  pen.globalAlpha *= alpha;
  pen.strokeStyle = colour;
  pen.lineWidth = 1;
  pen.beginPath();
  for (let at = -height; at < width + HATCH; at += HATCH) {
    pen.moveTo(left + at, top + height);
    pen.lineTo(left + at + height, top);
  }
  pen.stroke();
  pen.restore();
}

function cross(pen: Pen, inks: Inks, scales: Scales, drawn: Drawn, place: number): void {
  const value = drawn.line[place];
  if (value === undefined || Number.isNaN(value)) return;
  const x = scales.x(drawn.track.step[place] ?? 0);
  const y = scales.y(value);
  if (x < scales.left - 1 || x > scales.right + 1) return;
  pen.strokeStyle = inks.bad;
  pen.lineWidth = 1.6;
  pen.lineCap = "butt";
  pen.beginPath();
  pen.moveTo(x - CROSS, y - CROSS);
  pen.lineTo(x + CROSS, y + CROSS);
  pen.moveTo(x + CROSS, y - CROSS);
  pen.lineTo(x - CROSS, y + CROSS);
  pen.stroke();
}

function label(
  pen: Pen,
  inks: Inks,
  scales: Scales,
  gap: Gap,
  drawn: Drawn,
  y: number,
  say: Say,
  narrow: boolean,
): void {
  const open = gap.after >= drawn.track.size;
  const words = open
    ? say("nan_since", { step: count(gap.left) })
    : say(narrow ? "nan_short" : "nan_steps", { count: count(gap.bad), n: gap.bad });
  pen.font = `${open ? "bold " : ""}11px ${inks.ui}`;
  pen.textBaseline = "middle";
  pen.textAlign = "left";
  const wide = widthOf(pen, words);
  const right = scales.x(gap.right);
  const left = scales.x(gap.left);
  let x = right + 7;
  if (open && right - left > wide + 12) x = (left + right - wide) / 2;
  else if (x + wide > scales.right) x = left - 7 - wide;
  pen.lineJoin = "round";
  pen.lineWidth = 4;
  pen.strokeStyle = inks.paper;
  pen.strokeText(words, x, y);
  pen.fillStyle = inks.bad;
  pen.fillText(words, x, y);
}
