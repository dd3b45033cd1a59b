/** The graph as the tables hold it, with its edges in both directions and its groups in order. */

import type { Column, Table, Tables } from "../core/tables";
import { bySource, grouped, readingOrder } from "./order";

export type TableName = "strings" | "groups" | "nodes" | "edges" | "leaves" | "steps" | "arrivals" | "flows";

/** A child of a group: a node as its id, a group `g` as `~g`. */
export type Item = number;

/** Kinds of groups, in the order of the table's numbers. */
export const GROUP_KINDS = ["root", "module", "chain", "repeat", "section", "fold"] as const;
export type GroupKind = (typeof GROUP_KINDS)[number];

type Columns<Name extends string, T> = Readonly<Record<Name, T>>;

/** Rows of one table as columns of integers, bytes and floats. Integers are places of strings where they name one. */
type Part<Ints extends string, Bytes extends string = never, Floats extends string = never> = {
  readonly count: number;
} & Columns<Ints, Int32Array> &
  Columns<Bytes, Uint8Array> &
  Columns<Floats, Float32Array>;

const PARTS = ["nodes", "edges", "groups", "leaves"] as const;

/** Everything is built once in linear time; a graph never changes, only strings are added. */
export class Graph {
  readonly nodes: Part<
    "type" | "scope" | "group" | "inputs" | "text" | "value" | "sequence",
    "kind" | "flags",
    "bytes"
  >;
  readonly edges: Part<"source" | "slot" | "target" | "input">;
  readonly groups: Part<"parent" | "name" | "cls" | "shape", "kind">;
  readonly leaves: Part<"node" | "name" | "shape" | "before", "parameter" | "drawn" | "shared", "bytes">;
  /** Nodes that are drawn, as ids in reading order: each group's nodes stand together. */
  readonly order: Int32Array;
  /** Place of a node in `order`; -1 for a parameter, which is a chip. */
  readonly position: Int32Array;
  /** The nodes of group `g` are `order[from[g]]` up to `order[to[g] - 1]`. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** Edges that leave node `n`: `outEdges[outStart[n]]` up to `outEdges[outStart[n + 1] - 1]`, by slot. */
  readonly outStart: Int32Array;
  readonly outEdges: Int32Array;
  readonly inStart: Int32Array;
  readonly inEdges: Int32Array;
  readonly #strings: readonly string[];
  readonly #leafOf: Int32Array;
  readonly #childStart: Int32Array;
  readonly #children: Int32Array;

