/** A leaf as a well: one slot for each arriving edge, their sum, and the line where `.grad` is written. */

import { SLOT } from "./anatomy";
import { LOOK } from "./looks";
import type { Portrait } from "./paint_box";
import { paintBadge, paintBorder } from "./paint_tile";
import type { Pen } from "./pen";
import type { Line } from "./plot";

const SLOT_Y = 10;
const RULE_Y = 54;

/** Draws a well. `arriving` are its lines from left to right, `hidden` those whose pill still travels. */
export function paintWell(pen: Pen, portrait: Portrait, arriving: readonly Line[], hidden: ReadonlySet<Line>): void {
  const { inks, read, say } = pen;
  const { item, x, y, state } = portrait;
  const { box, body, w, h } = item;
  paintBorder(pen, state, x, y, w, h, false);
  const centre = x + w / 2;
  const count = arriving.reduce((sum, { strand }) => sum + strand.edges.length, 0);
  const inside = arriving.filter(
    (line) => !hidden.has(line) && (read.flow(line.strand)?.look ?? LOOK.notRun) !== LOOK.notRun,
  );
  const arrived = inside.reduce((sum, { strand }) => sum + (read.flow(strand)?.count ?? strand.edges.length), 0);
  const total = read.gathered(box.node);
  if (body.slots.length > 1) {
    body.slots.forEach((offset, place) => {
      const line = arriving[place];
      paintSlot(
        pen,
        line !== undefined && !hidden.has(line) ? read.flow(line.strand) : undefined,
        centre + offset,
        y + SLOT_Y,
      );
      const next = body.slots[place + 1];
      if (next !== undefined) {
        pen.centred("+", centre + (offset + next) / 2, y + SLOT_Y + SLOT.h / 2, pen.ui(17), inks.ink2);
      }
    });
  } else {
    paintSlot(pen, arrived === 0 ? undefined : { look: LOOK.value, text: total ?? "…" }, centre, y + SLOT_Y);
  }
  const beside = centre + (body.slots.at(-1) ?? 0) + SLOT.w / 2 + 10;
  const whole = arrived >= count && total !== undefined && body.slots.length > 1;
  if (whole) {
    pen.text(
      `= ${total}`,
      beside,
      y + 26,
      pen.mono(fit(pen, `= ${total}`, x + w - beside - 6, 17), "700 "),
      inks.warmInk,
    );
  } else if (!read.still) {
    pen.text(say("arrived", { in: arrived, of: count }), beside, y + 26, pen.ui(11), inks.ink2, x + w - beside - 6);
  }
  pen.strokes(inks.rule, 1.4, [x + 12, y + RULE_Y, x + w - 12, y + RULE_Y]);
  paintBadge(pen, state, read.badge(box.key), x + 20, y + 80);
  const quiet = state === "not_run" || state === "plain";
  const bold = pen.mono(14, "700 ");
  const taken = pen.text(box.title, x + 40, y + 71, bold, inks.ink, w / 2 - 60);
  const value = read.forward(box.node);
  if (value !== "") pen.text(` = ${value}`, x + 40 + taken, y + 71, pen.mono(12), inks.ink2, w / 2 + 10 - 40 - taken);
  pen.text("AccumulateGrad", x + 40, y + 89, pen.ui(11), inks.ink2, w / 2 - 40);
  paintGrad(pen, box.title, read.gradSentence(box.node), x + w / 2 + 10, y + 71, w / 2 - 20, quiet);
}

function paintGrad(
  pen: Pen,
  name: string,
  grad: { words: string; written: boolean },
  x: number,
  y: number,
  room: number,
  quiet: boolean,
): void {
  const { inks } = pen;
  pen.text(`${name}.grad`, x, y, pen.mono(12), inks.ink2, room);
  if (grad.written)
    pen.text(
      grad.words,
      x,
      y + 18,
      pen.mono(fit(pen, grad.words, room, 13), "700 "),
      quiet ? inks.ink2 : inks.warmInk,
      room,
    );
  else pen.text(grad.words, x, y + 18, pen.ui(12, "italic "), inks.ink2, room);
}

/** The size at which bold numbers fit into `room`, at most `size`. */
function fit(pen: Pen, words: string, room: number, size: number): number {
  const wide = pen.measure(words, pen.mono(size, "700 "));
  return wide <= room ? size : Math.max((size * room) / wide, 9);
}

function paintSlot(pen: Pen, flow: { look: number; text: string } | undefined, x: number, y: number): void {
  const { inks } = pen;
  const left = x - SLOT.w / 2;
  const { w, h } = SLOT;
  if (flow === undefined || flow.look === LOOK.notRun) {
    pen.stroke(left, y, w, h, 3, inks.edge, 1.2, [3, 2.5]);
  } else if (flow.look === LOOK.none) {
    pen.centred("None", x, y + h / 2, pen.mono(12, "italic "), inks.ink2);
  } else if (flow.look === LOOK.bad) {
    pen.hatch(left, y, w, h, 3);
    pen.fill(left + 6, y + 6, w - 12, h - 12, 2, inks.paper);
    pen.centred(flow.text, x, y + h / 2, pen.mono(fit(pen, flow.text, w - 14, 14), "700 "), inks.ink);
  } else {
    const zero = flow.look === LOOK.zero;
    pen.fill(left, y, w, h, zero ? 1 : 3, zero ? inks.paper : inks.warmField);
    pen.stroke(left, y, w, h, zero ? 1 : 3, inks.warmLine, 1.2);
    pen.centred(flow.text, x, y + h / 2, pen.mono(fit(pen, flow.text, w - 8, 17), "700 "), inks.warmInk);
  }
}
