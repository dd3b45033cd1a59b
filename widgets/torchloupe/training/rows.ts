/** The rows of the strip: its layers, folded by module where there are many. */

import type { Strip } from "./plot_model";
import { distance } from "./shades";

export interface Row {
  readonly name: string;
  /** Places of its layers in the strip; several when it is folded. */
  readonly members: readonly number[];
  /** Whether it stands for a module that is closed or open; else it is a layer. */
  readonly fold?: "closed" | "open";
}

const MOST_ROWS = 12;
const WORST = 3;

/** The rows of a strip; `opened` are names of folded rows that a person opened. */
export function rowsOf(strip: Strip, opened: ReadonlySet<string>): Row[] {
  const names = strip.layers.map(({ name }) => name);
  if (names.length <= MOST_ROWS) return names.map((name, at) => ({ name, members: [at] }));
  const groups = grouped(names, depthFor(names));
  return groups.flatMap((row) => (row.fold !== undefined && opened.has(row.name) ? openRows(row, names) : [row]));
}

function openRows(row: Row, names: readonly string[]): Row[] {
  return [{ ...row, fold: "open" }, ...row.members.map((at) => ({ name: names[at] ?? "", members: [at] }))];
}

/** The three rows that are furthest from healthy, in their order. */
export function worstRows(strip: Strip, rows: readonly Row[]): Row[] {
  const far = (row: Row): number =>
    Math.max(...row.members.map((at) => distance(strip.measure, strip.layers[at]?.newest ?? Number.NaN)));
  const kept = new Set([...rows].sort((a, b) => far(b) - far(a)).slice(0, WORST));
  return rows.filter((row) => kept.has(row));
}

function prefix(name: string, depth: number): string {
  return name.split(".").slice(0, depth).join(".");
}

/** The deepest folding that leaves at most so many rows, else the shallowest. */
function depthFor(names: readonly string[]): number {
  const deepest = Math.max(...names.map((name) => name.split(".").length));
  for (let depth = deepest - 1; depth > 1; depth -= 1) {
    if (new Set(names.map((name) => prefix(name, depth))).size <= MOST_ROWS) return depth;
  }
  return 1;
}

function grouped(names: readonly string[], depth: number): Row[] {
  const groups = new Map<string, number[]>();
  names.forEach((name, at) => {
    const key = prefix(name, depth);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [at]);
    else group.push(at);
  });
  return [...groups].map(([name, members]): Row => {
    const [only] = members;
    if (members.length === 1 && only !== undefined) return { name: names[only] ?? name, members };
    return { name, members, fold: "closed" };
  });
}

/** The value of a row in a cell: the one furthest from healthy among its layers. */
export function cellOf(strip: Strip, row: Row, cell: number): number {
  const [only] = row.members;
  if (row.members.length === 1 && only !== undefined) return strip.cells[only * strip.count + cell] ?? Number.NaN;
  return furthest(
    strip,
    row.members.map((at) => strip.cells[at * strip.count + cell] ?? Number.NaN),
  );
}

function furthest(strip: Strip, values: readonly number[]): number {
  let worst = Number.NaN;
  for (const value of values) if (distance(strip.measure, value) > distance(strip.measure, worst)) worst = value;
  return worst;
}

/** The newest value of a row. */
export function newestOf(strip: Strip, row: Row): number {
  return furthest(
    strip,
    row.members.map((at) => strip.layers[at]?.newest ?? Number.NaN),
  );
}

/** The value of a row at a step; the last measured one when the cell of that step has none. */
export function rowAt(strip: Strip, row: Row, step: number): number {
  const wide = (strip.right - strip.left) / strip.count;
  const cell = Math.floor((step - strip.left) / wide);
  for (let at = Math.min(cell, strip.count - 1); at >= 0; at -= 1) {
    const value = cellOf(strip, row, at);
    if (!Number.isNaN(value)) return value;
  }
  return Number.NaN;
}

/** A name that is at most so wide: its modules shortened from the left (`b2.fc1`), then its beginning cut. */
export function shortName(name: string, fits: (text: string) => boolean): string {
  const parts = name.split(".");
  for (let kept = 0; kept < parts.length; kept += 1) {
    const tried = parts.map((part, at) => (at < kept && at < parts.length - 1 ? initial(part) : part)).join(".");
    if (fits(tried)) return tried;
  }
  const short = parts.map((part, at) => (at < parts.length - 1 ? initial(part) : part)).join(".");
  for (let from = 1; from < short.length; from += 1) if (fits(`…${short.slice(from)}`)) return `…${short.slice(from)}`;
  return "";
}

function initial(part: string): string {
  return /^([^\d]?)[^\d]*(\d*)$/.exec(part)?.slice(1).join("") ?? part;
}
