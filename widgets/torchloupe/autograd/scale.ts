/** From numbers to the seven steps of the ramp. */

import { number } from "./looks";

/** A step of the ramp, or a look beside it. */
export type Shade = 0 | 1 | 2 | 3 | 4 | 5 | 6 | "zero" | "nan" | "none" | "below" | "above";

export type Colour = "norm" | "bytes" | "order";

/** What a legend draws: seven steps from `low` to `high`. */
export interface Scale {
  readonly colour: Colour;
  /** Value at the lower end of step 0 and at the upper end of step 6. */
  readonly low: number;
  readonly high: number;
  /** Steps per decade of a logarithmic scale; 0 when it is linear. */
  readonly perDecade: 0 | 1 | 2;
  /** Marks on the borders of steps, `at` from 0 to 7. */
  readonly ticks: readonly { readonly at: number; readonly text: string }[];
}

const STEPS = 7;
const MOST_DECADES_HALVED = 4;
const DECADES = [1e-3, 1e-2, 0.1, 1, 10, 100, 1000];

/** A logarithmic scale for norms from `least` to `most`: the greatest stands in the darkest step. */
export function normScale(least: number, most: number): Scale {
  const top = Math.log10(most > 0 ? most : 1);
  const decades = top - Math.log10(least > 0 && least <= most ? least : 10 ** top);
  const perDecade = decades > MOST_DECADES_HALVED ? 1 : 2;
  // Floats travel as 32 bits: a norm of 0.1 must not fall below the mark 0.1.
  const last = Math.floor(top * perDecade + 1e-6);
  const border = (at: number): number => 10 ** ((last + 1 - STEPS + at) / perDecade);
  const ticks: { at: number; text: string }[] = [];
  for (let at = 0; at <= STEPS; at++) {
    const exponent = (last + 1 - STEPS + at) / perDecade;
    if (Number.isInteger(exponent)) ticks.push({ at, text: decade(exponent) });
  }
  return { colour: "norm", low: border(0), high: border(STEPS), perDecade, ticks };
}

function decade(exponent: number): string {
  const round = DECADES.find((each) => Math.round(Math.log10(each)) === exponent);
  if (round !== undefined && round >= 0.1) return String(round);
  return `1e${exponent < 0 ? "−" : ""}${Math.abs(exponent)}`;
}

/** A linear scale from 0 or 1 to `most`. */
export function linearScale(colour: "bytes" | "order", most: number): Scale {
  const low = colour === "order" ? 1 : 0;
  const high = Math.max(most, low + 1);
  const word = colour === "order" ? String : nbytes;
  return {
    colour,
    low,
    high,
    perDecade: 0,
    ticks: [0, STEPS].map((at) => ({ at, text: word(at === 0 ? low : high) })),
  };
}

/** The step of a value, or that it lies outside. */
export function shadeOn({ low, high, perDecade }: Scale, value: number): Shade {
  if (perDecade === 0) {
    const step = Math.floor((STEPS * (value - low)) / (high - low));
    return value > high ? "above" : (Math.max(0, Math.min(step, STEPS - 1)) as Shade);
  }
  const step = Math.floor((Math.log10(value) - Math.log10(low)) * perDecade + 1e-6);
  if (step < 0) return "below";
  return step >= STEPS ? "above" : (step as Shade);
}

/** Bytes in SI units: `512 B`, `12 kB`, `3.4 MB`. */
export function nbytes(value: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  const power = value < 1000 ? 0 : Math.min(Math.floor(Math.log10(value) / 3 + 1e-9), units.length - 1);
  const scaled = value / 1000 ** power;
  return `${power === 0 ? Math.round(scaled) : number(scaled).replace(".0", "")} ${units[power]}`;
}
