/** Which of eleven shades a norm or a ratio gets: four too small, three healthy, four too large. */

type Measure = "norm" | "ratio";

/** Lower ends of all shades but the first. */
const EDGES: Readonly<Record<Measure, readonly number[]>> = {
  norm: [1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 2, 10, 100, 1000],
  ratio: [1e-7, 1e-6, 1e-5, 1e-4, 5e-4, 2e-3, 1e-2, 1e-1, 1, 10],
};
const TOO_SMALL = 4;
const HEALTHY = 3;

/** What has no colour: nothing measured, or a NaN or an infinity. */
export type Shade = number | "none" | "bad";

/** The shade of a value: 0 is far too small, 4 to 6 are healthy, 10 is far too large. */
export function shadeOf(measure: Measure, value: number): Shade {
  if (Number.isNaN(value)) return "none";
  if (!Number.isFinite(value)) return "bad";
  const edges = EDGES[measure];
  let shade = 0;
  while (shade < edges.length && value >= (edges[shade] ?? 0)) shade += 1;
  return shade;
}

/** Whether a shade is one of trouble. */
export function isTrouble(shade: Shade): boolean {
  return shade === "bad" || (shade !== "none" && (shade < TOO_SMALL || shade >= TOO_SMALL + HEALTHY));
}

/** How far a value is from healthy, in powers of ten; healthy ones are below 0, NaN (not measured) is least. */
export function distance(measure: Measure, value: number): number {
  if (Number.isNaN(value)) return Number.NEGATIVE_INFINITY;
  if (!Number.isFinite(value)) return Number.POSITIVE_INFINITY;
  const edges = EDGES[measure];
  const low = edges[TOO_SMALL - 1] ?? 0;
  const high = edges[TOO_SMALL + HEALTHY - 1] ?? 1;
  const size = Math.max(value, 1e-45);
  return Math.max(Math.log10(low / size), Math.log10(size / high));
}
