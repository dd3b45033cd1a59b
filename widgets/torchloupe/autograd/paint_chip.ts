/** Chips: the parameters whose gradients leave a box, at its right. */

import { CHIP_H, type ChipPlace } from "./anatomy";
import { heat } from "./paint_tile";
import type { Pen } from "./pen";
import type { Item } from "./plot";
import type { Shade } from "./scale";

const DIM = 0.4;
/** Below this many screen px per layout px a chip is only its dot. */
const LEAST = 0.75;

/** Draws the chips of a box whose corner is (x, y). `lit` is the leaf that is pointed at; `end` is where others begin. */
export function paintChips(
  pen: Pen,
  { box, body, w, h }: Item,
  x: number,
  y: number,
  lit: number,
  alpha: number,
  end: number,
): void {
  const { inks, ctx, read } = pen;
  const right = x + w;
  const middle = y + h / 2;
  const first = body.chips[0];
  if (first === undefined) return;
  const stack = first.x > 16 ? 8 : 0;
  pen.strokes(inks.edge, 1, [right + stack + 1, middle, right + first.x, middle]);
  for (const chip of body.chips) {
    const aside = chip.leaf < 0 ? read.ways.of(box.key) !== "down" : read.ways.of(`n${chip.leaf}`) === undefined;
    ctx.globalAlpha = alpha * (read.ways.shown && aside && !chip.shared ? DIM : 1);
    const shade = chip.leaf < 0 ? read.parameters(box.key) : read.shade(`n${chip.leaf}`);
    paintChip(pen, chip, shade, right + chip.x, middle - CHIP_H / 2, chip.leaf >= 0 && chip.leaf === lit);
    if (chip.shared && pen.k >= LEAST) explain(pen, right + chip.x + chip.w + 8, middle, end);
  }
  ctx.globalAlpha = alpha;
}

function paintChip(pen: Pen, chip: ChipPlace, shade: Shade | undefined, x: number, y: number, lit: boolean): void {
  const { inks } = pen;
  const round = CHIP_H / 2;
  const blue = lit || chip.shared;
  if (pen.k < LEAST) {
    dot(pen, shade, 6, x + 12, y + round);
    return;
  }
  pen.fill(x, y, chip.w, CHIP_H, round, lit ? inks.hereField : inks.paper);
  pen.stroke(x, y, chip.w, CHIP_H, round, blue ? inks.here : inks.edge, blue ? 1.6 : 1.1);
  if (chip.shared) pen.stroke(x + 3, y + 3, chip.w - 6, CHIP_H - 6, round - 3, inks.here, 1);
  dot(pen, shade, chip.shared ? 4.5 : 5, x + 12, y + round);
  const taken = pen.text(chip.name, x + 22, y + round, pen.ui(11.5), inks.ink);
  if (chip.detail !== "") pen.text(chip.detail, x + 28 + taken, y + round, pen.ui(10.5), inks.ink2);
}

/** What a double outline means, where there is room for it up to `end`. */
function explain(pen: Pen, x: number, y: number, end: number): void {
  const words = pen.say("shared");
  const font = pen.ui(11, "700 ");
  if (x + pen.measure(words, font) < Math.min(pen.right, end)) pen.text(words, x, y, font, pen.inks.here);
}

/** The gradient of the parameter as a dot: its colour, a stroke through it when it is NaN, hollow without one. */
function dot(pen: Pen, shade: Shade | undefined, size: number, x: number, y: number): void {
  const { inks } = pen;
  const colour = heat(pen, shade);
  if (shade === "nan") {
    pen.ring(x, y, size, inks.ink, 1.2);
    pen.strokes(inks.ink, 2, [x - 2.5, y + 2.5, x + 2.5, y - 2.5]);
  } else if (colour === undefined) {
    pen.ring(x, y, size - 0.5, inks.edge, 1);
  } else {
    pen.disc(x, y, size, colour);
    pen.ring(x, y, size, inks.warmLine, 0.7);
  }
}
