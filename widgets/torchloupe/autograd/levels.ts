/** The levels of open groups, made when they are asked for and kept until they change. */

import { chipsIn } from "./chips";
import { Crossings } from "./crossings";
import type { Run } from "./folds";
import type { Graph, Item } from "./graph";
import { keyOf, stackKey } from "./keys";
import type { Box, Key, Kind, Level, Strand } from "./level";
import { type Lifted, lifted, strands } from "./lifted";
import type { Openings } from "./openings";
import { stackTitle, type Title, titleOf } from "./titles";

export class Levels {
  readonly #levels = new Map<number, Level>();
  readonly #lifted = new Map<number, Lifted>();
  readonly #strands = new Map<number, readonly Strand[]>();
  readonly #closed = new Map<Key, Box>();
  readonly #crossings: Crossings;

  constructor(
    private readonly graph: Graph,
    private readonly openings: Openings,
  ) {
    this.#crossings = new Crossings(graph);
  }

  level(group: number): Level {
    const known = this.#levels.get(group);
    if (known !== undefined) return known;
    const { graph } = this;
    const runs = this.openings.runs(group);
    const made: Level = {
      key: keyOf(~group),
      boxes: runs
        ? runs.map((run) => this.#boxOfRun(group, run))
        : Array.from(graph.childrenOf(group), (item) => this.#boxOf(item)),
      strands: this.#strandsOf(group, runs),
      shape: runs !== undefined || group === 0 ? -1 : (graph.groups.shape[group] ?? -1),
    };
    this.#levels.set(group, made);
    return made;
  }

  /** Forgets the level of a group, but not what of it cannot change. */
  forget(group: number): void {
    this.#levels.delete(group);
    if (this.graph.kindOf(group) === "fold") this.#strands.delete(group);
  }

  #strandsOf(group: number, runs: readonly Run[] | undefined): readonly Strand[] {
    const known = this.#strands.get(group);
    if (known !== undefined) return known;
    const raised = this.#lifted.get(group) ?? lifted(this.graph, this.#crossings, group);
    this.#lifted.set(group, raised);
    const boxAt = Int32Array.from(this.graph.childrenOf(group), (_, child) => child);
    runs?.forEach(({ from, to }, box) => {
      boxAt.fill(box, from, to + 1);
    });
    const made = strands(raised, boxAt);
    this.#strands.set(group, made);
    return made;
  }

  #boxOfRun(fold: number, { from, to }: Run): Box {
    const { graph } = this;
    const members = graph.childrenOf(fold);
    if (from === to) return this.#boxOf(members[from] ?? 0);
    const [first] = graph.range(members[from] ?? 0);
    const [, end] = graph.range(members[to] ?? 0);
    const spot = { key: stackKey(fold, from, to), kind: "stack", item: ~fold, members: to - from + 1 } as const;
    return this.#box(spot, first, end, () => stackTitle(graph, fold, from, to));
  }

  #boxOf(item: Item): Box {
    const { graph } = this;
    const [from, to] = graph.range(item);
    const members = item < 0 && graph.kindOf(~item) === "fold" ? graph.childrenOf(~item).length : 1;
    const spot = { key: keyOf(item), kind: kindOf(graph, item), item, members };
    const box = this.#box(spot, from, to, () => titleOf(graph, item));
    return item < 0 && this.openings.isOpen(~item) ? { ...box, open: true, chips: [], moreChips: 0 } : box;
  }

  #box(
    { key, kind, item, members }: { key: Key; kind: Kind; item: Item; members: number },
    from: number,
    to: number,
    title: () => Title,
  ): Box {
    const known = this.#closed.get(key);
    if (known !== undefined) return known;
    const [node, group] = item < 0 ? [-1, ~item] : [item, -1];
    const chips = chipsIn(this.graph, this.#crossings, from, to);
    const rest = {
      count: node < 0 ? this.#crossings.operations(from, to) : 1,
      members,
      open: false,
      expandable: item < 0,
    };
    const made: Box = { key, kind, node, group, ...title(), ...rest, ...chips };
    this.#closed.set(key, made);
    return made;
  }
}

function kindOf(graph: Graph, item: Item): Kind {
  if (item >= 0) return graph.leafOf(item) < 0 ? "node" : "leaf";
  const kind = graph.kindOf(~item);
  return kind === "root" ? "module" : kind;
}
