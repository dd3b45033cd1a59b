/** Paints a moment of the plot: axes, curves, gaps, ways back, flags, ends and the strip. */

import type { Say } from "../core/words";
import { drawGaps } from "./bands";
import { drawRewinds, drawRing } from "./branches";
import { drawCurve, drawFloor } from "./curve";
import { type Drawn, valueAt } from "./drawn";
import { APART, drawEnds, type End } from "./ends";
import { count } from "./figures";
import { drawFlags, type Placed } from "./flags";
import { type Inks, type Pen, runInk } from "./ink";
import type { PanelScene, Scene } from "./plot_scene";
import type { Scales } from "./scales";
import { drawStrip, drawTroubles } from "./strip";

const GONE = 0.45;
const DOT = 3.6;
const TICK = 11;
const OVER = 3;

/** Paints everything that stays when only the crosshair moves. */
export function paint(pen: Pen, inks: Inks, scene: Scene, flags: readonly Placed[], say: Say): void {
  const { model, layout, panels } = scene;
  const strip = scene.rows.length > 0 ? model.strip : undefined;
  for (const panel of panels) paintPanel(pen, inks, scene, panel, say);
  if (strip !== undefined) drawStrip(pen, inks, scene, strip, say);
  paintAxisLine(pen, inks, scene);
  drawFlags(pen, inks, flags, [...layout.panels, ...(strip === undefined ? [] : [stripPlace(scene)])]);
  if (strip !== undefined) drawTroubles(pen, inks, scene, strip);
  pen.globalAlpha = model.gone ? GONE : 1;
  const [first] = panels;
  if (first !== undefined) drawRewinds(pen, inks, first.scales, first.drawn, model.rewinds);
  for (const { drawn, scales } of panels) {
    for (const one of drawn) drawRing(pen, inks, scales, one);
  }
  pen.globalAlpha = 1;
  for (const { panel, scales } of panels) {
    paintName(pen, inks, scales, panel.quantity);
  }
  if (model.error !== undefined) paintError(pen, inks, scene, model.error);
  for (const panel of panels) paintEnds(pen, inks, scene, panel);
}

/** From the first to the last row of the strip. */
export function stripPlace({ layout }: Scene): { top: number; bottom: number } {
  return { top: layout.rows[0]?.top ?? layout.axis, bottom: layout.axis };
}

function paintPanel(pen: Pen, inks: Inks, scene: Scene, { drawn, scales }: PanelScene, say: Say): void {
  const empty = drawn.every(({ track }) => track.size === 0);
  paintGrid(pen, inks, scales);
  pen.save();
  pen.beginPath();
  pen.rect(
    scales.left - OVER,
    scales.top - OVER,
    scales.right - scales.left + 2 * OVER,
    scales.bottom - scales.top + 2 * OVER,
  );
  pen.clip();
  if (scene.model.gone) pen.globalAlpha = GONE;
  for (const one of ordered(drawn)) drawCurve(pen, inks, scales, one);
  const below = drawFloor(pen, inks, scales, drawn);
  pen.restore();
  pen.globalAlpha = scene.model.gone ? GONE : 1;
  for (const one of drawn) drawGaps(pen, inks, scales, one, drawn, say, scene.layout.narrow);
  pen.globalAlpha = 1;
  pen.textAlign = "center";
  if (empty) note(pen, inks, say("begins"), (scales.left + scales.right) / 2, (scales.top + scales.bottom) / 2);
  pen.textAlign = "right";
  if (below > 0) {
    note(pen, inks, say("not_on_log", { count: count(below), n: below }), scales.right - 6, scales.bottom - 12);
  }
}

/** The selected curve comes last, and validation over training. */
function ordered(drawn: readonly Drawn[]): Drawn[] {
  const rank = ({ curve }: Drawn): number =>
    (curve.selected ? 4 : curve.colour === 0 ? 0 : 2) + (curve.mark === "line" ? 0 : 1);
  return [...drawn].sort((a, b) => rank(a) - rank(b));
}

