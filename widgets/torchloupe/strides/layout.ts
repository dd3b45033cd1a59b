/** Where everything stands, in CSS pixels. Pure: the same input gives the same picture. */

import { cellOf } from "./address";
import { short } from "./axis";
import type { StorageState, TensorState } from "./state";

export const GAP = 1.5;
/** At and below this width a lens is narrow: less air, smaller figures. */
export const NARROW = 530;
const MOST_FACETS = 6;
const MOST_SHOWN = 8;
const TALLEST = 26;
/** Room for lines that fan in from a tensor to the storage beside it. */
const FAN = 110;
/** Longest name written on a tag, in characters. */
export const MOST_NAME = 12;
export const TABLE_HEIGHT = 74;

/** A place in a row of shown positions: an index, or a gap that stands for those left out. */
export type Slot = number | "gap";

export interface CellBox {
  readonly index: readonly number[];
  /** Storage cell, in items of its tensor. */
  readonly cell: number;
  readonly x: number;
  readonly y: number;
}

export interface Facet {
  readonly prefix: readonly number[];
  readonly x: number;
  readonly y: number;
  readonly rows: readonly Slot[];
  readonly columns: readonly Slot[];
}

export interface Block {
  readonly tensor: TensorState;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly cellsX: number;
  readonly facets: readonly Facet[];
  readonly cells: readonly CellBox[];
  /** Axes in reading order: slices first, then the row axis, then the column axis. */
  readonly order: readonly number[];
  /** Leading axes too long for facets, which get a slider each. */
  readonly sliders: readonly number[];
  readonly slidersY: number;
  /** Free width beside the table. */
  readonly room: number;
}

export interface Strip {
  readonly storage: StorageState;
  readonly tensors: readonly TensorState[];
  /** The tensor whose items are the cells of the strip. */
  readonly unit: TensorState;
  readonly total: number;
  readonly start: number;
  readonly shown: number;
  /** Where the title stands; the cells begin at `x`. */
  readonly left: number;
  readonly x: number;
  readonly y: number;
  readonly minimapY: number;
  readonly rulerY: number;
  readonly lanesY: number;
  readonly cellsY: number;
  readonly countsY: number;
  readonly hopsY: number;
}

export interface Scene {
  readonly width: number;
  readonly height: number;
  /** Width of a cell; tensors and storages share it, so that everything stands on one grid. */
  readonly cell: number;
  readonly pitch: number;
  /** Height of a cell. */
  readonly tall: number;
  readonly blocks: readonly Block[];
  readonly strips: readonly Strip[];
  /** Few cells that many elements read stand beside the tensor, so that the lines to them fan in. */
  readonly beside: boolean;
}

export interface Choices {
  /** Axis order by tensor id; slices first, row, column. */
  readonly orders: ReadonlyMap<number, readonly number[]>;
  /** The element each tensor's picture must include (slices, and rows or columns of a long axis). */
  readonly at: ReadonlyMap<number, readonly number[]>;
  /** First cell of the window on each storage. */
  readonly starts: ReadonlyMap<number, number>;
  /** The tensor operations act on: its items are the cells of its storage's strip. */
  readonly active: number;
  /** Longest value label to be shown, in characters. */
  readonly label: number;
}

/** At most eight positions of a long axis, with gaps, always with `at`. */
export function slots(size: number, at: number): Slot[] {
  if (size <= MOST_SHOWN) return Array.from({ length: size }, (_, i) => i);
  if (at < 4 || at >= size - 3) return [0, 1, 2, 3, "gap", size - 3, size - 2, size - 1];
  return [0, 1, 2, "gap", at, "gap", size - 2, size - 1];
}

const widthOf = (count: number, pitch: number): number => count * pitch - GAP;

/** Room for row numbers and tensor names, left of the cells. */
export function gutter(width: number): number {
  return width <= NARROW ? 24 : 30;
}

const facetGap = (width: number): number => (width <= NARROW ? 8 : 14);

/** Lays the tensors out above the storages they read. */
export function layOut(
  tensors: readonly TensorState[],
  storages: readonly StorageState[],
  width: number,
  choices: Choices,
): Scene {
  const cell = cellWidth(tensors, storages, width, choices);
  const pitch = cell + GAP;
  const tall = Math.min(cell, TALLEST);
  const blocks = placeBlocks(tensors, width, tall, pitch, choices);
  const bottom = blocks.reduce((low, block) => Math.max(low, block.y + block.height), 0);
  const place = (storage: StorageState, y: number): Strip | undefined =>
    placeStrip(storage, tensors, width, tall, pitch, y, choices);
  const side = besideStrip(blocks, storages, width, pitch, place);
  if (side !== undefined) {
    return {
      width,
      height: Math.max(bottom, side.hopsY + 44),
      cell,
      pitch,
      tall,
      blocks,
      strips: [side],
      beside: true,
    };
  }
  const strips: Strip[] = [];
  let y = bottom;
  for (const storage of storages) {
    const strip = place(storage, y + (strips.length > 0 ? 14 : 28));
    if (strip === undefined) continue;
    strips.push(strip);
    y = strip.hopsY + 44;
  }
  return { width, height: y, cell, pitch, tall, blocks, strips, beside: false };
}

