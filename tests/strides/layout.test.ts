/** What stands where: nothing overlaps, nothing leaves the lens, and what is pointed at is always shown. */

import assert from "node:assert/strict";
import test from "node:test";
import { cellOf } from "../../widgets/torchloupe/strides/address";
import {
  type Block,
  type Choices,
  GAP,
  layOut,
  type Scene,
  slots,
  tableWidth,
} from "../../widgets/torchloupe/strides/layout";
import type { StorageState, TensorState } from "../../widgets/torchloupe/strides/state";
import { Chance, contiguous, tensor } from "./chance";

const WIDTHS = [440, 480, 531, 600, 664, 720, 800, 880, 928];
const chance = new Chance(23);

function choices(given: Partial<Choices> = {}): Choices {
  return { orders: new Map(), at: new Map(), starts: new Map(), active: 0, label: 3, ...given };
}

interface Case {
  readonly tensors: TensorState[];
  readonly storages: StorageState[];
  readonly choices: Choices;
}

/** One to six tensors over one to three storages, some reordered, some pointed at. */
function anyCase(): Case {
  const storages = Array.from({ length: chance.between(1, 3) }, (_, id) => ({ id, elements: 0 }));
  const tensors = Array.from({ length: chance.between(storages.length, 6) }, (_, id) => {
    const rank = chance.between(0, 4);
    const shape = Array.from({ length: rank }, () => chance.pick([1, 2, 3, 4, 7, 8, 9, 30, 1000]));
    const stride = chance.pick([
      contiguous(shape),
      chance.shuffled(contiguous(shape)),
      shape.map(() => chance.between(0, 2)),
    ]);
    const made = tensor({
      id,
      name: chance.pick(["x", "weight", "x.transpose(0, 2)", "张量"]),
      shape,
      stride,
      offset: chance.between(0, 3),
      storage: id % storages.length,
      overlaps: shape.some((size, axis) => size > 1 && stride[axis] === 0),
    });
    const reach =
      cellOf(
        made,
        shape.map((size) => size - 1),
      ) + 1;
    const own = storages[made.storage];
    if (own !== undefined) own.elements = Math.max(own.elements, reach);
    return made;
  });
  const indexOf = ({ shape }: TensorState): number[] => shape.map((size) => chance.between(0, size - 1));
  return {
    tensors,
    storages: storages.map(({ id, elements }) => ({
      id,
      nbytes: elements * 4,
      device: "cpu",
      address: "",
      imagined: false,
    })),
    choices: choices({
      orders: new Map(tensors.map((item) => [item.id, chance.shuffled(item.shape.map((_, axis) => axis))])),
      at: new Map(tensors.map((item) => [item.id, indexOf(item)])),
      starts: new Map(chance.between(0, 1) === 0 ? [] : [[0, chance.between(-5, 3000)]]),
      label: chance.between(1, 12),
      active: chance.between(0, tensors.length - 1),
    }),
  };
}

function everyScene(look: (scene: Scene, given: Case) => void): void {
  for (let round = 0; round < 80; round++) {
    const given = anyCase();
    for (const width of WIDTHS) look(layOut(given.tensors, given.storages, width, given.choices), given);
  }
}

const overlap = (a: Block, b: Block): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

test("every cell stands inside the lens, and no two on one another", () => {
  everyScene((scene) => {
    const corners = new Set<string>();
    for (const box of scene.blocks.flatMap((block) => block.cells)) {
      assert.ok(box.x >= 0 && box.y >= 0);
      assert.ok(box.x + scene.cell <= scene.width + 0.5, `${box.x} + ${scene.cell} leaves ${scene.width}`);
      assert.ok(box.y + scene.tall <= scene.height);
      corners.add(`${box.x.toFixed(2)}, ${box.y.toFixed(2)}`);
    }
    assert.equal(corners.size, scene.blocks.flatMap((block) => block.cells).length);
  });
});

test("cells of one block keep their distance", () => {
  everyScene((scene) => {
    for (const { cells } of scene.blocks) {
      const rows = group(cells);
      for (const row of rows.values()) {
        const sorted = row.sort((a, b) => a - b);
        sorted.forEach((x, at) => {
          const next = sorted[at + 1];
          if (next !== undefined) assert.ok(next - x >= scene.cell, "cells overlap");
        });
      }
    }
  });
});

function group(cells: Block["cells"]): Map<string, number[]> {
  const rows = new Map<string, number[]>();
  for (const { x, y } of cells) rows.set(y.toFixed(2), [...(rows.get(y.toFixed(2)) ?? []), x]);
  return rows;
}

