/** Where keys lead. */

import assert from "node:assert/strict";
import test from "node:test";
import type { Strip } from "../../widgets/torchloupe/strides/layout";
import { travel, travelStorage } from "../../widgets/torchloupe/strides/travel";
import { indices, tensor } from "./chance";

const shape = [2, 3, 4];
const KEYS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End"];

test("arrows move along columns and rows, pages along slices", () => {
  const go = (key: string): number[] | undefined => travel(key, false, shape, [0, 1, 2], [0, 1, 2]);
  assert.deepEqual(go("ArrowLeft"), [0, 1, 1]);
  assert.deepEqual(go("ArrowRight"), [0, 1, 3]);
  assert.deepEqual(go("ArrowUp"), [0, 0, 2]);
  assert.deepEqual(go("ArrowDown"), [0, 2, 2]);
  assert.deepEqual(go("PageDown"), [1, 1, 2]);
  assert.deepEqual(go("PageUp"), [0, 1, 2]);
  assert.deepEqual(go("Home"), [0, 1, 0]);
  assert.deepEqual(go("End"), [0, 1, 3]);
});

test("with Control, Home and End lead to the first and last element", () => {
  assert.deepEqual(travel("Home", true, shape, [0, 1, 2], [1, 1, 1]), [0, 0, 0]);
  assert.deepEqual(travel("End", true, shape, [0, 1, 2], [0, 1, 1]), [1, 2, 3]);
});

test("keys follow the order of the axes as drawn", () => {
  assert.deepEqual(travel("ArrowRight", false, shape, [2, 1, 0], [0, 1, 2]), [1, 1, 2]);
  assert.deepEqual(travel("PageDown", false, shape, [2, 1, 0], [0, 1, 2]), [0, 1, 3]);
  assert.deepEqual(travel("End", false, shape, [2, 1, 0], [0, 1, 2]), [1, 1, 2]);
});

test("no key leaves the tensor, whatever its rank", () => {
  for (const sizes of [[], [1], [5], [2, 3], [2, 3, 4], [2, 1, 2, 2]]) {
    const known = new Set(indices(sizes).map(String));
    const order = sizes.map((_, axis) => axis);
    for (const index of indices(sizes)) {
      for (const key of KEYS) {
        for (const control of [false, true]) {
          assert.ok(known.has(String(travel(key, control, sizes, order, index))), `${key} of ${index} in ${sizes}`);
        }
      }
    }
  }
});

test("other keys are left to the page", () => {
  for (const key of ["a", "Enter", "Tab", "Escape", " ", "F2"]) {
    assert.equal(travel(key, false, shape, [0, 1, 2], [0, 0, 0]), undefined);
    assert.equal(travelStorage(key, false, strip(100, 10, 20), 5), undefined);
  }
});

function strip(total: number, start: number, shown: number): Strip {
  const unit = tensor({ shape: [total] });
  const storage = { id: 0, nbytes: total * 4, device: "cpu", address: "", imagined: false };
  const heights = { y: 0, minimapY: 0, rulerY: 0, lanesY: 0, cellsY: 0, countsY: 0, hopsY: 0 };
  return { storage, tensors: [unit], unit, total, start, shown, left: 0, x: 0, ...heights };
}

test("keys move in the storage by cell, by window and to its ends", () => {
  const long = strip(100, 10, 20);
  const go = (key: string, control = false): number | undefined => travelStorage(key, control, long, 15);
  assert.deepEqual(
    ["ArrowLeft", "ArrowRight", "PageUp", "PageDown", "Home", "End"].map((key) => go(key)),
    [14, 16, 0, 35, 10, 29],
  );
  assert.deepEqual([go("Home", true), go("End", true)], [0, 99]);
});

test("no key leaves the storage", () => {
  for (const total of [1, 2, 100, 1_000_000_000]) {
    const shown = Math.min(total, 20);
    for (const cell of [0, Math.floor(total / 2), total - 1]) {
      for (const key of [...KEYS].filter((name) => !["ArrowUp", "ArrowDown"].includes(name))) {
        const to = travelStorage(key, false, strip(total, Math.max(0, total - shown), shown), cell);
        assert.ok(to !== undefined && to >= 0 && to < total);
      }
    }
  }
});
