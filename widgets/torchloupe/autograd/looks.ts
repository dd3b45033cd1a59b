/** How a gradient looks: its four looks, its number as text, and many of them as one. */

/** The `look` of a gradient, as the tables number it. */
export const LOOK = { notRun: 0, value: 1, zero: 2, none: 3, bad: 4 } as const;
export type Look = (typeof LOOK)[keyof typeof LOOK];

/** A gradient at one place of the backward. */
export interface Gradient {
  readonly look: Look;
  /** L2 norm; NaN when there is none. */
  readonly norm: number;
  /** What a pill or tile says: the value when it is small, else the norm; empty when it has not run. */
  readonly text: string;
  /** Whether `text` is the whole value, not its norm. */
  readonly exact: boolean;
}

/** Nothing has come yet. */
export const NOT_RUN: Gradient = { look: LOOK.notRun, norm: Number.NaN, text: "", exact: false };

/** The gradients of several edges taken together. */
export interface Flow extends Gradient {
  /** How many of the edges something has come through. */
  readonly count: number;
}

/** A number in at most six signs: `0`, `4.2`, `37`, `2.4e−3`, `2e−18`. */
export function number(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "Inf" : "−Inf";
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (size >= 0.95 && size < 999.5) return minus(value.toFixed(size < 9.95 ? 1 : 0));
  const digits = size >= 9.95e9 || size < 9.95e-10 ? 0 : 1;
  return minus(value.toExponential(digits).replace("e+", "e"));
}

/** Python's way of writing a value as a pill writes it: true minus signs, no blanks. */
export function plain(value: string): string {
  return minus(value.replaceAll(", ", ","));
}

function minus(text: string): string {
  return text.replaceAll("-", "−");
}

/** A gradient from a row of the tables; `value` is empty when only the norm is known. */
export function gradient(look: Look, norm: number, value: string): Gradient {
  const text = { 0: "", 1: value === "" ? number(norm) : plain(value), 2: "0", 3: "None", 4: bad(norm, value) };
  return { look, norm: look === LOOK.zero ? 0 : norm, text: text[look], exact: value !== "" || look === LOOK.zero };
}

/** A single value says itself, `Inf`; of many the norm says which it is. */
function bad(norm: number, value: string): string {
  if (value !== "") return plain(value);
  return Number.isFinite(norm) ? "NaN" : number(norm);
}

/** The look and the norm of a gradient, not yet as text. */
export type Bare = Pick<Gradient, "look" | "norm">;

/**
 * Several gradients as one. One NaN makes it NaN, one value a value; norms add as squares.
 * One that has come speaks for those that have not.
 */
export function together(all: readonly Bare[]): Bare & { readonly count: number } {
  let squares = 0;
  let count = 0;
  const met = [false, false, false, false, false];
  for (const { look, norm } of all) {
    met[look] = true;
    if (look !== LOOK.notRun) count++;
    if (look === LOOK.value || look === LOOK.bad) squares += norm * norm;
  }
  const look = [LOOK.bad, LOOK.value, LOOK.zero, LOOK.none].find((each) => met[each]) ?? LOOK.notRun;
  const numbers = look !== LOOK.none && look !== LOOK.notRun;
  return { look, norm: numbers ? Math.sqrt(squares) : Number.NaN, count };
}
