/** The plot in words: for a person who does not see it. */

import type { Say } from "../core/words";
import { gaps } from "./columns";
import type { Drawn } from "./drawn";
import { count, figure } from "./figures";
import type { PlotModel, Reading } from "./plot_model";
import type { Scene } from "./plot_scene";

/** What the curves did, what was changed, and where a way back or NaNs are. */
export function description(scene: Scene, say: Say): string {
  const { model, panels } = scene;
  const said = panels.flatMap(({ panel, drawn }) => drawn.flatMap((one) => spokenCurve(panel.quantity, one, say)));
  for (const { words, step } of model.flags) said.push(say("spoken_flag", { words, step: count(step) }));
  for (const { from, to } of model.rewinds) said.push(say("spoken_rewind", { from: count(from), to: count(to) }));
  return said.length > 0 ? said.join(" ") : say("begins");
}

function spokenCurve(quantity: string, { curve, track }: Drawn, say: Say): string[] {
  const found = gaps(track).map((gap) => say("spoken_gap", { from: count(gap.left), to: count(gap.right) }));
  if (curve.name === "" || track.size === 0) return found;
  const { first, last } = track.columns;
  const begin = count(Math.round(track.step[0] ?? 0));
  const newest = curve.newest ?? {
    step: Math.round(track.step.at(-1) ?? 0),
    value: last[track.size - 1] ?? Number.NaN,
  };
  return [
    say("spoken_curve", {
      quantity,
      name: curve.name,
      first: figure(first[0] ?? Number.NaN, 3),
      begin,
      last: figure(newest.value, 3),
      end: count(newest.step),
    }),
    ...found,
  ];
}

/** One reading: its step and the value of each curve that has a name. */
export function spokenReading(model: PlotModel, reading: Reading, say: Say): string {
  const names = new Map(model.panels.flatMap(({ curves }) => curves.map(({ id, name }) => [id, name] as const)));
  const values = reading.curves.flatMap(({ id, smoothed, raw, step }) => {
    const name = names.get(id);
    if (!name) return [];
    const value = figure(smoothed ?? raw, 4);
    return [step === reading.step ? `${name} ${value}` : say("spoken_earlier", { name, value, step: count(step) })];
  });
  return joined([say("spoken_step", { step: count(reading.step) }), ...values], say);
}

/** Words in a row. */
export function joined(words: readonly string[], say: Say): string {
  return words.length === 0 ? "" : words.reduce((one, other) => say("joined", { one, other }));
}
