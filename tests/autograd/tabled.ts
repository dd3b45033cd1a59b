/** Tables as a kernel sends them, from plain arrays, for the tests of the model. */

import { GROUP_KINDS, type GroupKind, type TableName } from "../../widgets/torchloupe/autograd/graph";
import type { First, Frame } from "../../widgets/torchloupe/autograd/state";
import type { Reply } from "../../widgets/torchloupe/core/link";
import { Table } from "../../widgets/torchloupe/core/tables";

export interface NodeRow {
  readonly type: string;
  readonly group?: number;
  readonly scope?: string;
  readonly text?: string;
  readonly value?: string;
  readonly inputs?: number;
  readonly bytes?: number;
}

export interface EdgeRow {
  readonly source: number;
  readonly target: number;
  readonly slot?: number;
  readonly input?: number;
}

export interface GroupRow {
  readonly parent: number;
  readonly kind: GroupKind;
  readonly name?: string;
  readonly cls?: string;
  readonly shape?: number;
}

export interface LeafRow {
  readonly node: number;
  readonly name: string;
  readonly shape?: string;
  readonly parameter?: boolean;
  readonly drawn?: boolean;
  readonly shared?: boolean;
  readonly before?: string;
}

export interface Rows {
  readonly nodes: readonly NodeRow[];
  readonly edges: readonly EdgeRow[];
  readonly groups?: readonly GroupRow[];
  readonly leaves?: readonly LeafRow[];
}

type Kind = "i" | "u" | "f";
const WIDTH = { i: Int32Array, u: Uint8Array, f: Float32Array } as const;

/** Appends rows to a table through the same door a kernel's reply takes. */
export function append(table: Table, columns: Readonly<Record<string, readonly [Kind, readonly number[]]>>): void {
  const names = Object.entries(columns);
  const count = names[0]?.[1][1].length ?? 0;
  const buffers = names.map(([, [kind, values]]) => new DataView(WIDTH[kind].from(values).buffer));
  const reply: Reply = {
    type: "rows",
    from: table.length,
    count,
    columns: names.map(([name, [kind]]) => [name, kind]),
  };
  table.take(reply, buffers);
}

/** All eight tables of a record; the last three are empty until steps are appended. */
export class Tabled {
  readonly #tables = new Map<TableName, Table>();
  readonly #places = new Map<string, number>();

  constructor({ nodes, edges, groups = [{ parent: -1, kind: "root" }], leaves = [] }: Rows) {
    const ints = (values: readonly number[]): readonly [Kind, readonly number[]] => ["i", values];
    const flags = (values: readonly (boolean | undefined)[]): readonly [Kind, readonly number[]] => [
      "u",
      values.map(Number),
    ];
    const words = (values: readonly (string | undefined)[]) => ints(values.map((value) => this.string(value)));
    append(this.table("groups"), {
      parent: ints(groups.map((group) => group.parent)),
      name: words(groups.map((group) => group.name)),
      cls: words(groups.map((group) => group.cls)),
      kind: ["u", groups.map((group) => GROUP_KINDS.indexOf(group.kind))],
      shape: ints(groups.map((group) => group.shape ?? -1)),
    });
    append(this.table("nodes"), {
      type: words(nodes.map((node) => node.type)),
      scope: words(nodes.map((node) => node.scope)),
      group: ints(nodes.map((node) => node.group ?? 0)),
      kind: ["u", nodes.map((node) => (node.type === "AccumulateGrad" ? 1 : 0))],
      flags: ["u", nodes.map(() => 0)],
      inputs: ints(nodes.map((node) => node.inputs ?? 1)),
      bytes: ["f", nodes.map((node) => node.bytes ?? 0)],
      text: words(nodes.map((node) => node.text)),
      value: words(nodes.map((node) => node.value)),
      sequence: ints(nodes.map((_, id) => nodes.length - id)),
    });
    append(this.table("edges"), {
      source: ints(edges.map((edge) => edge.source)),
      slot: ints(edges.map((edge) => edge.slot ?? 0)),
      target: ints(edges.map((edge) => edge.target)),
      input: ints(edges.map((edge) => edge.input ?? 0)),
    });
    append(this.table("leaves"), {
      node: ints(leaves.map((leaf) => leaf.node)),
      name: words(leaves.map((leaf) => leaf.name)),
      shape: words(leaves.map((leaf) => leaf.shape)),
      bytes: ["f", leaves.map(() => 4)],
      parameter: flags(leaves.map((leaf) => leaf.parameter ?? false)),
      drawn: flags(leaves.map((leaf) => leaf.drawn ?? false)),
      shared: flags(leaves.map((leaf) => leaf.shared ?? false)),
      before: words(leaves.map((leaf) => leaf.before)),
    });
  }

  table(name: TableName): Table {
    const known = this.#tables.get(name) ?? new Table();
    this.#tables.set(name, known);
    return known;
  }

  /** The place of a string, which is added when it is new; -1 for none. */
  string(value: string | undefined): number {
    if (value === undefined) return -1;
    const known = this.#places.get(value);
    if (known !== undefined) return known;
    const strings = this.table("strings");
    strings.take({ type: "rows", from: strings.length, count: 1, strings: [value] }, []);
    this.#places.set(value, strings.length - 1);
    return strings.length - 1;
  }

  /** A node is about to run: what has arrived at it. */
  arrive(step: number, node: number, look: number, norm: number, text?: string): void {
    this.#gradient("arrivals", { step, node, input: 0 }, look, norm, text);
  }

  /** A node has run as step `step`. */
  run(step: number, node: number): void {
    if (this.table("steps").length !== step - 1) throw new Error("steps come in order");
    append(this.table("steps"), { node: ["i", [node]] });
  }

  /** What a node that ran sent through one of its edges. */
  send(step: number, edge: number, look: number, norm: number, text?: string): void {
    this.#gradient("flows", { step, edge }, look, norm, text);
  }

  #gradient(name: TableName, about: Record<string, number>, look: number, norm: number, text?: string): void {
    const ints = Object.entries(about).map(([column, value]) => [column, ["i", [value]] as const] as const);
    append(this.table(name), {
      ...Object.fromEntries(ints),
      look: ["u", [look]],
      norm: ["f", [norm]],
      text: ["i", [this.string(text)]],
    });
  }

  /** A frame that says how many rows there are. */
  frame(changes: Partial<Frame> = {}): Frame {
    const names = ["strings", "nodes", "edges", "groups", "leaves", "steps", "arrivals", "flows"] as const;
    const rows = Object.fromEntries(
      names.map((name) => [name, this.table(name).length || this.table(name).strings.length]),
    );
    const first: First = { boxes: [], edges: [] };
    return {
      epoch: 1,
      name: "y.backward()",
      mode: "replay",
      phase: "done",
      why_empty: null,
      way_out: null,
      roots: [],
      others: [],
      first,
      rows: rows as unknown as Frame["rows"],
      nodes: this.table("nodes").length,
      edges: this.table("edges").length,
      scopes: "none",
      lines: false,
      code: [],
      next: -1,
      leaves_module: false,
      run_ahead: -1,
      first_bad: -1,
      notes: [],
      failure: null,
      explanation: null,
      ...changes,
    };
  }
}
