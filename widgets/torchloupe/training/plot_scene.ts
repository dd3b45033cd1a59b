/** One moment of the plot: what is drawn where, worked out before anything is drawn. */

import { axisOf, type Drawn, drawnOf } from "./drawn";
import { type Layout, layoutOf } from "./plot_layout";
import type { Panel, PlotModel } from "./plot_model";
import { type Row, rowsOf, worstRows } from "./rows";
import { type Scales, stepScale, valueScale } from "./scales";

export interface PanelScene {
  readonly panel: Panel;
  readonly drawn: readonly Drawn[];
  readonly scales: Scales;
}

export interface Scene {
  readonly model: PlotModel;
  readonly layout: Layout;
  /** The steps at both ends of the axis. */
  readonly left: number;
  readonly right: number;
  readonly x: (step: number) => number;
  readonly step: (x: number) => number;
  readonly panels: readonly PanelScene[];
  readonly rows: readonly Row[];
}

/** Below this width in px only the worst rows of the strip are shown. */
const TINY = 360;
const WAY = 0.01;

/** The half-life in force: what a person chose, else 1 % of the steps in view. */
export function halfLifeOf(model: PlotModel, left: number, right: number): number {
  return model.halfLife ?? Math.max((right - left) * WAY, 1);
}

/** Works out a moment of the plot. */
export function sceneOf(
  model: PlotModel,
  width: number,
  left: number,
  right: number,
  opened: ReadonlySet<string>,
): Scene {
  const all = model.strip === undefined ? [] : rowsOf(model.strip, opened);
  const rows = model.strip !== undefined && width < TINY ? worstRows(model.strip, all) : all;
  const layout = layoutOf(width, model.panels.length, rows.length);
  const x = stepScale(left, right, layout.left, layout.right);
  const step = stepScale(layout.left, layout.right, left, right);
  const life = halfLifeOf(model, left, right);
  const panels = model.panels.map((panel, at) => {
    const { top, bottom } = layout.panels[at] ?? { top: 0, bottom: 1 };
    const drawn = drawnOf(panel, life, left, right);
    const axis = axisOf(drawn, panel, bottom - top);
    const y = valueScale(axis, top, bottom);
    return { panel, drawn, scales: { x, step, y, left: layout.left, right: layout.right, top, bottom, axis } };
  });
  return { model, layout, left, right, x, step, panels, rows };
}
