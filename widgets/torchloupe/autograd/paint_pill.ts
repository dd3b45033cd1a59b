/** Pills: the gradient of a line as a number on it, clear of each other. */

import { LOOK } from "./looks";
import type { Pen } from "./pen";
import { type Path, PILL_AT, pointAt } from "./route";
import type { Rect } from "./scene";

/** A pill on the path of a line; `x` and `y` are the corner of the plot. */
export interface Pill {
  readonly path: Path;
  readonly x: number;
  readonly y: number;
  readonly alpha: number;
  /** Undefined: it comes with the next step. */
  readonly look: number | undefined;
  readonly text: string;
  /** How far it has travelled, or undefined when it rests. */
  readonly on: number | undefined;
}

const PILL_H = 22;
const MOST_LETTERS = 9;
const DOTS = [1.5, 3];
const APART = 4;
/** A travelling pill stops short of the head of its line. */
const ARRIVED = 0.92;
/** Ways along its own line by which a pill avoids others. */
const TRIED = [0, -0.1, 0.1, -0.2, 0.2, -0.28, 0.28];
const CROWD = 200;

/** Draws pills; more than anybody could read are left out. */
export function paintPills(pen: Pen, pills: readonly Pill[]): void {
  if (pills.length > CROWD) return;
  const taken: Rect[] = [];
  for (const pill of pills) {
    const w = widthOf(pen, pill.text);
    const at = pill.on === undefined ? resting(pill, w, taken) : pointAt(pill.path, pill.on * ARRIVED);
    const [x, y] = [pill.x + at.x, pill.y + at.y];
    pen.ctx.globalAlpha = pill.alpha;
    paintPill(pen, pill.look, pill.text, x, y);
    taken.push({ x: x - w / 2, y: y - PILL_H / 2, w, h: PILL_H });
  }
  pen.ctx.globalAlpha = 1;
}

/** Where on its line a pill stands clear of those before it. */
function resting({ path, x, y }: Pill, w: number, taken: readonly Rect[]): { readonly x: number; readonly y: number } {
  const places = TRIED.map((by) => pointAt(path, PILL_AT + by));
  const clear = places.find((at) => !taken.some((other) => meet(other, x + at.x - w / 2, y + at.y - PILL_H / 2, w)));
  return clear ?? pointAt(path, PILL_AT);
}

function meet(other: Rect, left: number, top: number, w: number): boolean {
  return (
    left - APART < other.x + other.w &&
    other.x < left + w + APART &&
    top - APART < other.y + other.h &&
    other.y < top + PILL_H + APART
  );
}

function widthOf(pen: Pen, words: string): number {
  return Math.max(26, pen.measure(short(words), pen.mono(13, "700 ")) + 16);
}

function short(words: string): string {
  return words.length <= MOST_LETTERS ? words : `${words.slice(0, MOST_LETTERS - 1)}…`;
}

/** The pill of a gradient around (x, y). `look` undefined: it comes with the next step. */
function paintPill(pen: Pen, look: number | undefined, text: string, x: number, y: number): void {
  const { inks } = pen;
  const words = short(text);
  const w = widthOf(pen, words);
  const [left, top] = [x - w / 2, y - PILL_H / 2];
  const bold = pen.mono(13, "700 ");
  if (look === undefined) {
    pen.fill(left, top, w, PILL_H, PILL_H / 2, inks.ground);
    pen.stroke(left, top, w, PILL_H, PILL_H / 2, inks.here, 1.6, DOTS);
    pen.centred("?", x, y, bold, inks.here);
  } else if (look === LOOK.zero) {
    pen.fill(left, top, w, PILL_H, 2, inks.paper);
    pen.stroke(left, top, w, PILL_H, 2, inks.warmLine, 1.2);
    pen.centred("0", x, y, bold, inks.warmInk);
  } else if (look === LOOK.none) {
    const font = pen.mono(12, "italic ");
    pen.centred("None", x, y, font, inks.ink2);
  } else if (look === LOOK.bad) {
    pen.hatch(left, top, w, PILL_H, PILL_H / 2);
    pen.fill(left + 6, top + 3, w - 12, PILL_H - 6, 2, inks.paper);
    pen.centred(words, x, y, pen.mono(12, "700 "), inks.ink);
  } else {
    pen.fill(left, top, w, PILL_H, PILL_H / 2, inks.warmField);
    pen.stroke(left, top, w, PILL_H, PILL_H / 2, inks.warmLine, 1.2);
    pen.centred(words, x, y, bold, inks.warmInk);
  }
}
