/** Tiles of heat, badges and borders: a gradient as a colour and a number, a state as a shape. */

import { cut } from "./ink";
import type { Pen } from "./pen";
import type { Stand } from "./reading";
import type { Shade } from "./scale";
import type { Key } from "./tree";

const DOTS = [1.5, 3];

/** Where a tile stands and how large its number is; a number of size 0 is left out. */
interface Tile {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  readonly size: number;
}

/** The tile of a box: its number on the colour of its step. */
export function paintTile(pen: Pen, key: Key, x: number, y: number, w: number, h: number, size: number): void {
  const { read, inks } = pen;
  const shade = read.shade(key);
  const words = read.tile(key);
  const tile = { x, y, w, h, size };
  if (shade === "nan") {
    paintBad(pen, tile, words);
  } else if (shade === "zero") {
    pen.stroke(x, y, w, h, 2, inks.warmLine, 1.2);
    label(pen, "0", tile, inks.warmInk);
  } else if (shade === "none" || shade === undefined) {
    pen.stroke(x, y, w, h, 3, inks.edge, 1, [3, 2.5]);
    label(pen, words, tile, inks.ink2);
  } else if (shade === "below") {
    pen.stroke(x, y, w, h, 3, inks.warmLine, 1);
    label(pen, `▽ ${words}`, tile, inks.warmInk);
  } else {
    paintStep(pen, tile, shade === "above" ? inks.warm.length - 1 : shade, shade === "above" ? `▲ ${words}` : words);
  }
}

function paintBad(pen: Pen, tile: Tile, words: string): void {
  const { x, y, w, h, size } = tile;
  pen.hatch(x, y, w, h, 3);
  if (size === 0) return;
  const wide = Math.min(pen.measure(words, pen.mono(size, "700 ")) + 8, w - 4);
  pen.fill(x + (w - wide) / 2, y + 2, wide, h - 4, 2, pen.inks.paper);
  label(pen, words, tile, pen.inks.ink);
}

function paintStep(pen: Pen, tile: Tile, step: number, words: string): void {
  const { inks } = pen;
  const { x, y, w, h } = tile;
  pen.fill(x, y, w, h, 3, inks.warm[step] ?? inks.paper);
  pen.stroke(x + 0.5, y + 0.5, w - 1, h - 1, 2.5, inks.warmLine, inks.forced ? 1 : 0.5);
  label(pen, words, tile, inks.onWarm[step] ?? inks.ink);
}

function label(pen: Pen, words: string, { x, y, w, h, size }: Tile, colour: string): void {
  if (size === 0 || words === "") return;
  const font = pen.mono(size, "700 ");
  pen.centred(cut(words, font, w - 2, pen.measure), x + w / 2, y + h / 2, font, colour);
}

/** The colour of a box that is too small for a tile; undefined when it claims nothing. */
export function heat(pen: Pen, shade: Shade | undefined): string | undefined {
  const { inks } = pen;
  if (shade === "nan") return inks.ink;
  if (shade === "above") return inks.warm.at(-1);
  if (shade === "below") return inks.warm[0];
  return typeof shade === "number" ? inks.warm[shade] : undefined;
}

/** The badge with the number of a step, around (x, y). */
export function paintBadge(pen: Pen, state: Stand, words: string, x: number, y: number): void {
  const { inks } = pen;
  const size = words.length > 3 ? 8 : words.length > 2 ? 9.5 : 12;
  if (state === "failed") {
    pen.fill(x - 11, y - 11, 22, 22, 3, inks.bad);
    pen.strokes(inks.paper, 2.2, [x - 5, y - 5, x + 5, y + 5], [x - 5, y + 5, x + 5, y - 5]);
  } else if (state === "not_run" || state === "plain") {
    pen.ring(x, y, 11, inks.edge, 1.2, state === "plain" ? [] : DOTS);
    pen.centred(words, x, y, pen.ui(size), inks.ink2);
  } else if (state === "looked") {
    pen.ring(x, y, 11, inks.here, 1.6);
    pen.centred(words, x, y, pen.ui(size, "700 "), inks.here);
  } else {
    const blue = state === "next" || state === "engine";
    pen.disc(x, y, 11, blue ? inks.here : inks.done);
    pen.centred(words, x, y, pen.ui(size, "700 "), blue ? inks.onHere : inks.onDone);
  }
}

/** The border of a box by its state, over its ground. */
export function paintBorder(pen: Pen, state: Stand, x: number, y: number, w: number, h: number, thin: boolean): void {
  const { inks } = pen;
  if (state === "next") pen.fill(x - 6, y - 6, w + 12, h + 12, 9, inks.hereField);
  pen.fill(x, y, w, h, 5, state === "not_run" || state === "engine" ? inks.ground : inks.paper);
  if (state === "next") pen.stroke(x, y, w, h, 5, inks.here, 2.5);
  else if (state === "failed") pen.stroke(x, y, w, h, 5, inks.bad, 2.5);
  else if (state === "looked") pen.stroke(x, y, w, h, 5, inks.here, 1.6);
  else if (state === "not_run" || state === "engine") pen.stroke(x, y, w, h, 5, inks.edge, 1.2, [4, 3]);
  else pen.stroke(x, y, w, h, 5, thin || state === "plain" ? inks.edge : inks.done, thin ? 1.1 : 1.3);
}
