/** The arithmetic of addresses: `cell = offset + Σ index[k] · stride[k]`, forwards and backwards. */

/** What addressing needs of a tensor; strides and offset in elements. */
export interface Walk {
  readonly shape: readonly number[];
  readonly stride: readonly number[];
  readonly offset: number;
}

/** The storage cell of an element. */
export function cellOf(walk: Walk, index: readonly number[]): number {
  return index.reduce((cell, i, axis) => cell + i * (walk.stride[axis] ?? 0), walk.offset);
}

/** Row-major position of an element. */
export function ravel(shape: readonly number[], index: readonly number[]): number {
  return index.reduce((flat, i, axis) => flat * (shape[axis] ?? 1) + i, 0);
}

/** The element at a row-major position. */
export function unravel(shape: readonly number[], flat: number): number[] {
  let left = flat;
  const index = [...shape].reverse().map((size) => {
    const i = left % size;
    left = Math.floor(left / size);
    return i;
  });
  return index.reverse();
}

interface Axis {
  readonly axis: number;
  readonly size: number;
  readonly stride: number;
  /** The furthest the axes after this one can move. */
  readonly rest: number;
}

/** Axes that move, largest stride first, so that a cell is found by narrowing down. */
function movingAxes(walk: Walk): Axis[] {
  const axes = walk.shape
    .map((size, axis) => ({ axis, size, stride: walk.stride[axis] ?? 0 }))
    .filter((axis) => axis.size > 1 && axis.stride > 0)
    .sort((a, b) => b.stride - a.stride);
  return axes.map((axis, at) => ({
    ...axis,
    rest: axes.slice(at + 1).reduce((sum, other) => sum + (other.size - 1) * other.stride, 0),
  }));
}

const isEmpty = (walk: Walk): boolean => walk.shape.some((size) => size === 0);

/** Steps of a search before it stops. */
const PATIENCE = 4096;

export interface Readers {
  /** The first elements that read the cell, in the order found. */
  readonly indices: number[][];
  /** How many read it; a lower bound when `complete` is false. */
  readonly count: number;
  readonly complete: boolean;
}

/** The elements that read `cell`, at most `limit` of them by index. */
export function readers(walk: Walk, cell: number, limit = 4): Readers {
  const indices: number[][] = [];
  if (isEmpty(walk)) return { indices, count: 0, complete: true };
  const axes = movingAxes(walk);
  const index = new Array<number>(walk.shape.length).fill(0);
  let solutions = 0;
  let tries = 0;
  const narrow = (at: number, left: number): void => {
    const axis = axes[at];
    if (axis === undefined) {
      if (left !== 0) return;
      solutions += 1;
      if (indices.length < limit) indices.push([...index]);
      return;
    }
    const low = Math.max(0, Math.ceil((left - axis.rest) / axis.stride));
    const high = Math.min(axis.size - 1, Math.floor(left / axis.stride));
    for (let i = low; i <= high && tries++ < PATIENCE; i++) {
      index[axis.axis] = i;
      narrow(at + 1, left - i * axis.stride);
    }
    index[axis.axis] = 0;
  };
  narrow(0, cell - walk.offset);
  const still = walk.shape.map((size, axis) => (size > 1 && walk.stride[axis] === 0 ? size : 1));
  const repeats = still.reduce((product, size) => product * size, 1);
  return {
    indices: repeatStill(indices, still, limit),
    count: solutions * repeats,
    complete: tries <= PATIENCE,
  };
}

/** Adds the elements that differ only along axes of stride 0. */
function repeatStill(indices: readonly number[][], still: readonly number[], limit: number): number[][] {
  const repeats = still.reduce((product, size) => product * size, 1);
  const all: number[][] = [];
  for (let step = 0; step < repeats && all.length < limit; step++) {
    const shift = unravel(still, step);
    for (const index of indices) {
      if (all.length < limit) all.push(index.map((i, axis) => i + (shift[axis] ?? 0)));
    }
  }
  return all;
}

/** The first cell at or after `from` that the tensor reaches, or undefined. */
export function nextReached(walk: Walk, from: number): number | undefined {
  if (isEmpty(walk)) return undefined;
  const axes = movingAxes(walk);
  let tries = 0;
  const seek = (at: number, target: number): number => {
    if (target <= 0) return 0;
    const axis = axes[at];
    if (axis === undefined) return Number.POSITIVE_INFINITY;
    let best = Number.POSITIVE_INFINITY;
    const low = Math.max(0, Math.ceil((target - axis.rest) / axis.stride));
    const high = Math.min(axis.size - 1, Math.ceil(target / axis.stride));
    for (let i = low; i <= high && tries++ < PATIENCE; i++) {
      best = Math.min(best, i * axis.stride + seek(at + 1, target - i * axis.stride));
      if (best === target) break;
    }
    return best;
  };
  const found = seek(0, from - walk.offset);
  return Number.isFinite(found) ? found + walk.offset : undefined;
}

/** Last cell the tensor reaches. */
export function lastReached(walk: Walk): number {
  return walk.offset + movingAxes(walk).reduce((sum, axis) => sum + (axis.size - 1) * axis.stride, 0);
}
