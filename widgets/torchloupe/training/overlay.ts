/** What changes with the crosshair: its line, its tab on the axis, dots on curves and the strip's values. */

import type { Say } from "../core/words";
import { stepTicks } from "./axes";
import { valueAt } from "./drawn";
import { count, scientific } from "./figures";
import { type Inks, type Pen, runInk } from "./ink";
import { widthOf } from "./measure";
import { stripPlace } from "./painting";
import type { Choosing, Reading } from "./plot_model";
import type { PanelScene, Scene } from "./plot_scene";
import { shadeOf } from "./shades";

const TAB = 17;
const BESIDE = 5;
const LABEL = 14;
const PER_TICK = 62;
const DIM = 0.6;
const MARK = 6;
const PEAK = 4;
/** Room for the dot at the end of a curve. */
const END = 5;

/** Paints ticks, crosshair and values of one reading. */
export function paintOverlay(pen: Pen, inks: Inks, scene: Scene, reading: Reading, say: Say): void {
  const { layout, model } = scene;
  const x = scene.x(reading.step);
  const inside = reading.pointed && x >= layout.left - 0.5 && x <= layout.right + 0.5;
  if (model.choosing !== undefined) paintChoosing(pen, inks, scene, model.choosing, say);
  const tab = inside ? tabOf(pen, inks, reading.step, x, layout.edge, layout.width) : undefined;
  paintTicks(pen, inks, scene, say, tab);
  if (scene.rows.length > 0) paintValues(pen, inks, scene, reading, say);
  if (tab !== undefined) paintLine(pen, inks, scene, x);
  if (model.choosing !== undefined) paintHandle(pen, inks, scene, model.choosing);
  if (tab === undefined) return;
  for (const panel of scene.panels) paintDots(pen, inks, panel, reading);
  paintTab(pen, inks, tab, layout.axis + 4, count(reading.step));
}

function paintTab(pen: Pen, inks: Inks, { left, right }: Tab, top: number, text: string): void {
  pen.fillStyle = inks.ink;
  pen.beginPath();
  pen.roundRect(left, top, right - left, TAB, 3);
  pen.fill();
  pen.font = `bold 11px ${inks.ui}`;
  pen.fillStyle = inks.paper;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText(text, (left + right) / 2, top + TAB / 2 + 0.5);
}

interface Tab {
  readonly left: number;
  readonly right: number;
}

function tabOf(pen: Pen, inks: Inks, step: number, x: number, edge: number, width: number): Tab {
  pen.font = `bold 11px ${inks.ui}`;
  const half = widthOf(pen, count(step)) / 2 + BESIDE;
  const middle = Math.min(Math.max(x, edge + half), width - edge - half);
  return { left: middle - half, right: middle + half };
}

function paintTicks(pen: Pen, inks: Inks, scene: Scene, say: Say, tab: Tab | undefined): void {
  const { layout, x } = scene;
  const y = layout.axis + LABEL - 1;
  pen.font = `11px ${inks.ui}`;
  pen.textBaseline = "middle";
  pen.fillStyle = inks.ink2;
  pen.strokeStyle = inks.edge;
  pen.lineWidth = 1;
  const hidden = (left: number, right: number): boolean =>
    tab !== undefined && left < tab.right + 4 && right > tab.left - 4;
  pen.beginPath();
  let first = layout.left;
  for (const { at, text } of stepTicks(scene.left, scene.right, layout.right - layout.left, PER_TICK)) {
    const px = x(at);
    const half = widthOf(pen, text) / 2;
    pen.moveTo(Math.round(px) + 0.5, layout.axis);
    pen.lineTo(Math.round(px) + 0.5, layout.axis + 4);
    first = Math.min(first, px - half);
    if (hidden(px - half, px + half)) continue;
    pen.textAlign = "center";
    pen.fillText(text, px, y);
  }
  pen.stroke();
  pen.textAlign = "right";
  if (!hidden(0, first - 8)) pen.fillText(say("step"), first - 8, y);
}

