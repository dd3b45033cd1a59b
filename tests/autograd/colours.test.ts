/** Norms as colours, numbers and sentences. */

import assert from "node:assert/strict";
import test from "node:test";
import { Graph } from "../../widgets/torchloupe/autograd/graph";
import { number } from "../../widgets/torchloupe/autograd/looks";
import { linearScale, nbytes, normScale, shadeOn } from "../../widgets/torchloupe/autograd/scale";
import { trends } from "../../widgets/torchloupe/autograd/trends";
import { type NodeRow, Tabled } from "./tabled";

test("three decades are halved: seven steps from 1e−3 to 10^0.5", () => {
  const scale = normScale(1e-3, 1);
  assert.equal(scale.perDecade, 2);
  assert.ok(Math.abs(scale.low / 1e-3 - 1) < 1e-9 && Math.abs(scale.high / 10 ** 0.5 - 1) < 1e-9);
  assert.deepEqual(scale.ticks, [
    { at: 0, text: "1e−3" },
    { at: 2, text: "1e−2" },
    { at: 4, text: "0.1" },
    { at: 6, text: "1" },
  ]);
  const shades = [1e-3, 3e-3, 1.1e-2, 4e-2, Math.fround(0.1), 0.5, 1, 9e-4, 4];
  assert.deepEqual(
    shades.map((norm) => shadeOn(scale, norm)),
    [0, 0, 2, 3, 4, 5, 6, "below", "above"],
  );
});

test("more than four decades get one step each", () => {
  const scale = normScale(1e-6, 1);
  assert.equal(scale.perDecade, 1);
  assert.deepEqual(
    [1e-6, 1e-3, 1, 1e-7].map((norm) => shadeOn(scale, norm)),
    [0, 3, 6, "below"],
  );
});

test("a step is never darker for a smaller norm, wherever the scale lies", () => {
  for (let top = -8; top < 8; top += 0.37) {
    const scale = normScale(10 ** (top - 3), 10 ** top);
    const shades = Array.from({ length: 100 }, (_, at) => shadeOn(scale, 10 ** (top - 3 + (3 * at) / 99)));
    const steps = shades.map((shade) => (typeof shade === "number" ? shade : Number.NaN));
    assert.ok(steps.every((step, at) => step >= (steps[at - 1] ?? 0)));
    assert.equal(steps.at(-1), 6);
  }
});

test("linear scales", () => {
  const bytes = linearScale("bytes", 7000);
  assert.deepEqual(
    [0, 999, 1000, 6999, 7000, 7001].map((value) => shadeOn(bytes, value)),
    [0, 0, 1, 6, 6, "above"],
  );
  assert.deepEqual(
    bytes.ticks.map(({ text }) => text),
    ["0 B", "7 kB"],
  );
});

test("numbers are short and use the true minus sign", () => {
  const told: [number, string][] = [
    [0, "0"],
    [1, "1.0"],
    [0.0024, "2.4e−3"],
    [1.84e-18, "2e−18"],
    [9.4e-10, "9e−10"],
    [1e-9, "1.0e−9"],
    [-3.4e12, "−3e12"],
    [0.12, "1.2e−1"],
    [4.35, "4.3"],
    [37.2, "37"],
    [9.96, "10"],
    [0.96, "1.0"],
    [999.7, "1.0e3"],
    [123456, "1.2e5"],
    [-3, "−3.0"],
    [Number.NaN, "NaN"],
    [-Infinity, "−Inf"],
  ];
  for (const [value, text] of told) assert.equal(number(value), text);
  assert.deepEqual([0, 999, 1000, 1e6, 2.4e9].map(nbytes), ["0 B", "999 B", "1 kB", "1 MB", "2.4 GB"]);
});

/** A fold of members with one node each, and what trends say of the norms that arrived. */
function said(norms: readonly number[]): readonly [string, object][] {
  const groups = [
    { parent: -1, kind: "root" as const },
    { parent: 0, kind: "fold" as const, name: "h" },
    ...norms.map((_, at) => ({ parent: 1, kind: "module" as const, name: `h.${norms.length - 1 - at}` })),
  ];
  const nodes: NodeRow[] = norms.map((_, at) => ({ type: "AddBackward0", group: at + 2 }));
  const graph = new Graph(new Tabled({ nodes, edges: [], groups }));
  const remarks = trends(graph, { at: (node) => norms[node] ?? Number.NaN, through: () => Number.NaN });
  return remarks.map(({ id, args }) => [id, args]);
}

test("trends over a stack", () => {
  assert.deepEqual(said([1, 0.5, 0.2, 0.025]), [["shrink", { first: "h.3", last: "h.0", n: 40 }]]);
  assert.deepEqual(said([1, 3, 9, 30]), [["grow", { first: "h.3", last: "h.0", n: 30 }]]);
  assert.deepEqual(said([1, 0.8, 0.5]), []);
  assert.deepEqual(said([1, 0.01, 0, 0]), [["vanish", { first: "h.1" }]]);
  assert.deepEqual(said([1, Number.NaN, 0.01]), []);
  assert.deepEqual(said([1, 9, 1, 2]), [["weaker", { weak: "h.3", strong: "h.2", n: 9 }]]);
  assert.deepEqual(said([0, 0, 0]), []);
  assert.deepEqual(said([1, 0.01]), []);
});

test("outputs of one operation that differ: k receives 9 times less than v", () => {
  const nodes: NodeRow[] = [
    { type: "AttentionBackward0" },
    ...["q", "k", "v"].map((name): NodeRow => ({ type: "TransposeBackward0", text: name })),
  ];
  const edges = [1, 2, 3].map((target) => ({ source: 0, target, slot: target - 1 }));
  const graph = new Graph(new Tabled({ nodes, edges }));
  const told = (norms: number[]) => trends(graph, { at: () => Number.NaN, through: (edge) => norms[edge] ?? 0 });
  assert.deepEqual(told([1e-3, 1.2e-3, 1.1e-2]), [{ id: "weaker", args: { weak: "q", strong: "v", n: 11 } }]);
  assert.deepEqual(told([1e-2, 1.2e-3, 1.1e-2]), [{ id: "weaker", args: { weak: "k", strong: "v", n: 9 } }]);
  assert.deepEqual(told([1, 2, 3]), []);
});
