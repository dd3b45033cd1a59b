/** The nodes at the same place in the other members of a fold. */

import type { Graph } from "./graph";
import type { Key } from "./tree";

/** `KINDS[groups.kind[g]]`, as the kernel numbers them. */
const KINDS = ["root", "module", "chain", "repeat", "section", "fold"] as const;

export interface Siblings {
  /** Names of the members, in the order of execution. */
  readonly names: readonly string[];
  readonly keys: readonly Key[];
  /** Which of them holds the node. */
  readonly own: number;
  /** Class of the members, or empty. */
  readonly cls: string;
}

/** The siblings of `node` in the nearest fold around it; undefined outside any fold. */
export function siblings(graph: Graph, node: number): Siblings | undefined {
  const { parent, kind, name, cls } = graph.groups;
  let member = graph.nodes.group[node] ?? 0;
  while (member > 0 && KINDS[kind[parent[member] ?? 0] ?? 0] !== "fold") member = parent[member] ?? 0;
  if (member === 0 || graph.leafOf(node) >= 0) return undefined;
  const fold = parent[member];
  const members: number[] = [];
  for (let group = 0; group < graph.groups.count; group++) if (parent[group] === fold) members.push(group);
  const inside = nodesOf(graph, new Set(members));
  const at = inside.get(member)?.indexOf(node) ?? -1;
  const found = members.flatMap((group) => {
    const same = inside.get(group)?.[at];
    return same === undefined ? [] : [{ group, same }];
  });
  return {
    names: found.map(
      ({ group }, order) =>
        graph
          .string(name[group] ?? -1)
          .split(".")
          .at(-1) || String(order + 1),
    ),
    keys: found.map(({ same }) => `n${same}`),
    own: found.findIndex(({ group }) => group === member),
    cls: graph.string(cls[member] ?? -1),
  };
}

/** Nodes inside each of `groups`, at any depth, in the order of execution; leaves do not count. */
function nodesOf(graph: Graph, groups: ReadonlySet<number>): Map<number, number[]> {
  const { parent } = graph.groups;
  const holder = new Int32Array(graph.groups.count).fill(-2);
  const holderOf = (group: number): number => {
    if (group <= 0) return -1;
    const known = holder[group] ?? -1;
    if (known > -2) return known;
    const found = groups.has(group) ? group : holderOf(parent[group] ?? 0);
    holder[group] = found;
    return found;
  };
  const inside = new Map<number, number[]>();
  for (let node = 0; node < graph.nodes.count; node++) {
    const group = holderOf(graph.nodes.group[node] ?? 0);
    if (group < 0 || graph.leafOf(node) >= 0) continue;
    const list = inside.get(group);
    if (list === undefined) inside.set(group, [node]);
    else list.push(node);
  }
  return inside;
}