test("blocks do not overlap, and hold their cells", () => {
  everyScene((scene) => {
    for (const [at, block] of scene.blocks.entries()) {
      for (const other of scene.blocks.slice(at + 1)) assert.ok(!overlap(block, other));
      for (const box of block.cells) {
        assert.ok(box.x >= block.x && box.x + scene.cell <= block.x + block.width + 0.5);
        assert.ok(box.y >= block.y && box.y + scene.tall <= block.y + block.height);
      }
      assert.ok(block.width >= tableWidth(block.tensor));
    }
  });
});

test("storages stand below the tensors, or beside a lone one", () => {
  everyScene((scene) => {
    const bottom = Math.max(...scene.blocks.map((block) => block.y + block.height));
    let last = bottom;
    for (const strip of scene.strips) {
      if (scene.beside) {
        const [block] = scene.blocks;
        assert.ok(block !== undefined && strip.x >= block.x + block.width);
      } else {
        assert.ok(strip.y >= last);
      }
      const heights = [strip.rulerY, strip.lanesY, strip.cellsY, strip.hopsY, scene.height];
      assert.deepEqual(
        heights,
        [...heights].sort((a, b) => a - b),
      );
      last = strip.hopsY;
    }
  });
});

test("a strip is never wider than the lens, and its window lies in the storage", () => {
  everyScene((scene) => {
    for (const strip of scene.strips) {
      assert.ok(strip.x + strip.shown * scene.pitch - GAP <= scene.width + 1.5);
      assert.ok(strip.shown >= 1 && strip.shown <= strip.total);
      assert.ok(strip.start >= 0 && strip.start + strip.shown <= strip.total);
      assert.equal(strip.total, strip.storage.nbytes / strip.unit.itemsize);
    }
  });
});

test("each cell says the storage cell of its element", () => {
  everyScene((scene) => {
    for (const block of scene.blocks) {
      for (const box of block.cells) {
        assert.equal(box.cell, cellOf(block.tensor, box.index));
        assert.equal(box.index.length, block.tensor.shape.length);
        for (const [axis, i] of box.index.entries()) assert.ok(i >= 0 && i < (block.tensor.shape[axis] ?? 0));
      }
      assert.equal(new Set(block.cells.map((box) => String(box.index))).size, block.cells.length);
    }
  });
});

test("the element pointed at is among the cells", () => {
  everyScene((scene, given) => {
    for (const block of scene.blocks) {
      const at = String(given.choices.at.get(block.tensor.id));
      assert.ok(
        block.cells.some((box) => String(box.index) === at),
        `${at} of ${block.tensor.shape} is not shown`,
      );
    }
  });
});

test("slots show at most eight places, ends and all, always with the one asked for", () => {
  for (const size of [1, 2, 7, 8, 9, 10, 11, 12, 100, 1_000_000_000]) {
    const places =
      size < 200 ? Array.from({ length: size }, (_, at) => at) : [0, 3, 4, 5, size - 5, size - 4, size - 3, size - 1];
    for (const at of places) {
      const shown = slots(size, at);
      const numbers = shown.filter((slot) => slot !== "gap");
      assert.ok(shown.length <= 8);
      assert.ok(numbers.includes(at), `${at} of ${size} is not among ${shown}`);
      assert.ok(numbers.includes(0) && numbers.includes(size - 1));
      assert.deepEqual(
        numbers,
        [...new Set(numbers)].sort((a, b) => a - b),
      );
      numbers.forEach((number, place) => {
        const next = numbers[place + 1];
        const apart = shown.indexOf(next ?? 0) - shown.indexOf(number);
        if (next !== undefined && apart === 1) assert.equal(next, number + 1, "a gap must stand for what is left out");
      });
    }
  }
});

test("tensors without storage or elements are drawn as a table only", () => {
  const none = tensor({ shape: [3], stride: [], storage: -1 });
  const empty = tensor({ id: 1, shape: [0, 3], storage: 0 });
  const storage = { id: 0, nbytes: 0, device: "cpu", address: "", imagined: false };
  const scene = layOut([none, empty], [storage], 600, choices());
  assert.deepEqual(
    scene.blocks.map((block) => block.cells.length),
    [0, 0],
  );
  assert.equal(scene.strips.length, 0);
  assert.ok(Number.isFinite(scene.height) && scene.height > 0);
  for (const block of scene.blocks) assert.ok(Number.isFinite(block.width) && Number.isFinite(block.height));
});

test("a billion elements are laid out at once, in few cells", () => {
  const large = tensor({ shape: [1000, 1000, 1000] });
  const storage = { id: 0, nbytes: 4e9, device: "cpu", address: "", imagined: false };
  const start = performance.now();
  const scene = layOut([large], [storage], 800, choices({ at: new Map([[0, [500, 500, 500]]]) }));
  assert.ok(performance.now() - start < 50);
  assert.ok(scene.blocks.flatMap((block) => block.cells).length <= 64);
  assert.deepEqual(scene.blocks[0]?.sliders, [0]);
});
