/** Random graphs with random groups, as a capture would give them: groups are intervals of what is no leaf. */

import { chance } from "./layout_graphs";
import type { EdgeRow, GroupRow, LeafRow, NodeRow, Rows } from "./tabled";

type Draw = () => number;

/** A record of up to `most` operations; equal seeds give equal records. */
export function randomRecord(seed: number, most: number): Rows {
  const draw = chance(seed);
  const inner = 2 + Math.floor(draw() * most);
  const groups: GroupRow[] = [{ parent: -1, kind: "root" }];
  const groupOf = new Array<number>(inner).fill(0);
  divide(draw, groups, groupOf, [0, 0, inner, 0]);
  const pairs = joined(draw, inner);
  const leaves = leavesOf(draw, inner, pairs, groups, groupOf);
  return numbered(inner, groupOf, groups, pairs, leaves);
}

/** A group to be made at random inside another one. */
function groupIn(draw: Draw, groups: readonly GroupRow[], parent: number, size: number): GroupRow {
  const kinds = groups[parent]?.kind === "fold" ? MEMBERS : KINDS;
  const kind = kinds[Math.floor(draw() * kinds.length)] ?? "module";
  const name = draw() < 0.7 ? `m.${groups.length}` : "";
  return { parent, kind, name, cls: "Block", shape: size };
}

const MEMBERS = ["module", "repeat"] as const;
const KINDS = ["module", "fold", "chain", "section", "fold"] as const;
const DEEPEST = 5;

/** Cuts an interval of operations into groups, recursively. */
function divide(draw: Draw, groups: GroupRow[], groupOf: number[], [parent, from, to, depth]: Interval): void {
  const fold = groups[parent]?.kind === "fold";
  let at = from;
  while (at < to) {
    const end = Math.min(at + 1 + Math.floor((draw() * (to - from)) / (fold ? 4 : 2)), to);
    const whole = at === from && end === to;
    const single = draw() > (fold ? 0.8 : 0.6) || depth >= DEEPEST || whole;
    if (!single) {
      const group = groups.length;
      groups.push(groupIn(draw, groups, parent, end - at));
      groupOf.fill(group, at, end);
      divide(draw, groups, groupOf, [group, at, end, depth + 1]);
    }
    at = single ? at + 1 : end;
  }
}

type Interval = readonly [parent: number, from: number, to: number, depth: number];

/** Edges between operations, from earlier to later ones, some of them twice. */
function joined(draw: Draw, inner: number): [number, number][] {
  const pairs: [number, number][] = [];
  for (let target = 1; target < inner; target++) {
    const near = Math.max(0, target - 1 - Math.floor(draw() * 3));
    pairs.push([near, target]);
    if (draw() < 0.3) pairs.push([Math.floor(draw() * target), target]);
    if (draw() < 0.05) pairs.push([near, target]);
  }
  return pairs;
}

interface Leaf {
  readonly consumers: readonly number[];
  readonly drawn: boolean;
  readonly group: number;
}

function leavesOf(
  draw: Draw,
  inner: number,
  pairs: readonly [number, number][],
  groups: readonly GroupRow[],
  groupOf: readonly number[],
): Leaf[] {
  const sends = new Set(pairs.map(([source]) => source));
  const ends = Array.from({ length: inner }, (_, node) => node).filter((node) => !sends.has(node) || draw() < 0.3);
  return ends.map((node): Leaf => {
    const consumers = draw() < 0.3 ? [node, Math.floor(draw() * inner)] : [node];
    return {
      consumers,
      drawn: draw() < 0.4,
      group: home(
        groups,
        consumers.map((each) => groupOf[each] ?? 0),
      ),
    };
  });
}

/** The innermost root or module around groups. */
function home(groups: readonly GroupRow[], from: readonly number[]): number {
  const paths = from.map((group) => {
    const path: number[] = [];
    for (let each = group; each >= 0; each = groups[each]?.parent ?? -1) path.push(each);
    return path;
  });
  const fit = (group: number): boolean => ["root", "module"].includes(groups[group]?.kind ?? "");
  const around = paths[0]?.find((group) => fit(group) && paths.every((path) => path.includes(group)));
  return around ?? 0;
}

/** Gives ids: operations in order, each leaf right after its last consumer. */
function numbered(
  inner: number,
  groupOf: readonly number[],
  groups: readonly GroupRow[],
  pairs: readonly [number, number][],
  leaves: readonly Leaf[],
): Rows {
  const nodes: NodeRow[] = [];
  const rows: LeafRow[] = [];
  const id: number[] = [];
  const edges: EdgeRow[] = [];
  for (let node = 0; node < inner; node++) {
    id.push(nodes.length);
    const scope = `net.${groupOf[node]}.${node % 3}`;
    nodes.push({ type: `${["Add", "Mul", "Tanh"][node % 3]}Backward0`, group: groupOf[node] ?? 0, scope, bytes: node });
    for (const { consumers, drawn, group } of leaves.filter((leaf) => Math.max(...leaf.consumers) === node)) {
      const leaf = nodes.length;
      nodes.push({ type: "AccumulateGrad", group: drawn ? group : -1 });
      rows.push({ node: leaf, name: `${scope}.w${leaf}`, parameter: !drawn, drawn, shared: consumers.length > 1 });
      for (const consumer of consumers) edges.push({ source: id[consumer] ?? 0, target: leaf, slot: 9 });
    }
  }
  edges.push(...pairs.map(([source, target]) => ({ source: id[source] ?? 0, target: id[target] ?? 0 })));
  edges.sort((a, b) => a.source - b.source || a.target - b.target);
  return { nodes, edges, groups, leaves: rows };
}
