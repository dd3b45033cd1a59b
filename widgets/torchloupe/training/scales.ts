/** From steps and values to px and back. */

import type { Axis } from "./axes";

/** The scales of one panel. */
export interface Scales {
  readonly x: (step: number) => number;
  readonly step: (x: number) => number;
  readonly y: (value: number) => number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly axis: Axis;
}

/** Steps to px. */
export function stepScale(from: number, to: number, left: number, right: number): (step: number) => number {
  const slope = (right - left) / (to - from);
  return (step) => left + (step - from) * slope;
}

/** Values to px: the axis' ends at `bottom` and `top`; on a log axis what is not positive lies far below. */
export function valueScale(axis: Axis, top: number, bottom: number): (value: number) => number {
  const at = axis.log ? (value: number) => Math.log(Math.max(value, 1e-300)) : (value: number) => value;
  const low = at(axis.low);
  const slope = (top - bottom) / (at(axis.high) - low);
  return (value) => bottom + (at(value) - low) * slope;
}
