/** Where an element came from, against the operation's own index arithmetic. */

import assert from "node:assert/strict";
import test from "node:test";
import { cellOf, ravel } from "../../widgets/torchloupe/strides/address";
import { origin } from "../../widgets/torchloupe/strides/motion";
import type { Carry, Step, TensorState } from "../../widgets/torchloupe/strides/state";
import { contiguous, indices, tensor } from "./chance";

function step(carry: Carry, flipped: number[] = []): Step {
  return {
    operation: "",
    arguments: [],
    tokens: [],
    line: "",
    source: 0,
    result: 1,
    outcome: "view",
    price: { id: "", args: {} },
    carry,
    flipped,
    refusal: null,
  };
}

const source = tensor({ shape: [2, 3, 4] });

function each(carry: Step, result: TensorState, from: (index: number[]) => number[]): void {
  for (const index of indices(result.shape)) assert.deepEqual(origin(carry, source, result, index), from(index));
}

test("cell: a permuted view reads each element where it was", () => {
  const order = [2, 0, 1];
  const result = tensor({
    id: 1,
    shape: order.map((axis) => source.shape[axis] ?? 0),
    stride: order.map((axis) => source.stride[axis] ?? 0),
  });
  each(step("cell"), result, (index) => [0, 1, 2].map((axis) => index[order.indexOf(axis)] ?? -1));
});

test("cell: a slice, a selection and an expansion", () => {
  const sliced = tensor({ id: 1, shape: [2, 3, 2], stride: [12, 4, 2], offset: 1 });
  each(step("cell"), sliced, ([i = 0, j = 0, k = 0]) => [i, j, 2 * k + 1]);
  const selected = tensor({ id: 1, shape: [2, 4], stride: [12, 1], offset: 8 });
  each(step("cell"), selected, ([i = 0, k = 0]) => [i, 2, k]);
  const expanded = tensor({ id: 1, shape: [5, 2, 3, 4], stride: [0, 12, 4, 1] });
  each(step("cell"), expanded, ([, i = 0, j = 0, k = 0]) => [i, j, k]);
});

test("cell: an element of the result that the source does not read came from nowhere", () => {
  const outside = tensor({ id: 1, shape: [3], stride: [1], offset: 23 });
  assert.deepEqual(origin(step("cell"), source, outside, [0]), [1, 2, 3]);
  assert.deepEqual(origin(step("cell"), source, outside, [1]), []);
});

test("ravel: a copy in another shape keeps the row-major order", () => {
  const transposed = tensor({ shape: [3, 2], stride: [1, 3] });
  const flat = tensor({ id: 1, shape: [6], storage: 1 });
  const found = indices(flat.shape).map((index) => origin(step("ravel"), transposed, flat, index));
  assert.deepEqual(found, indices(transposed.shape));
  const reshaped = tensor({ id: 1, shape: [4, 6], storage: 1 });
  for (const index of indices(reshaped.shape)) {
    const from = origin(step("ravel"), source, reshaped, index);
    assert.equal(ravel(source.shape, from), ravel(reshaped.shape, index));
  }
});

test("index: a copy of the same shape", () => {
  const copied = tensor({ id: 1, shape: [2, 3, 4], stride: contiguous([2, 3, 4]), storage: 1 });
  each(step("index"), copied, (index) => index);
});

test("flip: reversed axes count from the end", () => {
  const flipped = tensor({ id: 1, shape: [2, 3, 4], storage: 1 });
  each(step("flip", [0, 2]), flipped, ([i = 0, j = 0, k = 0]) => [1 - i, j, 3 - k]);
  each(step("flip", []), flipped, (index) => index);
});

test("a tensor of no axes came from its only element", () => {
  const scalar = tensor({ shape: [] });
  const one = tensor({ id: 1, shape: [1, 1] });
  for (const carry of ["cell", "ravel"] as const) assert.deepEqual(origin(step(carry), scalar, one, [0, 0]), []);
  assert.deepEqual(origin(step("ravel"), one, scalar, []), [0, 0]);
  assert.equal(cellOf(scalar, []), 0);
});
