/** Which gradients have come at any place of a backward; grows with the tables. */

import type { Table, Tables } from "../core/tables";
import type { TableName } from "./graph";
import { type Bare, type Flow, type Gradient, gradient, LOOK, type Look, NOT_RUN, together } from "./looks";

const MOST_READ = 4096;

/** Rows of a table by what they are about, the newest first. */
class Index {
  read = 0;
  readonly #newest: Int32Array;
  readonly #older: number[] = [];

  constructor(
    private readonly table: Table,
    private readonly column: string,
    size: number,
  ) {
    this.#newest = new Int32Array(size).fill(-1);
  }

  /** Takes rows that came; `each` is called for all of them. */
  grow(each: (row: number) => void): void {
    const about = this.table.column(this.column);
    for (; this.read < this.table.length; this.read++) {
      const id = about[this.read] ?? 0;
      this.#older.push(this.#newest[id] ?? -1);
      this.#newest[id] = this.read;
      each(this.read);
    }
  }

  /** The newest row about `id` of step `step` or before, or -1. */
  row(id: number, step: number): number {
    const steps = this.table.column("step");
    let row = this.#newest[id] ?? -1;
    while (row >= 0 && (steps[row] ?? 0) > step) row = this.#older[row] ?? -1;
    return row;
  }

  /** That row and those of the same step, in their order. */
  rows(id: number, step: number): number[] {
    const steps = this.table.column("step");
    const newest = this.row(id, step);
    const found: number[] = [];
    for (let row = newest; row >= 0 && steps[row] === steps[newest]; row = this.#older[row] ?? -1) found.push(row);
    return found.reverse();
  }
}

export class Gradients {
  /** Least and greatest norm of all arrivals with a value. */
  least = Infinity;
  most = 0;
  readonly #steps: Table;
  readonly #arrivals: Table;
  readonly #flows: Table;
  readonly #byNode: Index;
  readonly #byEdge: Index;
  readonly #stepOf: Int32Array;
  #counted = 0;
  #predicted: { readonly done: number; readonly nodes: Int32Array; readonly stepOf: Int32Array } | undefined;

  constructor(
    private readonly tables: Pick<Tables<TableName>, "table">,
    private readonly nodes: number,
    edges: number,
  ) {
    this.#steps = tables.table("steps");
    this.#arrivals = tables.table("arrivals");
    this.#flows = tables.table("flows");
    this.#byNode = new Index(this.#arrivals, "node", nodes);
    this.#byEdge = new Index(this.#flows, "edge", edges);
    this.#stepOf = new Int32Array(nodes);
  }

  /** Takes the rows that came since the last call; returns whether there were any. */
  grow(): boolean {
    const before = this.#byNode.read + this.#byEdge.read + this.#counted;
    const node = this.#steps.column("node");
    for (; this.#counted < this.#steps.length; this.#counted++)
      this.#stepOf[node[this.#counted] ?? 0] = this.#counted + 1;
    const look = this.#arrivals.column("look");
    const norm = this.#arrivals.column("norm");
    this.#byNode.grow((row) => {
      const size = norm[row] ?? 0;
      if (look[row] !== LOOK.value || !Number.isFinite(size) || size <= 0) return;
      this.least = Math.min(this.least, size);
      this.most = Math.max(this.most, size);
    });
    this.#byEdge.grow(() => undefined);
    return before !== this.#byNode.read + this.#byEdge.read + this.#counted;
  }

  /** Rows of `steps`: nodes that have run, or are about to. */
  get steps(): number {
    return this.#counted;
  }

  /** The step of a node that has a row in `steps`, else 0. */
  stepOf(node: number): number {
    return this.#stepOf[node] ?? 0;
  }

  nodeAt(step: number): number {
    return step >= 1 && step <= this.#counted ? (this.#steps.column("node")[step - 1] ?? -1) : -1;
  }

  /** Steps of all nodes: those without a row follow in the order of their ids, in which the engine will run them. */
  predicted(): { readonly nodes: Int32Array; readonly stepOf: Int32Array } {
    if (this.#predicted?.done === this.#counted) return this.#predicted;
    const nodes = new Int32Array(this.nodes);
    const stepOf = this.#stepOf.slice();
    let step = this.#counted;
    for (let node = 0; node < this.nodes; node++) if (stepOf[node] === 0) stepOf[node] = ++step;
    stepOf.forEach((each, node) => {
      nodes[each - 1] = node;
    });
    this.#predicted = { done: this.#counted, nodes, stepOf };
    return this.#predicted;
  }

  /** What had arrived at a node when `place` steps were done. It is known when the node is about to run. */
  arrival(node: number, place: number): Gradient | undefined {
    const rows = this.#byNode.rows(node, place + 1);
    const [only] = rows;
    if (only === undefined) return undefined;
    if (rows.length === 1) return this.#read(this.#arrivals, only);
    const { look, norm } = together(rows.map((row) => bare(this.#arrivals, row)));
    return gradient(look, norm, "");
  }

  /** What had come through an edge when `place` steps were done. */
  through(edge: number, place: number): Gradient {
    const row = this.#byEdge.row(edge, place);
    return row < 0 ? NOT_RUN : this.#read(this.#flows, row);
  }

  /** What had come through many edges; of very many a part is read. */
  throughAll(edges: ArrayLike<number>, place: number): Flow {
    const rows: number[] = [];
    const stride = Math.max(1, Math.ceil(edges.length / MOST_READ));
    for (let at = 0; at < edges.length; at += stride) {
      const row = this.#byEdge.row(edges[at] ?? -1, place);
      if (row >= 0) rows.push(row);
    }
    const [only] = rows;
    if (only === undefined) return { ...NOT_RUN, count: 0 };
    if (rows.length === 1) return { ...this.#read(this.#flows, only), count: 1 };
    const { look, norm, count } = together(rows.map((row) => bare(this.#flows, row)));
    return { ...gradient(look, norm, ""), count };
  }

  /** The norm of what had arrived at a node, 0 for zero, NaN for anything but a finite value. */
  normAt(node: number, place: number): number {
    return normOf(together(this.#byNode.rows(node, place + 1).map((row) => bare(this.#arrivals, row))));
  }

  normThrough(edge: number, place: number): number {
    const row = this.#byEdge.row(edge, place);
    return row < 0 ? Number.NaN : normOf(bare(this.#flows, row));
  }

  #read(table: Table, row: number): Gradient {
    const { look, norm } = bare(table, row);
    const text = table.column("text")[row] ?? -1;
    return gradient(look, norm, text < 0 ? "" : (this.tables.table("strings").strings[text] ?? ""));
  }
}

function bare(table: Table, row: number): Bare {
  return { look: (table.column("look")[row] ?? 0) as Look, norm: table.column("norm")[row] ?? Number.NaN };
}

function normOf({ look, norm }: Bare): number {
  if (look === LOOK.zero) return 0;
  return look === LOOK.value ? norm : Number.NaN;
}
