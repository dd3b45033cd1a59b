/** Parameters as chips beside the boxes their gradients leave. */

import type { Crossings } from "./crossings";
import type { Graph } from "./graph";
import type { Chip } from "./level";

export interface Chips {
  readonly chips: readonly Chip[];
  readonly moreChips: number;
}

const MOST_NAMED = 3;
const NONE: Chips = { chips: [], moreChips: 0 };

/** The parameters that nodes `from` to `to - 1` of the reading order send gradients to, each once. */
export function chipsIn(graph: Graph, { toChips }: Crossings, from: number, to: number): Chips {
  const found = new Set<number>();
  const [first, end] = toChips.between(from, to);
  for (let at = first; at < end; at++) found.add(graph.edges.target[toChips.edges[at] ?? 0] ?? 0);
  if (found.size === 0) return NONE;
  const scope = scopeOf(graph, from, to);
  const chips = [...found].slice(0, MOST_NAMED).map((leaf) => chipOf(graph, leaf, scope));
  return { chips, moreChips: found.size - chips.length };
}

function chipOf(graph: Graph, leaf: number, scope: string): Chip {
  const { leaves } = graph;
  const row = graph.leafOf(leaf);
  const name = graph.string(leaves.name[row] ?? -1);
  return {
    name: name === "" ? graph.typeOf(leaf) : inside(name, scope),
    detail: crossed(graph.string(leaves.shape[row] ?? -1)),
    leaf,
    shared: leaves.shared[row] === 1,
  };
}

/** `(768, 2304)` as `768×2304`. */
function crossed(shape: string): string {
  return shape.replace(/[()]/g, "").replaceAll(", ", "×");
}

/** Names of one parameter as seen inside a module: its own name there first and short. */
export function inside(names: string, scope: string): string {
  const prefix = `${scope}.`;
  const own = (name: string): boolean => scope !== "" && name.startsWith(prefix);
  const all = names.split(" = ");
  const ordered = [...all.filter(own), ...all.filter((name) => !own(name))];
  return ordered.map((name) => (own(name) ? name.slice(prefix.length) : name)).join(" = ");
}

/** The module path that the first and the last operation of a range share. */
export function scopeOf(graph: Graph, from: number, to: number): string {
  let last = to - 1;
  while (last > from && graph.leafOf(graph.order[last] ?? 0) >= 0) last--;
  const [a, b] = [from, last].map((place) => graph.string(graph.nodes.scope[graph.order[place] ?? 0] ?? -1));
  const parts = (a ?? "").split(".");
  const others = (b ?? "").split(".");
  const differ = parts.findIndex((part, place) => part !== others[place]);
  return (differ < 0 ? parts : parts.slice(0, differ)).join(".");
}