function paintGrid(pen: Pen, inks: Inks, { y, left, right, axis }: Scales): void {
  pen.font = `${TICK}px ${inks.ui}`;
  pen.textAlign = "right";
  pen.textBaseline = "middle";
  pen.lineWidth = inks.forced ? 0.5 : 1;
  pen.strokeStyle = inks.rule;
  pen.fillStyle = inks.ink2;
  pen.beginPath();
  for (const { at, text } of axis.ticks) {
    const line = Math.round(y(at)) + 0.5;
    pen.moveTo(left, line);
    pen.lineTo(right, line);
    pen.fillText(text, left - 8, line);
  }
  pen.stroke();
}

/** The quantity at the inside top left, on paper, so that a curve beneath it never makes it unreadable. */
function paintName(pen: Pen, inks: Inks, { left, top }: Scales, quantity: string): void {
  pen.font = `11px ${inks.ui}`;
  pen.textAlign = "left";
  note(pen, inks, quantity, left + 6, top + 9);
}

function note(pen: Pen, inks: Inks, words: string, x: number, y: number): void {
  pen.font = `11px ${inks.ui}`;
  pen.textBaseline = "middle";
  pen.lineJoin = "round";
  pen.lineWidth = 4;
  pen.strokeStyle = inks.paper;
  pen.strokeText(words, x, y);
  pen.fillStyle = inks.ink2;
  pen.fillText(words, x, y);
}

function paintAxisLine(pen: Pen, inks: Inks, { layout }: Scene): void {
  pen.strokeStyle = inks.edge;
  pen.lineWidth = 1;
  pen.beginPath();
  pen.moveTo(layout.left, layout.axis + 0.5);
  pen.lineTo(layout.right, layout.axis + 0.5);
  pen.stroke();
}

function paintError(pen: Pen, inks: Inks, { x, layout, panels }: Scene, step: number): void {
  const at = Math.round(x(step));
  if (at < layout.left || at > layout.right) return;
  pen.strokeStyle = inks.bad;
  pen.lineWidth = 1.5;
  pen.setLineDash([]);
  pen.beginPath();
  for (const { scales } of panels) {
    pen.moveTo(at, scales.top);
    pen.lineTo(at, scales.bottom);
  }
  pen.stroke();
}

function paintEnds(pen: Pen, inks: Inks, { model, layout }: Scene, { drawn, scales }: PanelScene): void {
  const { top, bottom, right } = scales;
  const shown = drawn.filter(({ curve, track }) => curve.left === undefined && track.size > 0);
  const ends = ordered(shown)
    .reverse()
    .flatMap((one) => endOf(one, scales));
  for (const end of ends) if (end.whole) paintMark(pen, inks, end, model.gone);
  const most = Math.max(Math.floor((bottom - top) / APART), 1);
  const named = ends.filter(({ curve }) => curve.name !== "").slice(0, most);
  if (named.length > 0) drawEnds(pen, inks, named, { top, bottom, right, most: layout.width - 4, gone: model.gone });
}

/** The end of a curve, at the right edge where it goes on beyond it; nothing where it is out of view. */
function endOf(one: Drawn, scales: Scales): (End & { readonly whole: boolean })[] {
  const { curve, dense, line } = one;
  const newest = curve.newest?.step ?? 0;
  const step = Math.min(newest, scales.step(scales.right));
  const at = valueAt(one, step);
  const x = scales.x(step);
  if (Number.isNaN(at) || x < scales.left) return [];
  const y = Math.min(Math.max(scales.y(at), scales.top), scales.bottom);
  const value = (dense && curve.mark === "line" ? line.at(-1) : curve.newest?.value) ?? Number.NaN;
  const main = curve.selected && curve.mark === "line";
  return [{ curve, x, y, value, main, whole: scales.x(newest) <= scales.right + 1 }];
}

function paintMark(pen: Pen, inks: Inks, { curve, x, y }: End, gone: boolean): void {
  if (curve.mark !== "line" || curve.end === undefined) return;
  pen.fillStyle = curve.end === "error" ? inks.bad : gone ? inks.edge : runInk(inks, curve.colour);
  pen.beginPath();
  if (curve.end === "square") pen.rect(x - DOT, y - DOT, 2 * DOT, 2 * DOT);
  else pen.arc(x, y, DOT, 0, 2 * Math.PI);
  pen.fill();
}
