/** The strip of layers: one row each, colour only where there is trouble. */

import type { Say } from "../core/words";
import { hatch } from "./bands";
import type { Inks, Pen } from "./ink";
import { widthOf } from "./measure";
import type { Layout, Place } from "./plot_layout";
import type { Layer, Strip } from "./plot_model";
import type { Scene } from "./plot_scene";
import { cellOf, type Row, shortName } from "./rows";
import { isTrouble, type Shade, shadeOf } from "./shades";

const NAME = 10;
const WORDS = 10;
const SWATCH = 11;
const SHADES = 11;
const SWATCH_TALL = 8;
const PAD = 8;

/** Draws the rows with their names, and the heading with its legend. */
export function drawStrip(pen: Pen, inks: Inks, scene: Scene, strip: Strip, say: Say): void {
  const { layout, rows, x } = scene;
  drawHeading(pen, inks, layout, strip, say);
  rows.forEach((row, at) => {
    const place = layout.rows[at];
    if (place === undefined) return;
    drawCells(pen, inks, runsOf(strip, row, x, layout), place);
    drawName(pen, inks, layout, row, place, troubleOf(strip, row) !== undefined);
  });
}

/** Draws what is wrong into the rows it is about. */
export function drawTroubles(pen: Pen, inks: Inks, { layout, rows, x }: Scene, strip: Strip): void {
  rows.forEach((row, at) => {
    const place = layout.rows[at];
    const trouble = troubleOf(strip, row);
    if (place && trouble) drawWords(pen, inks, layout, trouble, runsOf(strip, row, x, layout), place, x);
  });
}

type Trouble = NonNullable<Layer["trouble"]>;

function troubleOf(strip: Strip, row: Row): Trouble | undefined {
  return row.members.map((member) => strip.layers[member]?.trouble).find((one) => one !== undefined);
}

/** A run of cells of one shade, from px to px. */
interface Run {
  readonly shade: Shade;
  readonly left: number;
  readonly right: number;
}

function drawCells(pen: Pen, inks: Inks, runs: readonly Run[], place: Place): void {
  const tall = place.bottom - place.top;
  for (const { shade, left, right } of runs) {
    if (shade === "none") continue;
    if (shade === "bad") {
      hatch(pen, inks.bad, left, place.top, right - left, tall, 1);
      pen.strokeStyle = inks.bad;
      pen.lineWidth = 1;
      pen.strokeRect(left + 0.5, place.top + 0.5, Math.max(right - left - 1, 0.5), tall - 1);
    } else if (inks.forced && !isTrouble(shade)) {
      pen.fillStyle = inks.edge;
      pen.fillRect(left, place.bottom - 1, right - left, 1);
    } else {
      pen.fillStyle = inks.strip[shade] ?? inks.rule;
      pen.fillRect(left, place.top, right - left, tall);
    }
  }
}

function runsOf(strip: Strip, row: Row, x: (step: number) => number, layout: Layout): Run[] {
  const wide = (strip.right - strip.left) / strip.count;
  const runs: Run[] = [];
  let shade: Shade = "none";
  let left = layout.left;
  for (let cell = 0; cell < strip.count; cell += 1) {
    const next = shadeOf(strip.measure, cellOf(strip, row, cell));
    const edge = Math.min(Math.max(Math.round(x(strip.left + cell * wide)), layout.left), layout.right);
    if (next === shade) continue;
    if (edge > left) runs.push({ shade, left, right: edge });
    shade = next;
    left = edge;
  }
  const end = Math.min(Math.round(x(strip.right)), layout.right);
  if (end > left) runs.push({ shade, left, right: end });
  return runs;
}

function drawName(pen: Pen, inks: Inks, layout: Layout, row: Row, place: Place, bold: boolean): void {
  pen.font = `${bold ? "bold " : ""}${NAME}px ${inks.mono}`;
  pen.textAlign = "right";
  pen.textBaseline = "middle";
  pen.fillStyle = bold ? inks.ink : inks.ink2;
  const room = layout.left - (row.fold === undefined ? layout.edge : 4) - PAD;
  const mark = row.fold === undefined ? "" : row.fold === "open" ? "▾ " : "▸ ";
  const name = mark + shortName(row.name, (text) => widthOf(pen, mark + text) <= room);
  pen.fillText(name, layout.left - PAD, (place.top + place.bottom) / 2 + 0.5);
}

/** The words of a troubled row stand in its colour, where the trouble is; beside it when it is short. */
function drawWords(
  pen: Pen,
  inks: Inks,
  layout: Layout,
  trouble: Trouble,
  runs: readonly Run[],
  place: Place,
  x: (step: number) => number,
): void {
  pen.font = `bold ${WORDS}px ${inks.ui}`;
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  const y = (place.top + place.bottom) / 2 + 0.5;
  const wide = widthOf(pen, trouble.words) + 2 * PAD;
  const since = x(trouble.since);
  const loud = runs.filter(({ shade, right }) => isTrouble(shade) && right > since);
  const room = loud.find(({ left, right }) => right - Math.max(left, since) >= wide);
  if (room !== undefined && typeof room.shade === "number") {
    const from = Math.max(room.left, since);
    pen.fillStyle = inks.onStrip[room.shade] ?? inks.ink;
    pen.fillText(trouble.words, from + PAD + Math.min(20, (room.right - from - wide) / 2), y);
    return;
  }
  const end = loud.at(-1)?.right ?? since;
  const beside = end + wide < layout.right;
  pen.lineJoin = "round";
  pen.lineWidth = 3;
  pen.strokeStyle = inks.paper;
  pen.fillStyle = inks.ink;
  const at = beside ? end + 4 : Math.max(Math.min(since, layout.right) - wide, layout.left + 4);
  pen.strokeText(trouble.words, at, y);
  pen.fillText(trouble.words, at, y);
}

function drawHeading(pen: Pen, inks: Inks, layout: Layout, strip: Strip, say: Say): void {
  const y = layout.heading;
  const norm = strip.measure === "norm";
  pen.textBaseline = "middle";
  pen.textAlign = "left";
  pen.font = `bold 11px ${inks.ui}`;
  pen.fillStyle = inks.ink;
  const heading = say(norm ? "norm_heading" : "ratio_heading");
  pen.fillText(heading, layout.left, y);
  const headed = layout.left + widthOf(pen, heading);
  pen.font = `11px ${inks.ui}`;
  pen.fillStyle = inks.ink2;
  pen.textAlign = "right";
  const large = say(norm ? "explode" : "too_large");
  pen.fillText(large, layout.right, y);
  const swatch = layout.narrow ? 8 : SWATCH;
  let at = layout.right - widthOf(pen, large) - 5 - swatch * SHADES;
  for (let shade = 0; shade < SHADES; shade += 1) {
    pen.fillStyle = inks.strip[shade] ?? inks.rule;
    pen.fillRect(at + shade * swatch, y - SWATCH_TALL / 2, swatch, SWATCH_TALL);
  }
  pen.fillStyle = inks.ink2;
  at -= 5;
  const small = say(norm ? "vanish" : "too_small");
  const wide = widthOf(pen, small);
  if (at - wide > headed + PAD) pen.fillText(small, at, y);
  at -= wide + 10;
  pen.font = `10px ${inks.mono}`;
  const least = norm ? "1e-7" : "1e-8";
  if (!layout.narrow && at - widthOf(pen, least) > headed + PAD) pen.fillText(least, at, y);
}
