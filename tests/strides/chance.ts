/** Chance that is the same in every run, and random strided tensors made with it. */

import type { TensorState } from "../../widgets/torchloupe/strides/state";

/** A stream of integers (mulberry32). */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** An integer of `low … high`, both included. */
  between(low: number, high: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return low + (((mixed ^ (mixed >>> 14)) >>> 0) % (high - low + 1));
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.between(0, items.length - 1)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  }

  shuffled<T>(items: readonly T[]): T[] {
    return items
      .map((item) => ({ item, at: this.between(0, 1_000_000) }))
      .sort((a, b) => a.at - b.at)
      .map(({ item }) => item);
  }
}

/** A tensor that says the truth about what follows from shape, stride, offset and item size. */
export function tensor(given: Partial<TensorState> & { shape: number[] }): TensorState {
  const { shape } = given;
  const itemsize = given.itemsize ?? 4;
  const numel = shape.reduce((product, size) => product * size, 1);
  return {
    id: 0,
    name: "x",
    root: true,
    stride: contiguous(shape),
    offset: 0,
    numel,
    itemsize,
    nbytes: numel * itemsize,
    distinct: null,
    dtype: "float32",
    device: "cpu",
    layout: "strided",
    kind: "",
    storage: 0,
    base_name: "",
    base_shape: null,
    contiguous: false,
    formats: [],
    overlaps: false,
    version: 0,
    requires_grad: false,
    leaf: true,
    alive: true,
    notes: [],
    ...given,
  };
}

/** Row-major strides. */
export function contiguous(shape: readonly number[]): number[] {
  return shape.map((_, axis) => shape.slice(axis + 1).reduce((product, size) => product * Math.max(size, 1), 1));
}

/** Every index of a shape, in row-major order. */
export function indices(shape: readonly number[]): number[][] {
  return shape.reduce<number[][]>(
    (all, size) => all.flatMap((index) => Array.from({ length: size }, (_, i) => [...index, i])),
    [[]],
  );
}

/** A tensor as views of views and `as_strided` make them: overlapping, of stride 0, of size 0 or 1, of no axes. */
export function anyTensor(chance: Chance, given: Partial<TensorState> = {}): TensorState {
  const rank = chance.between(0, 4);
  const shape = Array.from({ length: rank }, () => chance.pick([0, 1, 1, 2, 2, 3, 3, 4, 5]));
  const stride = chance.pick([
    () => contiguous(shape),
    () => chance.shuffled(contiguous(shape)),
    () => shape.map(() => chance.between(0, 4)),
    () => contiguous(shape).map((step) => step * chance.pick([0, 1, 2, 3])),
  ])();
  return tensor({ shape, stride, offset: chance.between(0, 5), ...given });
}
