/** Addresses against brute force: every element's cell, counted. */

import assert from "node:assert/strict";
import test from "node:test";
import { cellOf, lastReached, nextReached, ravel, readers, unravel } from "../../widgets/torchloupe/strides/address";
import { anyTensor, Chance, contiguous, indices, tensor } from "./chance";

const chance = new Chance(7);
const walks = Array.from({ length: 400 }, () => anyTensor(chance));

test("the cell of an element is offset plus index times stride", () => {
  assert.equal(cellOf({ shape: [2, 3, 4], stride: [12, 4, 1], offset: 5 }, [1, 2, 3]), 5 + 12 + 8 + 3);
  assert.equal(cellOf({ shape: [], stride: [], offset: 9 }, []), 9);
  assert.equal(cellOf({ shape: [3], stride: [0], offset: 2 }, [2]), 2);
});

test("ravel and unravel are each other's inverse, in row-major order", () => {
  for (const { shape } of walks) {
    for (const [flat, index] of indices(shape).entries()) {
      assert.equal(ravel(shape, index), flat);
      assert.deepEqual(unravel(shape, flat), index);
    }
  }
});

test("readers are all elements whose cell it is", () => {
  for (const walk of walks) {
    const elements = indices(walk.shape);
    for (let cell = walk.offset - 2; cell <= lastReached(walk) + 2; cell++) {
      const right = elements.filter((index) => cellOf(walk, index) === cell).map(String);
      const found = readers(walk, cell, 1000);
      assert.equal(found.count, right.length);
      assert.ok(found.complete);
      assert.deepEqual(found.indices.map(String).sort(), right.sort());
    }
  }
});

test("a limit bounds the indices, never the count", () => {
  for (const walk of walks) {
    for (let cell = walk.offset; cell <= Math.min(lastReached(walk), walk.offset + 8); cell++) {
      const all = readers(walk, cell, 1000);
      const few = readers(walk, cell, 2);
      assert.equal(few.count, all.count);
      assert.equal(few.indices.length, Math.min(2, all.count));
      for (const index of few.indices) assert.equal(cellOf(walk, index), cell);
      assert.equal(new Set(few.indices.map(String)).size, few.indices.length);
    }
  }
});

test("the next cell reached is the least one not before", () => {
  for (const walk of walks) {
    const cells = indices(walk.shape).map((index) => cellOf(walk, index));
    for (let from = walk.offset - 2; from <= lastReached(walk) + 2; from++) {
      const right = cells.filter((cell) => cell >= from);
      assert.equal(nextReached(walk, from), right.length > 0 ? Math.min(...right) : undefined);
    }
  }
});

test("the last cell reached is the greatest", () => {
  for (const walk of walks) {
    const cells = indices(walk.shape).map((index) => cellOf(walk, index));
    if (cells.length > 0) assert.equal(lastReached(walk), Math.max(...cells));
  }
});

test("a tensor of no elements is read nowhere", () => {
  const walk = tensor({ shape: [3, 0, 2], stride: [2, 2, 1] });
  assert.deepEqual(readers(walk, 0), { indices: [], count: 0, complete: true });
  assert.equal(nextReached(walk, 0), undefined);
});

/** The slowest of some calls in milliseconds, after one to warm up. */
function slowest(call: (at: number) => void): number {
  call(0);
  const times = Array.from({ length: 20 }, (_, at) => {
    const start = performance.now();
    call(at);
    return performance.now() - start;
  });
  return times.sort((a, b) => a - b)[10] ?? Number.POSITIVE_INFINITY;
}

const LARGE = {
  "a billion in a row": { shape: [1_000_000_000], stride: [1], offset: 0 },
  "a thousand cubed": { shape: [1000, 1000, 1000], stride: contiguous([1000, 1000, 1000]), offset: 3 },
  transposed: { shape: [1000, 1000, 1000], stride: [1, 1000, 1_000_000], offset: 0 },
  expanded: { shape: [1_000_000, 1000], stride: [0, 1], offset: 0 },
  unfolded: { shape: [1_000_000, 1000], stride: [1, 1], offset: 0 },
  strided: { shape: [1000, 1000, 1000], stride: [3_000_000, 3000, 3], offset: 1 },
  "odd cells that are never hit": { shape: [1000, 1000, 1000, 1000], stride: [8, 6, 4, 2], offset: 0 },
  "many ways to one cell": { shape: [1000, 1000, 1000, 1000], stride: [4, 3, 2, 1], offset: 0 },
} as const;

for (const [name, walk] of Object.entries(LARGE)) {
  test(`a large tensor answers at once: ${name}`, () => {
    const last = lastReached(walk);
    const at = (share: number): number => Math.floor((last * share) / 20) | 1;
    assert.ok(slowest((share) => readers(walk, at(share))) < 5);
    assert.ok(slowest((share) => nextReached(walk, at(share))) < 5);
    for (let share = 0; share < 20; share++) {
      const found = readers(walk, at(share));
      for (const index of found.indices) assert.equal(cellOf(walk, index), at(share));
      const next = nextReached(walk, at(share));
      assert.ok(next === undefined || next >= at(share));
    }
  });
}

test("a count that was cut short says so", () => {
  const { "many ways to one cell": walk, expanded, unfolded } = LARGE;
  assert.ok(!readers(walk, 5000).complete);
  assert.ok(readers(walk, 5000).count >= 1000);
  assert.deepEqual(readers(expanded, 7), {
    indices: [0, 1, 2, 3].map((row) => [row, 7]),
    count: 1_000_000,
    complete: true,
  });
  assert.equal(readers(unfolded, 5000).count, 1000);
  assert.ok(readers(unfolded, 5000).complete);
});
