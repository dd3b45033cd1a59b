/** What the painters share: the canvas, the inks, and marks of one stroke. */

import type { Say } from "../core/words";
import { cut, type Inks, type Measure } from "./ink";
import type { Reading } from "./reading";

/** From the middle of a line of text to its baseline, as a share of its size: half the height of a capital. */
const CAP = 0.355;
const sizes = new Map<string, number>();

function sizeOf(font: string): number {
  let size = sizes.get(font);
  if (size === undefined) {
    size = Number.parseFloat(/[\d.]+(?=px)/.exec(font)?.[0] ?? "12");
    sizes.set(font, size);
  }
  return size;
}

/** The weight of a letter, as canvas fonts want it. */
type Weight = "" | "700 " | "italic ";

export class Pen {
  constructor(
    readonly ctx: CanvasRenderingContext2D,
    readonly inks: Inks,
    readonly measure: Measure,
    readonly read: Reading,
    readonly say: Say,
    /** Screen px per layout px. */
    readonly k: number,
    /** The ends of what is seen, in layout px. */
    readonly left: number,
    readonly right: number,
  ) {}

  ui(size: number, weight: Weight = ""): string {
    return `${weight}${size}px ${this.inks.ui}`;
  }

  mono(size: number, weight: Weight = ""): string {
    return `${weight}${size}px ${this.inks.mono}`;
  }

  /** Writes `words` with its left end at `x` and its middle at `y`, cut to `width`; returns the width it took. */
  text(words: string, x: number, y: number, font: string, colour: string, width = Infinity): number {
    const { ctx } = this;
    const shown = width === Infinity ? words : cut(words, font, width, this.measure);
    ctx.font = font;
    ctx.fillStyle = colour;
    ctx.fillText(shown, x, y + CAP * sizeOf(font));
    return this.measure(shown, font);
  }

  /** Writes `words` around `x`. */
  centred(words: string, x: number, y: number, font: string, colour: string): void {
    this.text(words, x - this.measure(words, font) / 2, y, font, colour);
  }

  fill(x: number, y: number, w: number, h: number, radius: number, colour: string): void {
    const { ctx } = this;
    ctx.fillStyle = colour;
    ctx.beginPath();
    ctx.roundRect(x, y, w, h, radius);
    ctx.fill();
  }

  stroke(
    x: number,
    y: number,
    w: number,
    h: number,
    radius: number,
    colour: string,
    line: number,
    dash?: number[],
  ): void {
    const { ctx } = this;
    ctx.strokeStyle = colour;
    ctx.lineWidth = line;
    ctx.beginPath();
    ctx.roundRect(x, y, w, h, radius);
    if (dash !== undefined) ctx.setLineDash(dash);
    ctx.stroke();
    if (dash !== undefined) ctx.setLineDash([]);
  }

  disc(x: number, y: number, radius: number, colour: string): void {
    const { ctx } = this;
    ctx.fillStyle = colour;
    ctx.beginPath();
    ctx.arc(x, y, radius, 0, 2 * Math.PI);
    ctx.fill();
  }

  ring(x: number, y: number, radius: number, colour: string, line: number, dash: number[] = []): void {
    const { ctx } = this;
    ctx.strokeStyle = colour;
    ctx.lineWidth = line;
    ctx.beginPath();
    ctx.arc(x, y, radius, 0, 2 * Math.PI);
    ctx.setLineDash(dash);
    ctx.stroke();
    ctx.setLineDash([]);
  }

  /** Straight strokes, four numbers each. */
  strokes(colour: string, line: number, ...ends: readonly (readonly [number, number, number, number])[]): void {
    const { ctx } = this;
    ctx.strokeStyle = colour;
    ctx.lineWidth = line;
    ctx.beginPath();
    for (const [x0, y0, x1, y1] of ends) {
      ctx.moveTo(x0, y0);
      ctx.lineTo(x1, y1);
    }
    ctx.stroke();
  }

  /** A triangle that points down to (x, y), or up from it. */
  triangle(x: number, y: number, w: number, h: number, colour: string, hollow = false): void {
    const { ctx } = this;
    ctx.beginPath();
    ctx.moveTo(x, y);
    ctx.lineTo(x - w / 2, y - h);
    ctx.lineTo(x + w / 2, y - h);
    ctx.closePath();
    ctx.fillStyle = hollow ? this.inks.paper : colour;
    ctx.fill();
    if (!hollow) return;
    ctx.strokeStyle = colour;
    ctx.lineWidth = 1.2;
    ctx.stroke();
  }

  /** Slanted ink strokes inside a rounded rectangle: something here is not a number. */
  hatch(x: number, y: number, w: number, h: number, radius: number): void {
    const { ctx, inks } = this;
    this.fill(x, y, w, h, radius, inks.paper);
    ctx.save();
    ctx.beginPath();
    ctx.roundRect(x, y, w, h, radius);
    ctx.clip();
    ctx.beginPath();
    for (let at = -h; at < w; at += 6) {
      ctx.moveTo(x + at, y + h);
      ctx.lineTo(x + at + h, y);
    }
    ctx.strokeStyle = inks.ink;
    ctx.lineWidth = 2.4;
    ctx.stroke();
    ctx.restore();
    this.stroke(x, y, w, h, radius, inks.ink, 1.2);
  }

  /** The button that opens or closes, around (x, y). */
  toggle(x: number, y: number, open: boolean): void {
    const colour = this.inks.ink2;
    this.fill(x - 7, y - 7, 14, 14, 3, this.inks.paper);
    this.stroke(x - 7, y - 7, 14, 14, 3, colour, 1.1);
    this.strokes(colour, 1.2, [x - 3.5, y, x + 3.5, y]);
    if (!open) this.strokes(colour, 1.2, [x, y - 3.5, x, y + 3.5]);
  }
}
