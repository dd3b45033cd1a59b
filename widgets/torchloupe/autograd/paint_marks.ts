/** Marks on and beside boxes: where the engine stands, what is selected, hits, ways up and down, faults. */

import type { Portrait } from "./paint_box";
import type { Pen } from "./pen";
import type { Broken, Reading, Wiring } from "./reading";
import { MARGIN, type Rect, type Scene } from "./scene";

/** The names of the roots over their lines. */
export function paintRoots(pen: Pen, { root }: Scene, read: Reading): void {
  const { inks } = pen;
  const size = Math.min(Math.max(14, 11 / pen.k), 24);
  const font = pen.mono(size, "700 ");
  const light = pen.mono(size);
  let free = Number.NEGATIVE_INFINITY;
  for (const { place, name, value } of read.roots(root)) {
    const x = MARGIN.side + (root.lines[place]?.path[0] ?? 0);
    const rest = value === "" ? "" : ` = ${value}`;
    const wide = pen.measure(name, font) + pen.measure(rest, light);
    const left = Math.max(x - wide / 2, free);
    const y = MARGIN.top - 14;
    const taken = pen.text(name, left, y, font, inks.ink);
    pen.text(rest, left + taken, y, light, inks.ink2);
    free = left + wide + 16;
  }
}

/** A thin ring outside a box: selected, or pointed at. */
export function paintRing(pen: Pen, { x, y, w, h }: Rect, selected: boolean): void {
  const { inks } = pen;
  const away = 4;
  const line = (selected ? 1.8 : 1) / Math.min(pen.k, 1);
  if (!selected) pen.ctx.globalAlpha = 0.6;
  pen.stroke(x - away, y - away, w + 2 * away, h + 2 * away, 8, inks.here, line);
  pen.ctx.globalAlpha = 1;
}

/** The word beside the box that runs next, or before which the engine waits. */
export function paintNext(pen: Pen, { x, y, item, state }: Portrait, near: boolean): void {
  const words = pen.say(state === "engine" ? "engine" : "next");
  const font = pen.ui(12, "700 ");
  if (near) pen.text(words, x, y - 15, font, pen.inks.here);
  else pen.text(words, x - pen.measure(words, font) - 12, y + item.h / 2, font, pen.inks.here);
}

/** How much of a closed group has run, along its lower side. */
export function paintProgress(pen: Pen, { x, y, item }: Portrait, share: number): void {
  if (share <= 0 || share >= 1) return;
  const { w, h } = item;
  pen.fill(x + 3, y + h - 3.5, w - 6, 2, 1, pen.inks.rule);
  pen.fill(x + 3, y + h - 3.5, (w - 6) * share, 2, 1, pen.inks.done);
}

/** How many hits of the search stand in a box, at its left; returns the room it took. */
export function paintHits(pen: Pen, x: number, y: number, count: number): number {
  const { inks, ctx } = pen;
  const words = String(count);
  const font = pen.ui(11, "700 ");
  const w = Math.max(36, pen.measure(words, font) + 27);
  const left = x - 10 - w;
  pen.fill(left, y - 10, w, 20, 10, inks.here);
  ctx.strokeStyle = inks.onHere;
  ctx.lineWidth = 1.4;
  ctx.beginPath();
  ctx.arc(left + 10.5, y - 1, 3.6, 0, 2 * Math.PI);
  ctx.moveTo(left + 13.2, y + 1.7);
  ctx.lineTo(left + 16, y + 4.5);
  ctx.stroke();
  pen.text(words, left + w - 8 - pen.measure(words, font), y, font, inks.onHere);
  return w + 8;
}

/** ▲ before what is selected, ▼ after it. */
export function paintWay(pen: Pen, x: number, y: number, up: boolean): void {
  if (up) pen.triangle(x, y - 4, 9, -8, pen.inks.here);
  else pen.triangle(x, y + 4, 9, 8, pen.inks.here);
}

