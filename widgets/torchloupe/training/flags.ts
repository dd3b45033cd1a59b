/** Flags of what changed and when: in two rows, merged where even those do not part them. */

import { type Inks, type Pen, runInk } from "./ink";
import type { Place } from "./plot_layout";
import type { Flag } from "./plot_model";

/** One flag, or several in one. */
export interface Placed {
  readonly flags: readonly Flag[];
  readonly text: string;
  /** Where its pole stands. */
  readonly pole: number;
  readonly left: number;
  readonly right: number;
  readonly row: 0 | 1;
  /** It hangs to the left of its pole, for want of room at the right. */
  readonly flipped: boolean;
}

const PAD = 5;
const POINT = 5;
const GAP = 4;
export const FLAG = 13;

/**
 * Places flags in ascending steps: in the upper row while there is room, else in the lower one, else in one
 * flag with the last of the lower row.
 *
 * @param x the place of a step in px
 * @param limit how far right a flag may reach
 * @param width how wide a text is in px
 * @param text what a flag says
 * @param merged what several in one say
 */
export function placeFlags(
  flags: readonly Flag[],
  x: (step: number) => number,
  limit: number,
  width: (text: string) => number,
  text: (flag: Flag) => string,
  merged: (count: number) => string,
): Placed[] {
  const upper: Placed[] = [];
  const lower: Placed[] = [];
  const fits = (one: Placed, row: readonly Placed[]): boolean => one.left >= (row.at(-1)?.right ?? -GAP) + GAP;
  for (const flag of [...flags].sort((a, b) => a.step - b.step)) {
    let one = hung([flag], text(flag), x(flag.step), limit, width);
    if (upper.length === 0 || fits(one, upper)) {
      upper.push(one);
      continue;
    }
    while (lower.length > 0 && !fits(one, lower)) {
      const other = lower.pop();
      const all = [...(other?.flags ?? []), ...one.flags];
      one = hung(all, merged(all.length), other?.pole ?? one.pole, limit, width);
    }
    lower.push({ ...one, row: 1 });
  }
  return [...upper, ...lower];
}

function hung(
  flags: readonly Flag[],
  text: string,
  pole: number,
  limit: number,
  width: (text: string) => number,
): Placed {
  const wide = width(text) + 2 * PAD + POINT;
  const flipped = pole + wide > limit;
  const left = flipped ? pole - wide : pole;
  return { flags, text, pole, left, right: left + wide, row: 0, flipped };
}

/** The colour of a flag; amber while it waits. */
function flagInk(inks: Inks, { flags: [flag] }: Placed): string {
  if (flag === undefined || flag.colour === 0) return inks.ink2;
  return flag.waiting ? inks.wait : runInk(inks, flag.colour);
}

/** Where the upper left corner of a flag is. */
export function flagTop(placed: Placed, rows: number): number {
  return rows > 1 ? 0.5 + placed.row * FLAG : 8;
}

/** Draws flags and their poles, which go down through everything. */
export function drawFlags(pen: Pen, inks: Inks, placed: readonly Placed[], reach: readonly Place[]): void {
  const rows = placed.some(({ row }) => row === 1) ? 2 : 1;
  for (const flag of placed) {
    const colour = flagInk(inks, flag);
    const waiting = flag.flags.some((one) => one.waiting);
    pen.strokeStyle = colour;
    pen.lineCap = "butt";
    const top = flagTop(flag, rows);
    pen.lineWidth = waiting ? 1.5 : 1;
    pen.setLineDash(waiting ? [3, 2.5] : [1.4, 2.6]);
    pen.beginPath();
    pen.moveTo(flag.pole, top + FLAG);
    reach.forEach(({ top: from, bottom }, at) => {
      if (at > 0) pen.moveTo(flag.pole, from);
      pen.lineTo(flag.pole, bottom);
    });
    pen.stroke();
    outline(pen, flag, top, waiting);
    pen.fillStyle = inks.paper;
    pen.fill();
    pen.stroke();
    pen.setLineDash([]);
    pen.fillStyle = colour;
    pen.font = `11px ${inks.ui}`;
    pen.textAlign = "left";
    pen.textBaseline = "middle";
    pen.fillText(flag.text, flag.left + PAD + (flag.flipped ? POINT : 0), top + FLAG / 2 + 0.5);
  }
}

function outline(pen: Pen, { left, right, flipped }: Placed, top: number, waiting: boolean): void {
  pen.setLineDash(waiting ? [3, 2] : []);
  pen.lineWidth = 1;
  const middle = top + FLAG / 2;
  const bottom = top + FLAG;
  pen.beginPath();
  if (flipped) {
    pen.moveTo(right, top);
    pen.lineTo(left + POINT, top);
    pen.lineTo(left, middle);
    pen.lineTo(left + POINT, bottom);
    pen.lineTo(right, bottom);
  } else {
    pen.moveTo(left, top);
    pen.lineTo(right - POINT, top);
    pen.lineTo(right, middle);
    pen.lineTo(right - POINT, bottom);
    pen.lineTo(left, bottom);
  }
  pen.closePath();
}
