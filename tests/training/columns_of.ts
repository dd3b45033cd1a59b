/** Columns of points by their definition: every point is looked at, nothing is kept. */

import type { Columns } from "../../widgets/torchloupe/training/plot_model";

export type Point = readonly [step: number, value: number];

/** The columns of points in ascending steps. */
export function columnsOf(points: readonly Point[], left: number, right: number, count: number): Columns {
  const wide = (right - left) / count;
  const groups = new Map<number, Point[]>();
  for (const point of points) {
    if (point[0] < left || point[0] > right) continue;
    const column = Math.min(Math.floor((point[0] - left) / wide), count - 1);
    groups.set(column, [...(groups.get(column) ?? []), point]);
  }
  const entries = [...groups].map(([column, group]) => {
    const values = group.map(([, value]) => value);
    const finite = values.filter(Number.isFinite);
    return {
      column,
      first: values[0] ?? Number.NaN,
      low: finite.length > 0 ? Math.min(...finite) : Number.NaN,
      high: finite.length > 0 ? Math.max(...finite) : Number.NaN,
      last: values.at(-1) ?? Number.NaN,
      points: values.length,
      bad: values.length - finite.length,
    };
  });
  const of = (name: keyof (typeof entries)[number]): Float64Array => Float64Array.from(entries, (entry) => entry[name]);
  return {
    left,
    right,
    count,
    column: of("column"),
    first: of("first"),
    low: of("low"),
    high: of("high"),
    last: of("last"),
    points: of("points"),
    bad: of("bad"),
  };
}
