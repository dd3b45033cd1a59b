/** Exponential averages over steps that may lie at any distance from each other. */

import type { Numbers } from "./plot_model";

/**
 * The average of the points so far, each weighing half as much a half-life of steps later. It is the weighted
 * mean of what there is, so its beginning is not drawn towards zero (bias correction: Kingma and Ba, "Adam",
 * ICLR 2015, section 3).
 */
export class Average {
  #sum = 0;
  #weight = 0;
  #step = 0;

  constructor(readonly halfLife: number) {}

  /** Adds a value that stands for `points` of them at `step`; the average then. */
  add(step: number, value: number, points = 1): number {
    const left = this.#left(step);
    this.#sum = this.#sum * left + value * points;
    this.#weight = this.#weight * left + points;
    this.#step = step;
    return this.#sum / this.#weight;
  }

  get value(): number {
    return this.#sum / this.#weight;
  }

  /** Forgets everything. */
  restart(): void {
    this.#sum = 0;
    this.#weight = 0;
  }

  copy(): Average {
    return this.with(this.halfLife);
  }

  /** The same average, forgetting at another pace from here on. */
  with(halfLife: number): Average {
    const other = new Average(halfLife);
    other.#sum = this.#sum;
    other.#weight = this.#weight;
    other.#step = this.#step;
    return other;
  }

  #left(step: number): number {
    if (this.#weight === 0) return 0;
    return this.halfLife > 0 ? 2 ** ((this.#step - step) / this.halfLife) : 0;
  }
}

/** Points in ascending steps: their mean, how many each stands for, and how many of them are NaN or infinite. */
export interface Points {
  readonly step: Numbers;
  readonly mean: Numbers;
  readonly points: Numbers;
  readonly bad: Numbers;
}

/**
 * The average at each point, NaN at those that hold a NaN or an infinity; after them it begins anew.
 *
 * @param from the average to go on from, at a branch point that of the parent; it is changed
 */
export function smoothed(points: Points, from: Average): Float64Array {
  const size = points.step.length;
  const found = new Float64Array(size);
  for (let at = 0; at < size; at += 1) {
    const mean = points.mean[at] ?? Number.NaN;
    if ((points.bad[at] ?? 0) > 0 || !Number.isFinite(mean)) {
      from.restart();
      found[at] = Number.NaN;
    } else {
      found[at] = from.add(points.step[at] ?? 0, mean, points.points[at]);
    }
  }
  return found;
}

/** The average as it was at `step`: what a branch goes on from. */
export function averageAt(points: Points, from: Average, step: number): Average {
  const size = points.step.length;
  const average = from.copy();
  for (let at = 0; at < size && (points.step[at] ?? 0) <= step; at += 1) {
    const mean = points.mean[at] ?? Number.NaN;
    if ((points.bad[at] ?? 0) > 0 || !Number.isFinite(mean)) average.restart();
    else average.add(points.step[at] ?? 0, mean, points.points[at]);
  }
  return average;
}