/** The storage of a lone overlapping tensor at its right, level with the middle of its cells, when there is room. */
function besideStrip(
  blocks: readonly Block[],
  storages: readonly StorageState[],
  width: number,
  pitch: number,
  place: (storage: StorageState, y: number) => Strip | undefined,
): Strip | undefined {
  const [block, storage] = [blocks[0], storages[0]];
  if (block === undefined || storage === undefined || blocks.length + storages.length > 2) return undefined;
  const strip = place(storage, 0);
  const from = block.x + block.width + FAN;
  if (!block.tensor.overlaps || strip === undefined || strip.total > strip.shown) return undefined;
  const x = Math.max(from, Math.min(width - strip.total * pitch, width * 0.6));
  if (x + strip.total * pitch > width + 1) return undefined;
  const middle = (Math.min(...block.cells.map((box) => box.y)) + block.y + block.height) / 2;
  return { ...(place(storage, middle - 52) ?? strip), x, left: x };
}

/**
 * One width for every cell: the whole storage when it fits, with smaller figures if that helps; else as much of
 * it as fits beside the longest value.
 */
function cellWidth(
  tensors: readonly TensorState[],
  storages: readonly StorageState[],
  width: number,
  choices: Choices,
): number {
  const totals = storages.map((storage) => Math.ceil(storage.nbytes / unitOf(storage, tensors, choices).itemsize));
  const share = (count: number): number => Math.floor(((width - gutter(width)) / count - GAP) * 2) / 2;
  const even = Math.min(32, share(Math.max(1, ...totals)));
  const small = Math.max(16, choices.label * 4.8 + 1.6);
  const large = Math.max(18, choices.label * 5.8 + 5);
  return even >= small ? even : Math.min(60, Math.ceil(large), share(MOST_SHOWN));
}

function unitOf(storage: StorageState, tensors: readonly TensorState[], choices: Choices): TensorState {
  const own = tensors.filter((tensor) => tensor.storage === storage.id);
  const unit = own.find((tensor) => tensor.id === choices.active) ?? own[0];
  if (unit === undefined) throw new Error(`no tensor reads storage ${storage.id}`);
  return unit;
}

interface Plan {
  readonly tensor: TensorState;
  readonly order: readonly number[];
  readonly at: readonly number[];
  readonly facetWidth: number;
  readonly facetHeight: number;
  readonly prefixes: readonly (readonly number[])[];
  readonly sliders: readonly number[];
  readonly rows: readonly Slot[];
  readonly columns: readonly Slot[];
}

function plan(tensor: TensorState, tall: number, pitch: number, choices: Choices): Plan {
  const rank = tensor.shape.length;
  const order = choices.orders.get(tensor.id) ?? tensor.shape.map((_, axis) => axis);
  const at = choices.at.get(tensor.id) ?? tensor.shape.map(() => 0);
  const size = (position: number): number => tensor.shape[order[position] ?? 0] ?? 1;
  const leading = order.slice(0, Math.max(0, rank - 2));
  const count = leading.reduce((product, axis) => product * (tensor.shape[axis] ?? 1), 1);
  const faceted = count <= MOST_FACETS;
  const seen = (position: number): Slot[] => slots(size(position), at[order[position] ?? 0] ?? 0);
  const rows = rank >= 2 ? seen(rank - 2) : [0];
  const columns = rank >= 1 ? seen(rank - 1) : [0];
  return {
    tensor,
    order,
    at,
    facetWidth: widthOf(columns.length, pitch),
    facetHeight: widthOf(rows.length, tall + GAP),
    prefixes: faceted ? prefixes(leading, tensor.shape) : [leading.map((axis) => at[axis] ?? 0)],
    sliders: faceted ? [] : leading,
    rows,
    columns,
  };
}

function prefixes(axes: readonly number[], shape: readonly number[]): number[][] {
  return axes.reduce<number[][]>(
    (all, axis) => all.flatMap((prefix) => Array.from({ length: shape[axis] ?? 0 }, (_, i) => [...prefix, i])),
    [[]],
  );
}

function placeBlocks(
  tensors: readonly TensorState[],
  width: number,
  tall: number,
  pitch: number,
  choices: Choices,
): Block[] {
  const plans = tensors.map((tensor) => plan(tensor, tall, pitch, choices));
  const across = widest(plans, width);
  const slot = width / across;
  const blocks: Block[] = [];
  let y = 0;
  for (let first = 0; first < plans.length; first += across) {
    const row = plans.slice(first, first + across).map((item, at) => {
      const columns = Math.round((at * slot) / pitch);
      return place(item, columns * pitch, y, slot - (at > 0 ? 10 : 0), tall, pitch, width);
    });
    blocks.push(...row);
    y = Math.max(...row.map((block) => block.y + block.height)) + 18;
  }
  return blocks;
}