/** Where the first NaN was born: a red border and a callout at the right, short where there is little room. */
export function paintBirth(pen: Pen, { item, x, y }: Portrait, { x: from, w: seen }: Rect): void {
  const { inks, say } = pen;
  const { w, h, body } = item;
  pen.stroke(x - 4, y - 4, w + 8, h + 8, 8, inks.bad, 2);
  const heading = say("nan_born");
  const detail = say("nan_born_detail");
  const bold = pen.ui(13, "700 ");
  const small = pen.ui(12);
  const wide = 42 + Math.max(pen.measure(heading, bold), pen.measure(detail, small));
  const end = from + seen - 4;
  const clear = x + w + body.right + 18;
  const left = clear + wide <= end ? clear : x + w + 18;
  if (left + wide > end) {
    paintShortBirth(pen, x + w, y + h / 2, end);
    return;
  }
  const top = y + h / 2 - 21;
  pen.strokes(inks.bad, 2, [x + w + 5, y + h / 2, left, y + h / 2]);
  plate(pen, left, top, wide, 42);
  cross(pen, left + 17, top + 17, 6);
  pen.text(heading, left + 32, top + 13, bold, inks.bad);
  pen.text(detail, left + 32, top + 30, small, inks.ink);
}

function paintShortBirth(pen: Pen, right: number, middle: number, end: number): void {
  const words = pen.say("nan_born_short");
  const font = pen.ui(12, "700 ");
  const wide = pen.measure(words, font) + 34;
  const left = Math.max(Math.min(right + 12, end - wide), right - wide);
  if (left > right) pen.strokes(pen.inks.bad, 2, [right + 5, middle, left, middle]);
  plate(pen, left, middle - 12, wide, 24);
  cross(pen, left + 14, middle, 4.5);
  pen.text(words, left + 25, middle, font, pen.inks.bad);
}

function plate(pen: Pen, x: number, y: number, w: number, h: number): void {
  pen.fill(x, y, w, h, 4, pen.inks.paper);
  pen.fill(x, y, w, h, 4, pen.inks.badField);
  pen.stroke(x, y, w, h, 4, pen.inks.bad, 1.2);
}

function cross(pen: Pen, x: number, y: number, half: number): void {
  pen.strokes(pen.inks.bad, 2.4, [x - half, y - half, x + half, y + half], [x - half, y + half, x + half, y - half]);
}

/** A node that cannot run: the words, and which saved tensor is not what it was. */
export function paintFailure(pen: Pen, { item, x, y }: Portrait, why: Broken | undefined): void {
  const { inks, say } = pen;
  const { w, h } = item;
  const bold = pen.ui(11.5, "700 ");
  const words = say("state_failed");
  const wide = pen.measure(words, bold);
  if (h < 40) {
    pen.text(words, x - wide - 12, y + h / 2, bold, inks.bad);
    return;
  }
  pen.fill(x + w - wide - 14, y + 5, wide + 10, 20, 3, inks.paper);
  pen.text(words, x + w - wide - 9, y + 16, bold, inks.bad);
  if (why === undefined) return;
  pen.fill(x + 40, y + 26, w - 47, 18, 2, inks.paper);
  pen.fill(x + 40, y + 26, w - 47, 18, 2, inks.badField);
  const middle = y + 35;
  let at = x + 45 + pen.text(why.slot, x + 45, middle, pen.mono(12), inks.ink, 64) + 10;
  const part = (text: string, font: string, colour: string, gap: number): void => {
    at += pen.text(text, at, middle, font, colour, Math.max(x + w - 10 - at, 0)) + gap;
  };
  part(say("expected"), pen.ui(11.5), inks.ink2, 4);
  part(String(why.expected), pen.mono(12, "700 "), inks.ink, 10);
  part(say("found"), bold, inks.bad, 4);
  part(String(why.found), pen.mono(12, "700 "), inks.bad, 0);
}

/** What is fastened to a node: a person's hook, a checkpoint, a compiled segment. */
export function paintWiring(pen: Pen, { item, x, y }: Portrait, wiring: Wiring): void {
  const { inks, ctx } = pen;
  const { w, h } = item;
  if (wiring.checkpoint) pen.strokes(inks.done, 1.2, [x + 3.5, y + 4, x + 3.5, y + h - 4]);
  if (wiring.compiled) {
    pen.strokes(inks.done, 1.4, [x - 5, y, x - 5, y + h], [x - 5, y, x - 1, y], [x - 5, y + h, x - 1, y + h]);
  }
  if (!wiring.hooks) return;
  const [left, bottom] = [x + w - 12, y + h - 5];
  ctx.strokeStyle = inks.ink2;
  ctx.lineWidth = 1.5;
  ctx.beginPath();
  ctx.moveTo(left + 5, bottom - 9);
  ctx.lineTo(left + 5, bottom - 3);
  ctx.arc(left + 2, bottom - 3, 3, 0, Math.PI * 0.95);
  ctx.stroke();
}
