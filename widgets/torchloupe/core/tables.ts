/** Tables pulled from the kernel, piece by piece; the twin of `tables.py`. */

import type { Link, Reply } from "./link";

export type Column = Int32Array | Uint8Array | Float32Array;
type Kind = "i" | "u" | "f";

const WIDE: Readonly<Record<Kind, 1 | 4>> = { i: 4, u: 1, f: 4 };
const PATIENCE_MS = 2000;

function made(kind: Kind, length: number): Column {
  if (kind === "u") return new Uint8Array(length);
  return kind === "i" ? new Int32Array(length) : new Float32Array(length);
}

function read(kind: Kind, view: DataView): Column {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength).slice();
  if (kind === "u") return bytes;
  return kind === "i" ? new Int32Array(bytes.buffer) : new Float32Array(bytes.buffer);
}

/** One table as far as it has arrived. Columns are longer than `length`: what lies beyond is no row. */
export class Table {
  readonly strings: string[] = [];
  length = 0;
  readonly #columns = new Map<string, Column>();

  /** A column by name; empty before its first rows came. */
  column(name: string): Column {
    return this.#columns.get(name) ?? new Int32Array(0);
  }

  /** Takes the rows of a piece, if they are the next ones. */
  take(reply: Reply, buffers: readonly DataView[]): boolean {
    const count = Number(reply["count"]);
    if (reply["from"] !== this.length || count === 0) return false;
    const strings = reply["strings"];
    if (Array.isArray(strings)) this.strings.push(...strings.map(String));
    const columns = (reply["columns"] ?? []) as readonly (readonly [string, Kind])[];
    columns.forEach(([name, kind], place) => {
      const buffer = buffers[place];
      if (buffer === undefined || buffer.byteLength !== count * WIDE[kind]) throw new Error(`column "${name}" is torn`);
      this.#room(name, kind, this.length + count).set(read(kind, buffer), this.length);
    });
    this.length += count;
    return true;
  }

  #room(name: string, kind: Kind, length: number): Column {
    const have = this.#columns.get(name);
    if (have !== undefined && have.length >= length) return have;
    const grown = made(kind, have === undefined ? length : Math.max(length, have.length * 2));
    if (have !== undefined) grown.set(have);
    this.#columns.set(name, grown);
    return grown;
  }
}

/** Keeps tables as long as a frame says they are. One question is under way at a time. */
export class Tables<Name extends string> {
  #tables = new Map<Name, Table>();
  #wanted: Readonly<Record<Name, number>> | undefined;
  #epoch = -1;
  #asked: { name: Name; from: number; at: number } | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param link the line to the kernel
   * @param grown called when rows came, with whether every table is whole by now
   */
  constructor(
    private readonly link: Pick<Link<unknown>, "send">,
    private readonly grown: (whole: boolean) => void,
  ) {}

  table(name: Name): Table {
    let table = this.#tables.get(name);
    if (table === undefined) {
      table = new Table();
      this.#tables.set(name, table);
    }
    return table;
  }

  get whole(): boolean {
    return this.#lacking() === undefined;
  }

  /** Says how many rows there are; another epoch starts all tables anew. The order of `rows` is the order of pulling. */
  want(epoch: number, rows: Readonly<Record<Name, number>>): void {
    if (epoch !== this.#epoch) {
      this.#tables = new Map();
      this.#asked = undefined;
      this.#epoch = epoch;
    }
    this.#wanted = rows;
    this.#ask();
  }

  /** Takes a reply if it is a piece of a table. */
  receive(reply: Reply, buffers: readonly DataView[]): void {
    if (reply.type !== "rows" || reply["epoch"] !== this.#epoch) return;
    const name = reply["table"] as Name;
    const taken = this.table(name).take(reply, buffers);
    if (!taken) return;
    if (this.#asked?.name === name && this.#asked.from === reply["from"]) this.#asked = undefined;
    this.#ask();
    this.grown(this.whole);
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #lacking(): Name | undefined {
    const wanted = Object.entries(this.#wanted ?? {}) as [Name, number][];
    return wanted.find(([name, rows]) => this.table(name).length < rows)?.[0];
  }

  #ask(): void {
    if (this.#asked !== undefined) return;
    const name = this.#lacking();
    if (name === undefined) return;
    const asked = { name, from: this.table(name).length, at: Date.now() };
    this.#asked = asked;
    this.link.send({ type: "pull", epoch: this.#epoch, table: name, from: asked.from });
    clearTimeout(this.#timer);
    // A message may be lost, and a busy kernel may answer late: ask again, the same rows come once.
    this.#timer = setTimeout(() => {
      if (this.#asked === asked) {
        this.#asked = undefined;
        this.#ask();
      }
    }, PATIENCE_MS);
  }
}
