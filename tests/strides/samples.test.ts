/** Values are asked for once, in bounded requests, and asked for again when they may have changed. */

import assert from "node:assert/strict";
import test from "node:test";
import { Samples } from "../../widgets/torchloupe/strides/samples";

function asking(): { samples: Samples; asked: [number, number[]][] } {
  const asked: [number, number[]][] = [];
  return { samples: new Samples((tensor, cells) => asked.push([tensor, cells])), asked };
}

const cells = (tensor: number, from: number, count: number) => {
  const numbers = Array.from({ length: count }, (_, at) => from + at);
  return { tensor, cells: numbers, labels: numbers.map((n) => `${n}.`), values: numbers.map((n) => `${n}.0`) };
};

test("what is known is not asked for", () => {
  const { samples, asked } = asking();
  samples.take(cells(1, 0, 3));
  samples.need(1, [0, 1, 2, 3]);
  assert.deepEqual(asked, [[1, [3]]]);
  assert.deepEqual(samples.get(1, 2), { label: "2.", value: "2.0" });
  assert.equal(samples.get(2, 2), undefined);
});

test("what was asked for is not asked for again", () => {
  const { samples, asked } = asking();
  samples.need(1, [4, 5]);
  samples.need(1, [4, 5, 6]);
  samples.need(2, [4]);
  assert.deepEqual(asked, [
    [1, [4, 5]],
    [1, [6]],
    [2, [4]],
  ]);
});

test("a large need is several requests that the kernel may answer", () => {
  const { samples, asked } = asking();
  const many = Array.from({ length: 1300 }, (_, at) => at);
  samples.need(1, many);
  assert.ok(asked.every(([, part]) => part.length <= 4096));
  assert.deepEqual(
    asked.flatMap(([, part]) => part),
    many,
  );
});

test("after forgetting, all is asked for anew", () => {
  const { samples, asked } = asking();
  samples.take(cells(1, 0, 2));
  samples.need(1, [5]);
  samples.forget();
  assert.equal(samples.get(1, 0), undefined);
  samples.need(1, [0, 5]);
  assert.deepEqual(asked.at(-1), [1, [0, 5]]);
});

test("the longest label is that of the tensors asked about", () => {
  const { samples } = asking();
  assert.equal(samples.longest([1]), 1);
  samples.take({ tensor: 1, cells: [0, 1], labels: ["1.", "-12.5"], values: ["1.0", "-12.5"] });
  samples.take({ tensor: 2, cells: [0], labels: ["1.0000e+10"], values: ["1e10"] });
  assert.equal(samples.longest([1]), 5);
  assert.equal(samples.longest([1, 2]), 10);
});
