/** Strands: six lines that differ in stroke and head before they differ in colour. */

import { LOOK } from "./looks";
import type { Pen } from "./pen";
import { lengthOf, type Path, pointAt, trace } from "./route";

/** How a strand is drawn. `undefined` as `look` and `coming`: a claim about nothing, only that it is there. */
export interface StrandLook {
  /** As in `LOOK`; "coming" with the next step, "plain" when nothing runs, "lit" on the way of what is selected. */
  readonly as: number | "coming" | "plain" | "lit";
  /** Whether the strand ends at a box. */
  readonly head: boolean;
  /** Thick and warm, where pills say the number. */
  readonly near: boolean;
}

const DOTTED = [1.8, 3.6];
const SLEEPERS = [2.2, 3];
const CUT_FROM = 0.3;
const CUT_TO = 0.62;

/** One stroke of a line, and the head it ends in. */
interface Stroke {
  readonly colour: string;
  readonly width: number;
  readonly dash?: number[];
  readonly tip?: "filled" | "hollow";
}

/** Draws a strand whose plot has its corner at the canvas's origin. */
export function paintStrand(pen: Pen, path: Path, look: StrandLook): void {
  if (look.as === LOOK.none) {
    paintCut(pen, path, look.near);
    return;
  }
  const { colour, width, dash, tip } = strokeOf(pen, look);
  const tall = look.near ? 8 : 6;
  const headed = look.head && tip !== undefined;
  stroke(pen, path, colour, width, headed ? tall - 1 : 0, dash);
  if (look.as === LOOK.bad) stroke(pen, path, pen.inks.paper, 2, tall - 1, SLEEPERS);
  if (!headed) return;
  const hollow = tip === "hollow";
  const y = (path.at(-1) ?? 0) - (hollow ? 0.6 : 0);
  pen.triangle(path.at(-2) ?? 0, y, look.near ? 10 : 8, tall, colour, hollow);
}

function strokeOf({ inks }: Pen, { as, near }: StrandLook): Stroke {
  switch (as) {
    case LOOK.notRun:
      return { colour: inks.edge, width: near ? 1.6 : 1.4, dash: DOTTED };
    case LOOK.zero:
      return { colour: inks.warmLine, width: 1.2, tip: "hollow" };
    case LOOK.bad:
      return { colour: inks.ink, width: 6, tip: "filled" };
    case "coming":
      return { colour: inks.here, width: 1.8, dash: DOTTED, tip: "hollow" };
    case "lit":
      return { colour: inks.here, width: 2.6, tip: "filled" };
    case "plain":
      return { colour: inks.edge, width: 1.5, tip: "filled" };
    default:
      return near ? { colour: inks.warmLine, width: 3, tip: "filled" } : { colour: inks.edge, width: 2, tip: "filled" };
  }
}

function stroke(pen: Pen, path: Path, colour: string, width: number, short: number, dash?: number[]): void {
  const { ctx } = pen;
  ctx.beginPath();
  trace(ctx, path, short);
  ctx.strokeStyle = colour;
  ctx.lineWidth = width;
  if (dash !== undefined) ctx.setLineDash(dash);
  ctx.stroke();
  if (dash !== undefined) ctx.setLineDash([]);
}

/** A line cut by two bars: nothing will ever arrive. */
function paintCut(pen: Pen, path: Path, near: boolean): void {
  const { inks, ctx } = pen;
  const first = pointAt(path, CUT_FROM);
  const second = pointAt(path, CUT_TO);
  const half = near ? 7 : 5;
  ctx.save();
  ctx.beginPath();
  const top = path[1] ?? 0;
  const bottom = path[path.length - 1] ?? 0;
  ctx.rect(-1e7, top, 2e7, first.y - top);
  ctx.rect(-1e7, second.y, 2e7, bottom - second.y);
  ctx.clip();
  stroke(pen, path, inks.edge, 1.2, 0);
  ctx.restore();
  const bar = (x: number, y: number): [number, number, number, number] => [x - half, y, x + half, y];
  pen.strokes(inks.ink2, 1.4, bar(first.x, first.y), bar(second.x, second.y));
}

/** The stub over an input of a node that no operation used. */
export function paintUnused(pen: Pen, x: number, y: number, words: string): void {
  const { inks } = pen;
  pen.strokes(inks.ink2, 1.4, [x - 7, y - 6, x + 7, y - 6], [x - 7, y - 28, x + 7, y - 28]);
  pen.strokes(inks.edge, 1.2, [x, y, x, y - 6], [x, y - 28, x, y - 36]);
  pen.centred("None", x, y - 17, pen.mono(12, "italic "), inks.ink2);
  const w = pen.measure(words, pen.ui(11)) + 16;
  pen.fill(x - w / 2, y - 56, w, 20, 3, inks.ground);
  pen.stroke(x - w / 2, y - 56, w, 20, 3, inks.edge, 1);
  pen.centred(words, x, y - 46, pen.ui(11), inks.ink2);
}

/** The part of a strand that a travelling gradient has behind it. */
export function paintGrown(pen: Pen, path: Path, as: StrandLook["as"], share: number): void {
  const bad = as === LOOK.bad;
  const colour = bad ? pen.inks.ink : pen.inks.warmLine;
  const width = bad ? 6 : as === LOOK.zero ? 1.2 : 3;
  stroke(pen, path, colour, width, 0, [lengthOf(path) * share, 1e6]);
}