  constructor(tables: Pick<Tables<TableName>, "table">) {
    this.#strings = tables.table("strings").strings;
    const [nodes, edges, groups, leaves] = PARTS.map((name) => tables.table(name)) as [Table, Table, Table, Table];
    this.nodes = {
      count: nodes.length,
      ...columns(nodes, Int32Array, { type: -1, scope: -1, group: 0, inputs: 1, text: -1, value: -1, sequence: -1 }),
      ...columns(nodes, Uint8Array, { kind: 0, flags: 0 }),
      ...columns(nodes, Float32Array, { bytes: 0 }),
    };
    this.edges = { count: edges.length, ...columns(edges, Int32Array, { source: 0, slot: 0, target: 0, input: 0 }) };
    this.groups = {
      count: groups.length,
      ...columns(groups, Int32Array, { parent: -1, name: -1, cls: -1, shape: -1 }),
      ...columns(groups, Uint8Array, { kind: 0 }),
    };
    this.leaves = {
      count: leaves.length,
      ...columns(leaves, Int32Array, { node: 0, name: -1, shape: -1, before: -1 }),
      ...columns(leaves, Float32Array, { bytes: 0 }),
      ...columns(leaves, Uint8Array, { parameter: 0, drawn: 0, shared: 0 }),
    };
    const { count } = this.nodes;
    [this.outStart, this.outEdges] = bySource(this.edges.source, count);
    [this.inStart, this.inEdges] = bySource(this.edges.target, count);
    this.#leafOf = new Int32Array(count).fill(-1);
    const chip = new Uint8Array(count);
    this.leaves.node.forEach((node, row) => {
      this.#leafOf[node] = row;
      // Without a consumer there is no box to stand beside.
      const consumed = (this.inStart[node + 1] ?? 0) > (this.inStart[node] ?? 0);
      chip[node] = this.leaves.drawn[row] === 0 && consumed ? 1 : 0;
    });
    [this.#childStart, this.#children] = grouped(this.nodes.group, this.groups.parent, chip);
    const reading = readingOrder(this.#childStart, this.#children, count);
    this.order = reading.order;
    this.position = reading.position;
    this.from = reading.from;
    this.to = reading.to;
  }

  /** A string by its place; empty for -1. */
  string(place: number): string {
    return this.#strings[place] ?? "";
  }

  /** How many strings came so far. */
  get strings(): number {
    return this.#strings.length;
  }

  typeOf(node: number): string {
    return this.string(this.nodes.type[node] ?? -1);
  }

  /** Row of a node in `leaves`, or -1. */
  leafOf(node: number): number {
    return this.#leafOf[node] ?? -1;
  }

  /** Whether a node is a parameter that is drawn as a chip beside its consumers. */
  isChip(node: number): boolean {
    return this.position[node] === -1;
  }

  isParameter(node: number): boolean {
    const row = this.leafOf(node);
    return row >= 0 && this.leaves.parameter[row] === 1;
  }

  kindOf(group: number): GroupKind {
    return GROUP_KINDS[this.groups.kind[group] ?? 0] ?? "root";
  }

  /** What stands directly in a group, in the order of execution. */
  childrenOf(group: number): Int32Array {
    return this.#children.subarray(this.#childStart[group] ?? 0, this.#childStart[group + 1] ?? 0);
  }

  /** The group a node or group stands in; -1 for the root. */
  parentOf(item: Item): number {
    if (item >= 0) return Math.max(this.nodes.group[item] ?? 0, 0);
    return this.groups.parent[~item] ?? -1;
  }

  /** Where the nodes of an item stand in `order`: first place, and the place after the last. */
  range(item: Item): readonly [number, number] {
    if (item < 0) return [this.from[~item] ?? 0, this.to[~item] ?? 0];
    const place = this.position[item] ?? -1;
    return place < 0 ? [0, 0] : [place, place + 1];
  }

  /** Edges that leave a node, by slot. */
  out(node: number): Int32Array {
    return this.outEdges.subarray(this.outStart[node] ?? 0, this.outStart[node + 1] ?? 0);
  }

  /** Edges that arrive at a node. */
  into(node: number): Int32Array {
    return this.inEdges.subarray(this.inStart[node] ?? 0, this.inStart[node + 1] ?? 0);
  }

  /** The node whose box a node is seen with: itself, or the first consumer of a parameter. */
  home(node: number): number {
    if (!this.isChip(node)) return node;
    let first = node;
    for (const edge of this.into(node)) {
      const source = this.edges.source[edge] ?? node;
      if (first === node || (this.position[source] ?? 0) < (this.position[first] ?? 0)) first = source;
    }
    return first;
  }

  /** Which inputs of a node nothing sends to, though its forward operation gave that output. */
  unused(node: number): readonly number[] {
    const fed = new Set(Array.from(this.into(node), (edge) => this.edges.input[edge]));
    const inputs = this.nodes.inputs[node] ?? 0;
    return fed.size === 0 ? [] : Array.from({ length: inputs }, (_, input) => input).filter((input) => !fed.has(input));
  }
}

/** Columns as they came, cut to their rows; `missing` is what a column that never came holds in every row. */
function columns<Name extends string, T extends Column>(
  table: Table,
  kind: new (length: number) => T,
  missing: Columns<Name, number>,
): Columns<Name, T> {
  const made = Object.entries<number>(missing).map(([name, value]) => {
    const column = table.column(name).subarray(0, table.length);
    if (column instanceof kind && column.length === table.length) return [name, column];
    const filled = new kind(table.length);
    filled.fill(value);
    if (column.length === table.length) filled.set(column);
    return [name, filled];
  });
  return Object.fromEntries(made) as Columns<Name, T>;
}
