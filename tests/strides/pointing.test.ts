/** Whoever reads the bytes pointed at, whatever its item size, against brute force over bytes. */

import assert from "node:assert/strict";
import test from "node:test";
import { cellOf } from "../../widgets/torchloupe/strides/address";
import { type Pointing, pointAtCell, pointAtElement } from "../../widgets/torchloupe/strides/pointing";
import type { TensorState } from "../../widgets/torchloupe/strides/state";
import { anyTensor, Chance, indices, tensor } from "./chance";

const chance = new Chance(11);

function family(): TensorState[] {
  return [0, 1, 2].map((id) =>
    anyTensor(chance, {
      id,
      name: `t${id}`,
      itemsize: chance.pick([1, 2, 4, 8, 16]),
      storage: chance.pick([0, 0, 0, 1]),
    }),
  );
}

/** `tensor id: index` of every element that reads one of the bytes. */
function right(tensors: readonly TensorState[], { storage, byte, nbytes }: Pointing): string[] {
  return tensors
    .filter((item) => item.storage === storage)
    .flatMap((item) =>
      indices(item.shape)
        .filter((index) => {
          const first = cellOf(item, index) * item.itemsize;
          return first < byte + nbytes && first + item.itemsize > byte;
        })
        .map((index) => `${item.id}: ${index}`),
    );
}

const all = (pointing: Pointing): string[] =>
  [...(pointing.lead ? [pointing.lead] : []), ...pointing.twins].map((hit) => `${hit.tensor.id}: ${hit.index}`);

test("an element points at its own bytes and leads", () => {
  for (let round = 0; round < 150; round++) {
    const tensors = family();
    for (const item of tensors) {
      for (const index of indices(item.shape)) {
        const pointing = pointAtElement(tensors, item, index);
        assert.equal(pointing.byte, cellOf(item, index) * item.itemsize);
        assert.equal(pointing.nbytes, item.itemsize);
        assert.equal(pointing.storage, item.storage);
        assert.deepEqual([pointing.lead?.tensor.id, pointing.lead?.index], [item.id, index]);
        agree(tensors, pointing);
      }
    }
  }
});

test("a cell is led by the preferred tensor when that reads it", () => {
  for (let round = 0; round < 150; round++) {
    const tensors = family();
    const [unit, , preferred] = tensors;
    if (unit === undefined || preferred === undefined) throw new Error("three were made");
    for (let cell = 0; cell < 24; cell++) {
      const pointing = pointAtCell(tensors, unit, cell, preferred.id);
      agree(tensors, pointing);
      const readers = right(tensors, pointing);
      assert.equal(pointing.lead === undefined, readers.length === 0);
      if (readers.some((reader) => reader.startsWith(`${preferred.id}:`))) {
        assert.equal(pointing.lead?.tensor.id, preferred.id);
      }
    }
  }
});

function agree(tensors: readonly TensorState[], pointing: Pointing): void {
  const readers = right(tensors, pointing);
  const named = all(pointing);
  assert.equal(pointing.count, readers.length);
  assert.ok(pointing.complete);
  assert.equal(new Set(named).size, named.length, "no one is named twice");
  for (const one of named) assert.ok(readers.includes(one), `${one} does not read the bytes`);
  const owners = new Set(readers.map((reader) => reader.split(":")[0]));
  assert.deepEqual(new Set(named.map((one) => one.split(":")[0])), owners, "each tensor that reads is named");
}

test("one of each tensor comes first among the twins", () => {
  const row = tensor({ id: 0, shape: [4], stride: [0] });
  const other = tensor({ id: 1, shape: [4], stride: [0] });
  const { lead, twins, count } = pointAtCell([row, other], row, 0, 0);
  assert.equal(lead?.tensor.id, 0);
  assert.deepEqual(
    twins
      .slice(0, 2)
      .map((hit) => hit.tensor.id)
      .sort(),
    [0, 1],
  );
  assert.equal(count, 8);
});

test("an item of 16 bytes is read by the 16 bytes it is made of", () => {
  const bytes = tensor({ id: 0, shape: [32], itemsize: 1 });
  const wide = tensor({ id: 1, shape: [2], itemsize: 16 });
  assert.equal(pointAtElement([bytes, wide], wide, [1]).count, 17);
  assert.equal(pointAtElement([bytes, wide], bytes, [17]).count, 2);
});
