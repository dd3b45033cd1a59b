/** The labels at the ends of curves: near their value, never on top of each other. */

import { steady } from "./figures";
import { type Inks, type Pen, runInk } from "./ink";
import { widthOf } from "./measure";
import type { Curve } from "./plot_model";

/** Least distance of two labels in px. */
export const APART = 15;

/**
 * Moves heights apart to at least `apart`, each as little as possible (least squares, by pooling neighbours
 * that would cross), and keeps them between `top` and `bottom` as long as they fit there.
 *
 * @param wanted heights in any order
 * @returns the heights in the same order
 */
export function pushApart(wanted: readonly number[], apart: number, top: number, bottom: number): number[] {
  const order = wanted.map((_, at) => at).sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0));
  const pools: { sum: number; size: number }[] = [];
  order.forEach((at, rank) => {
    let pool = { sum: (wanted[at] ?? 0) - rank * apart, size: 1 };
    for (let above = pools.at(-1); above && above.sum / above.size > pool.sum / pool.size; above = pools.at(-1)) {
      pool = { sum: pool.sum + above.sum, size: pool.size + above.size };
      pools.pop();
    }
    pools.push(pool);
  });
  const most = bottom - (wanted.length - 1) * apart;
  const base = pools.flatMap(({ sum, size }) =>
    Array.from({ length: size }, () => Math.max(Math.min(sum / size, most), top)),
  );
  const found = wanted.slice();
  order.forEach((at, rank) => {
    found[at] = (base[rank] ?? 0) + rank * apart;
  });
  return found;
}

export interface End {
  readonly curve: Curve;
  readonly x: number;
  readonly y: number;
  /** The number beside the name, where the curve shows one. */
  readonly value: number;
  /** Whether it is the largest number in the picture. */
  readonly main: boolean;
}

const AWAY = 14;
const VALUE = 6;

/** Draws the labels of one panel. */
export function drawEnds(
  pen: Pen,
  inks: Inks,
  ends: readonly End[],
  place: {
    readonly top: number;
    readonly bottom: number;
    readonly right: number;
    readonly most: number;
    readonly gone: boolean;
  },
): void {
  const heights = pushApart(
    ends.map((end) => end.y),
    APART,
    place.top + 6,
    place.bottom - 4,
  );
  const x = Math.min(Math.max(...ends.map((end) => end.x)) + AWAY, place.right + 9);
  pen.textBaseline = "middle";
  pen.textAlign = "left";
  const name = (end: End): string => `${end.curve.selected && !end.curve.valued ? "bold " : ""}11px ${inks.ui}`;
  const widths = ends.map((end) => {
    pen.font = name(end);
    return end.curve.valued ? widthOf(pen, end.curve.name) : 0;
  });
  const values = x + Math.max(...widths) + VALUE;
  ends.forEach((end, at) => {
    const y = heights[at] ?? end.y;
    pen.fillStyle = end.curve.colour === 0 || place.gone ? inks.ink2 : runInk(inks, end.curve.colour);
    pen.font = name(end);
    pen.fillText(end.curve.name, x, y, place.most - x);
    if (!end.curve.valued || Number.isNaN(end.value)) return;
    pen.font = `bold ${end.main ? 15 : 12}px ${inks.ui}`;
    pen.fillText(steady(end.value, 3), values, y, Math.max(place.most - values, 24));
  });
}