function paintValues(pen: Pen, inks: Inks, scene: Scene, reading: Reading, say: Say): void {
  const { layout, rows, model } = scene;
  const right = layout.width - layout.edge;
  pen.textAlign = "right";
  pen.textBaseline = "middle";
  pen.font = `11px ${inks.ui}`;
  pen.fillStyle = inks.ink2;
  pen.fillText(say("at", { step: count(reading.step) }), right, layout.heading);
  rows.forEach((row, at) => {
    const value = reading.layers[at] ?? Number.NaN;
    const place = layout.rows[at];
    if (place === undefined || Number.isNaN(value)) return;
    const troubled = row.members.some((member) => model.strip?.layers[member]?.trouble !== undefined);
    const shade = shadeOf(model.strip?.measure ?? "norm", value);
    pen.font = `${troubled ? "bold " : ""}10px ${inks.mono}`;
    pen.fillStyle = shade === "bad" ? inks.bad : troubled ? troubleInk(inks, Number(shade)) : inks.ink2;
    pen.fillText(scientific(value), right, (place.top + place.bottom) / 2 + 0.5);
  });
}

/** The readable one of the shades that say the same: the second purple or the third amber. */
function troubleInk(inks: Inks, shade: number): string {
  if (inks.forced || (shade >= 4 && shade < 7)) return inks.ink;
  return inks.strip[shade < 4 ? 1 : 9] ?? inks.ink;
}

function paintLine(pen: Pen, inks: Inks, scene: Scene, x: number): void {
  const at = Math.round(x) + 0.5;
  const places = scene.rows.length > 0 ? [...scene.layout.panels, stripPlace(scene)] : scene.layout.panels;
  for (const [colour, width] of [
    [inks.paper, 3],
    [inks.ink, 1],
  ] as const) {
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    pen.globalAlpha = width > 1 ? 0.7 : 1;
    pen.beginPath();
    for (const { top, bottom } of places) {
      pen.moveTo(at, top);
      pen.lineTo(at, bottom);
    }
    pen.stroke();
  }
}

function paintDots(pen: Pen, inks: Inks, { drawn, scales }: PanelScene, reading: Reading): void {
  for (const one of drawn) {
    const { curve, track } = one;
    const ended = (track.step[track.size - 1] ?? -1) < reading.step || (curve.left ?? Infinity) < reading.step;
    const value = valueAt(one, reading.step);
    if (curve.mark !== "line" || ended || Number.isNaN(value)) continue;
    const y = scales.y(value);
    const x = scales.x(reading.step);
    const raw = reading.curves.find(({ id }) => id === curve.id);
    disc(pen, x, y, 4, runInk(inks, curve.colour), inks.paper);
    if (!curve.selected || raw?.smoothed === undefined) continue;
    const at = scales.y(raw.raw);
    if (at < scales.top || at > scales.bottom) continue;
    disc(pen, x, at, 2.8, inks.paper, runInk(inks, curve.colour));
  }
}

function disc(pen: Pen, x: number, y: number, radius: number, fill: string, line: string): void {
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fillStyle = fill;
  pen.fill();
  pen.strokeStyle = line;
  pen.lineWidth = 1.4;
  pen.stroke();
}

/** The handle at the step to go back to. */
function paintHandle(pen: Pen, inks: Inks, { layout, x }: Scene, { step }: Choosing): void {
  const at = x(step);
  if (at < layout.left - 1 || at > layout.right + 1) return;
  pen.fillStyle = inks.brand;
  pen.beginPath();
  pen.moveTo(at - PEAK - 1, layout.axis - 2 * PEAK);
  pen.lineTo(at + PEAK + 1, layout.axis - 2 * PEAK);
  pen.lineTo(at, layout.axis);
  pen.fill();
}

/** Checkpoints, and what would be left behind dimmed. */
function paintChoosing(pen: Pen, inks: Inks, scene: Scene, choosing: Choosing, say: Say): void {
  const { layout, x, panels } = scene;
  const from = Math.min(Math.max(x(choosing.step), layout.left), layout.right);
  pen.fillStyle = inks.paper;
  pen.globalAlpha = DIM;
  for (const { scales } of panels) {
    const to = Math.min(x(scene.model.latest) - END, scales.right);
    if (to > from) pen.fillRect(from, scales.top - 4, to - from, scales.bottom - scales.top + 8);
  }
  pen.globalAlpha = 1;
  pen.fillStyle = inks.brand;
  for (const step of choosing.checkpoints) {
    const at = Math.round(x(step));
    if (at >= layout.left && at <= layout.right) pen.fillRect(at - 1, layout.axis, 2, MARK);
  }
  pen.font = `10px ${inks.ui}`;
  pen.textAlign = "right";
  pen.textBaseline = "middle";
  pen.fillText(say("checkpoints"), layout.width - layout.edge, layout.axis + LABEL - 1);
}
