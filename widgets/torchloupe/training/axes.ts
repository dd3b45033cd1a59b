/** Domains and ticks: where an axis begins and ends, and what is written along it. */

import { count, figure } from "./figures";

/** A domain and its ticks. */
export interface Axis {
  readonly low: number;
  readonly high: number;
  readonly log: boolean;
  readonly ticks: readonly Tick[];
}

export interface Tick {
  readonly at: number;
  readonly text: string;
}

const ROOM = 1.05;
const JUMPS = 25;
const LEAST_STEPS = 10;
/** Least distance of two ticks on the y axis in px. */
const CLOSE = 20;

/** The least of 1, 2, 5 times a power of ten that is not below `value`. */
export function nice(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  for (const lead of [1, 2, 5]) if (lead * power >= value * (1 - 1e-9)) return lead * power;
  return 10 * power;
}

/** The right end of the x axis: 5 % beyond the latest step, moved in jumps of 1-2-5. */
export function rightEnd(latest: number, finished: boolean, total?: number): number {
  if (latest < 0) return Math.max(total ?? 100, LEAST_STEPS);
  if (finished) return Math.max(latest, 1);
  const jump = nice(Math.max(latest / JUMPS, 1));
  return Math.max(Math.ceil((latest * ROOM) / jump - 1e-9) * jump, LEAST_STEPS);
}

/** Ticks of steps at whole multiples of 1, 2 or 5, at least `room` px apart. */
export function stepTicks(left: number, right: number, width: number, room: number): Tick[] {
  const jump = Math.max(nice(((right - left) * room) / Math.max(width, 1)), 1);
  const ticks: Tick[] = [];
  for (let at = Math.max(Math.ceil(left / jump - 1e-9), 0); at * jump <= right + 1e-9 * jump; at += 1) {
    ticks.push({ at: at * jump, text: count(at * jump) });
  }
  return ticks;
}

/** The value below which a share of the sorted values lies, the nearest one outward. */
export function percentile(values: Float64Array, share: number): number {
  const place = share * (values.length - 1);
  return values[share < 0.5 ? Math.floor(place) : Math.ceil(place)] ?? Number.NaN;
}

/** Whether a log axis tells more: all values are positive and span more than a factor of five. */
export function wantsLog(low: number, high: number): boolean {
  return low > 0 && high / low > 5;
}

/** The y axis of values from `low` to `high`, opened to the next ticks outward. */
export function valueAxis(low: number, high: number, log: boolean, height: number): Axis {
  return log ? logAxis(low, high, height) : linearAxis(low, high, height);
}

const LEADS: readonly (readonly number[])[] = [[1, 2, 3, 5], [1, 2, 5], [1, 3], [1]];

function logTicks(low: number, high: number, leads: readonly number[]): number[] {
  const ticks: number[] = [];
  for (let power = Math.floor(Math.log10(low)) - 1; power <= Math.ceil(Math.log10(high)) + 1; power += 1) {
    for (const lead of leads) ticks.push(Number(`${lead}e${power}`));
  }
  const first = ticks.filter((tick) => tick <= low * 1.0001).length - 1;
  const last = ticks.findIndex((tick) => tick >= high / 1.0001);
  return ticks.slice(first, Math.max(last, first + 1) + 1);
}

function closest(ticks: readonly number[], height: number): number {
  const place = ticks.map((tick) => Math.log(tick));
  const span = (place.at(-1) ?? 0) - (place[0] ?? 0);
  const gaps = place.slice(1).map((at, index) => at - (place[index] ?? 0));
  return (Math.min(...gaps) / span) * height;
}

function logAxis(low: number, high: number, height: number): Axis {
  for (const leads of LEADS) {
    const ticks = logTicks(low, high, leads);
    if (closest(ticks, height) >= CLOSE) return axisOf(ticks);
  }
  const ticks = logTicks(low, high, [1]);
  const every = Math.ceil(CLOSE / closest(ticks, height));
  const last = ticks.length - 1;
  return axisOf(ticks, (place) => place % every === 0 || place === last);
}

/** The ends are whole halves of the distance of two ticks, so that little room is wasted. */
function linearAxis(low: number, high: number, height: number): Axis {
  const flat = Math.abs(high) / 2 || 0.5;
  const [from, to] = high === low ? [low - flat, high + flat] : [low, high];
  const jump = nice(((to - from) * 2 * CLOSE) / height);
  const half = jump / 2;
  const bottom = Math.floor(from / half + 1e-9) * half;
  const top = Math.ceil(to / half - 1e-9) * half;
  const ticks: number[] = [];
  for (let at = Math.ceil(bottom / jump - 1e-9); at * jump <= top + half / 1e6; at += 1) {
    ticks.push(Number((at * jump).toPrecision(12)));
  }
  return { low: bottom, high: top, log: false, ticks: ticks.map(ticked) };
}

function axisOf(ticks: readonly number[], shown: (place: number) => boolean = () => true): Axis {
  const kept = ticks.filter((_, place) => shown(place));
  return { low: ticks[0] ?? 0.1, high: ticks.at(-1) ?? 1, log: true, ticks: kept.map(ticked) };
}

function ticked(at: number): Tick {
  return { at, text: figure(at, 4) };
}
