/** Names and numbers as the lens writes them. */

const LETTERS = "ijklmnpqrs";

/** The letter of an axis: i, j, k … */
export function axisLetter(axis: number): string {
  return LETTERS[axis] ?? `d${axis}`;
}

/** `[2, 1, 1]` */
export function bracketed(index: readonly number[]): string {
  return `[${index.join(", ")}]`;
}

/** `(2, 3, 4)` as Python writes a tuple. */
export function tuple(values: readonly number[]): string {
  return values.length === 1 ? `(${values[0]},)` : `(${values.join(", ")})`;
}

/** Digits in threes: 4,000,000. */
export function grouped(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ",");
}

const UNITS = ["kB", "MB", "GB", "TB", "PB"];

/** Exact bytes below 10 kB, else SI with two or three digits: 40 B, 12,000 B is 12 kB, 4 MB. */
export function bytes(value: number): string {
  if (value < 10_000) return `${grouped(value)} B`;
  let scaled = value;
  let unit = "B";
  for (const name of UNITS) {
    if (scaled < 999.5) break;
    scaled /= 1000;
    unit = name;
  }
  return `${Number(scaled.toPrecision(3))} ${unit}`;
}

/** CSS class that gives a tensor its hue. */
export function hueClass(tensor: number): string {
  return `tl-hue-${(tensor % 5) + 1}`;
}

/** A name at most `most` characters long: the last call of an expression, `values()` of `d.coo().values()`, cut at the end. */
export function short(name: string, most: number): string {
  let depth = 0;
  let from = 0;
  for (const [at, character] of [...name].entries()) {
    if (character === "(" || character === "[") depth += 1;
    else if (character === ")" || character === "]") depth -= 1;
    else if (character === "." && depth === 0) from = at + 1;
  }
  const last = name.slice(from);
  const tail = name.length > most && /^\w+([([].*)?$/.test(last) ? last : name;
  return tail.length > most ? `${tail.slice(0, most - 1)}…` : tail;
}
