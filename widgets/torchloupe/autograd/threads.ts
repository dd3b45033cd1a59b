/** Strands split where their ends lie: a strand into an open group goes through the ports of the edges it holds. */

import type { Body } from "./anatomy";
import { type Line, PAD, type Plot } from "./plot";
import type { Level, Strand } from "./tree";

/** A strand or a part of it. Ports are counted from the left side of the box; undefined where the box chooses. */
export interface Thread {
  readonly strand: Strand;
  readonly source: number;
  readonly target: number;
  readonly leaving: number | undefined;
  readonly arriving: number | undefined;
}

/** More edges than this are not looked at one by one. */
const MOST_SPLIT = 256;

/** Per edge of the graph: where it crosses the border of an open group. */
interface Ports {
  readonly in: ReadonlyMap<number, number>;
  readonly out: ReadonlyMap<number, number>;
}

const kept = new WeakMap<Plot, Ports>();

function portsOf(plot: Plot): Ports {
  const known = kept.get(plot);
  if (known !== undefined) return known;
  const few = plot.lines.filter(({ strand }) => strand.edges.length <= MOST_SPLIT);
  const across = (lines: readonly Line[], x: (line: Line) => number | undefined): Map<number, number> =>
    new Map(lines.flatMap((line) => Array.from(line.strand.edges, (edge) => [edge, PAD + (x(line) ?? 0)] as const)));
  const ports = {
    in: across(
      few.filter(({ source }) => source < 0),
      ({ path }) => path[0],
    ),
    out: across(
      few.filter(({ target }) => target < 0),
      ({ path }) => path.at(-2),
    ),
  };
  kept.set(plot, ports);
  return ports;
}

/** The threads of a level; `inner` are the plots of its open boxes, `bodies` tell the slots of wells. */
export function threads(
  level: Level,
  bodies: readonly Body[],
  inner: readonly (Plot | undefined)[],
): readonly Thread[] {
  return level.strands.flatMap((strand) => {
    const { source, target } = strand;
    return split(strand, bodies[target], inner[source], inner[target]);
  });
}

function split(strand: Strand, well: Body | undefined, from: Plot | undefined, to: Plot | undefined): Thread[] {
  const { source, target, edges } = strand;
  const whole = (part: Strand, leaving?: number, arriving?: number): Thread => ({
    strand: part,
    source,
    target,
    leaving: leaving ?? (from && from.axis + PAD),
    arriving: arriving ?? (to && to.axis + PAD),
  });
  const slotted = well !== undefined && well.slots.length > 1;
  if (edges.length > MOST_SPLIT || !(from || to || slotted)) return [whole(strand)];
  const parts = new Map<string, { edges: number[]; leaving: number | undefined; arriving: number | undefined }>();
  for (const edge of edges) {
    const leaving = from && portsOf(from).out.get(edge);
    const arriving = to && portsOf(to).in.get(edge);
    const key = slotted ? String(edge) : `${leaving} ${arriving}`;
    const part = parts.get(key);
    if (part === undefined) parts.set(key, { edges: [edge], leaving, arriving });
    else part.edges.push(edge);
  }
  if (parts.size <= 1) {
    const [only] = parts.values();
    return [whole(strand, only?.leaving, only?.arriving)];
  }
  return [...parts.values()].map((part) => whole({ source, target, edges: part.edges }, part.leaving, part.arriving));
}
