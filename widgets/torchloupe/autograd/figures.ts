/** Counts, bytes and shapes as a person reads them. */

/** An integer with its thousands apart: `1,234,567`. */
export function grouped(value: number): string {
  return value.toLocaleString("en-US");
}

const UNITS = ["B", "kB", "MB", "GB", "TB"] as const;

/** Bytes: exact below 10 kB, else with an SI unit. */
export function bytes(count: number): string {
  if (count < 10_000) return `${grouped(count)} B`;
  const power = Math.min(Math.floor(Math.log10(count) / 3), UNITS.length - 1);
  return `${(count / 1000 ** power).toPrecision(3)} ${UNITS[power]}`;
}

/** A shape as Python writes it. */
export function shape(sizes: readonly number[]): string {
  return sizes.length === 1 ? `(${sizes[0]},)` : `(${sizes.join(", ")})`;
}