/** Width of the table above the cells: name, then a column per axis. */
export function tableWidth(tensor: TensorState): number {
  return labelWidth(tensor) + tensor.shape.length * axisWidth(tensor);
}

/** Width of the first column of the table: the row titles, or the name when that is longer. */
export function labelWidth(tensor: TensorState): number {
  return Math.max(62, short(tensor.name, MOST_NAME).length * 7.9 + 18);
}

/** Width of one axis' column in the table. */
export function axisWidth(tensor: TensorState): number {
  const digits = Math.max(1, ...[...tensor.shape, ...tensor.stride].map((value) => String(value).length));
  return Math.max(28, digits * 7.8 + 10);
}

/** How many blocks stand side by side: as many as fit unbroken, at most three. */
function widest(plans: readonly Plan[], width: number): number {
  const needs = (item: Plan): number => {
    const facets = item.prefixes.length * (item.facetWidth + facetGap(width)) - facetGap(width);
    return Math.max(gutter(width) + facets, tableWidth(item.tensor)) + 16;
  };
  for (const across of [3, 2]) {
    if (plans.length >= across && plans.every((item) => needs(item) <= width / across)) return across;
  }
  return 1;
}

function place(item: Plan, x: number, y: number, available: number, tall: number, pitch: number, whole: number): Block {
  const { tensor, order } = item;
  const rank = tensor.shape.length;
  const cellsX = x + gutter(whole);
  const slidersY = y + TABLE_HEIGHT + 4;
  const top = slidersY + item.sliders.length * 26 + (rank > 2 && item.sliders.length === 0 ? 22 : 10);
  const facets: Facet[] = [];
  const cells: CellBox[] = [];
  const pictured = tensor.storage >= 0 && tensor.numel > 0;
  let left = cellsX;
  let line = top;
  const below = item.facetHeight + (rank >= 1 ? 20 : 8);
  for (const prefix of pictured ? item.prefixes : []) {
    if (left > cellsX && left + item.facetWidth > x + available) {
      left = cellsX;
      line += below + 22;
    }
    facets.push({ prefix, x: left, y: line, rows: item.rows, columns: item.columns });
    cells.push(...facetCells(item, prefix, left, line, tall, pitch));
    left += item.facetWidth + facetGap(whole);
  }
  const height = pictured ? line + below - y : TABLE_HEIGHT + 8;
  const width = Math.max(...facets.map((facet) => facet.x + item.facetWidth - x), tableWidth(tensor));
  const room = available - tableWidth(tensor);
  return { tensor, x, y, width, height, cellsX, facets, cells, order, sliders: item.sliders, slidersY, room };
}

function facetCells(
  item: Plan,
  prefix: readonly number[],
  x: number,
  y: number,
  tall: number,
  pitch: number,
): CellBox[] {
  return item.rows.flatMap((row, r) =>
    item.columns.flatMap((column, c) => {
      if (row === "gap" || column === "gap") return [];
      const index = indexOf(item, prefix, row, column);
      return [{ index, cell: cellOf(item.tensor, index), x: x + c * pitch, y: y + r * (tall + GAP) }];
    }),
  );
}

function indexOf({ order }: Plan, prefix: readonly number[], row: number, column: number): number[] {
  const places = order.length >= 2 ? [...prefix, row, column] : [column];
  const index = order.map(() => 0);
  for (const [at, axis] of order.entries()) index[axis] = places[at] ?? 0;
  return index;
}

function placeStrip(
  storage: StorageState,
  tensors: readonly TensorState[],
  width: number,
  tall: number,
  pitch: number,
  y: number,
  choices: Choices,
): Strip | undefined {
  const own = tensors.filter((tensor) => tensor.storage === storage.id);
  if (own.length === 0 || storage.nbytes === 0) return undefined;
  const unit = unitOf(storage, tensors, choices);
  const total = Math.floor(storage.nbytes / unit.itemsize);
  const fit = Math.max(1, Math.floor((width - gutter(width) + GAP) / pitch + 0.01));
  const shown = Math.min(total, fit);
  const wanted = choices.starts.get(storage.id) ?? Math.max(0, windowFor(unit, shown));
  const start = Math.min(Math.max(0, wanted), Math.max(0, total - shown));
  const minimapY = y + 14;
  const rulerY = y + (total > shown ? 104 : 17);
  const lanesY = rulerY + 8;
  const cellsY = lanesY + own.length * 11 + 4;
  const countsY = cellsY + tall + 14;
  const counted = own.some((tensor) => tensor.overlaps);
  return {
    storage,
    tensors: own,
    unit,
    total,
    start,
    shown,
    left: 0,
    x: gutter(width),
    y,
    minimapY,
    rulerY,
    lanesY,
    cellsY,
    countsY,
    hopsY: cellsY + tall + (counted ? 22 : 4),
  };
}

/** The window that shows the first cell reached: at the left when more follow, else centred. */
function windowFor(tensor: TensorState, shown: number): number {
  const reached = tensor.distinct ?? shown;
  return tensor.offset - Math.max(0, Math.floor((shown - Math.min(reached, shown)) / 2));
}
