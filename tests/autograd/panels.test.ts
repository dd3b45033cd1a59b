import assert from "node:assert/strict";
import { test } from "node:test";
import { places } from "../../widgets/torchloupe/autograd/codeline";
import { bytes, shape } from "../../widgets/torchloupe/autograd/figures";
import type { Graph } from "../../widgets/torchloupe/autograd/graph";
import { siblings } from "../../widgets/torchloupe/autograd/siblings";

test("a fragment is found where it stands, not inside a longer name", () => {
  assert.deepEqual(places("y = x**2 + 3*x + 1", "x"), [4, 13]);
  assert.deepEqual(places("loss = max(x, xs)", "x"), [11]);
  assert.deepEqual(places("y = x**2 + 3*x + 1", "x**2 + 3*x"), [4]);
  assert.deepEqual(places("值x = x", "x"), [5]);
  assert.deepEqual(places("y = x", ""), []);
});

test("bytes are exact below 10 kB and SI above, shapes are Python's", () => {
  assert.equal(bytes(9999), "9,999 B");
  assert.equal(bytes(10_000), "10.0 kB");
  assert.equal(bytes(2_460_000), "2.46 MB");
  assert.equal(shape([]), "()");
  assert.equal(shape([3]), "(3,)");
  assert.equal(shape([2, 3]), "(2, 3)");
});

/** A fold (group 1) of three members (groups 2 to 4) with two nodes each, between a root and a leaf. */
function folded(): Graph {
  const strings = ["h", "h.2", "h.1", "h.0", "Block"];
  return {
    nodes: { count: 8, group: Int32Array.of(0, 2, 2, 3, 3, 4, 4, -1) },
    groups: {
      count: 5,
      parent: Int32Array.of(-1, 0, 1, 1, 1),
      kind: Uint8Array.of(0, 5, 1, 1, 1),
      name: Int32Array.of(-1, 0, 1, 2, 3),
      cls: Int32Array.of(-1, 4, 4, 4, 4),
    },
    string: (place: number) => strings[place] ?? "",
    leafOf: (node: number) => (node === 7 ? 0 : -1),
  } as unknown as Graph;
}

test("the same place in each member of a fold", () => {
  const found = siblings(folded(), 4);
  assert.deepEqual(found?.keys, ["n2", "n4", "n6"]);
  assert.deepEqual(found?.names, ["2", "1", "0"]);
  assert.equal(found?.own, 1);
  assert.equal(found?.cls, "Block");
});

test("outside a fold, and for a leaf, there is none", () => {
  assert.equal(siblings(folded(), 0), undefined);
  assert.equal(siblings(folded(), 7), undefined);
});
