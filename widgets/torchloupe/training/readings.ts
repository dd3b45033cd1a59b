/** What the curves and layers are worth at a step. */

import { placeAt } from "./columns";
import { snap } from "./crosshair";
import type { Drawn } from "./drawn";
import type { CurveReading, Reading } from "./plot_model";
import type { Scene } from "./plot_scene";
import { newestOf, rowAt } from "./rows";

/** The values at a step, those of the newest points when nobody points anywhere. */
export function readingAt(scene: Scene, step: number | undefined, pinned: boolean): Reading {
  const { model, rows, panels } = scene;
  const { strip } = model;
  const at = step ?? model.latest;
  const curves = panels.flatMap(({ drawn }) => drawn.flatMap((one) => curveAt(one, at)));
  const layers =
    strip === undefined ? [] : rows.map((row) => (step === undefined ? newestOf(strip, row) : rowAt(strip, row, at)));
  return { step: at, pointed: step !== undefined, pinned, curves, layers };
}

function curveAt({ curve, track, line, dense }: Drawn, step: number): CurveReading[] {
  const place = placeAt(track.step, step);
  if (place < 0) return [];
  const { columns } = track;
  const points = columns.points[place] ?? 1;
  const own = points > 1 ? Math.min(step, columns.step?.[place] ?? step) : Math.floor(track.step[place] ?? step);
  const raw = points > 1 && own < step ? columns.last[place] : columns.first[place];
  const smooth = dense && curve.mark === "line" ? { smoothed: line[place] ?? Number.NaN } : {};
  return [{ id: curve.id, step: own, raw: raw ?? Number.NaN, exact: points === 1, ...smooth }];
}

/** The curves whose steps the crosshair snaps to: the selected line, else all of them. */
export function snapped(scene: Scene, step: number): number {
  const all = scene.panels.flatMap(({ drawn }) => drawn);
  const lines = all.filter(({ curve, track }) => curve.mark === "line" && track.size > 0);
  const chosen = lines.filter(({ curve }) => curve.selected);
  const family = chosen.flatMap((one) => [one, ...lines.filter(({ curve }) => curve.id === one.curve.parent?.id)]);
  const pool = family.length > 0 ? family : lines.length > 0 ? lines : all;
  return snap(
    pool.map(({ track }) => track),
    step,
  );
}

/** The recorded step so many steps on; at least the next one where steps lie further apart. */
export function stepped(scene: Scene, step: number, by: number): number {
  const aimed = snapped(scene, step + by);
  if (aimed !== step && Math.sign(aimed - step) === Math.sign(by)) return aimed;
  const steps = scene.panels.flatMap(({ drawn }) => drawn.flatMap(({ track }) => Array.from(track.step, Math.round)));
  const ahead = steps.filter((one) => (by > 0 ? one > step : one < step));
  if (ahead.length === 0) return step;
  return by > 0 ? ahead.reduce((a, b) => Math.min(a, b)) : ahead.reduce((a, b) => Math.max(a, b));
}
