/** The marks beside the code: which, in which order, and that the line to the node never crosses them. */

import assert from "node:assert/strict";
import test from "node:test";
import { operation } from "../../widgets/torchloupe/autograd/explanation";
import { marks, ROW, slotAt } from "../../widgets/torchloupe/autograd/explanation_track";
import type { Explanation } from "../../widgets/torchloupe/autograd/state";

const sentence = { id: "x", args: {} };

function explanation(changed: Partial<Explanation>): Explanation {
  return {
    kind: "in_place",
    heading: sentence,
    detail: sentence,
    place: "In[7]",
    lines: [],
    keeper: 0,
    culprit: 0,
    culprits: [],
    tensor: "a",
    node: 2,
    node_title: "ExpBackward0",
    slot: "result",
    expected: 0,
    found: 1,
    versions: [],
    fix_old: "",
    fix_new: "",
    fix_line: 0,
    way: null,
    price: null,
    error: "",
    unknown: null,
    ...changed,
  };
}

test("the keeper is a circle at the version it kept, a culprit a square at the version it made", () => {
  const told = explanation({ keeper: 2, culprits: [3], versions: [1] });
  assert.deepEqual(marks(told, [1, 2, 3, 4]), [
    { row: 1, shape: "circle", label: "0" },
    { row: 2, shape: "square", label: "1" },
  ]);
});

test("a line that ran several times is one square with its first and last version", () => {
  const told = explanation({ keeper: 2, culprits: [4, 5, 4, 5], versions: [1, 2, 3, 4] });
  assert.deepEqual(
    marks(told, [2, 3, 4, 5]).map((mark) => mark.label),
    ["0", "1–3", "2–4"],
  );
});

test("a culprit above its keeper, in a loop, comes after it all the same", () => {
  const told = explanation({ keeper: 5, culprits: [3], versions: [4], expected: 3, found: 4 });
  assert.deepEqual(
    marks(told, [2, 3, 4, 5]).map((mark) => [mark.shape, mark.row]),
    [
      ["circle", 3],
      ["square", 1],
    ],
  );
});

test("a gap in the lines has a row of its own and no mark", () => {
  const told = explanation({ keeper: 2, culprits: [40], versions: [1] });
  assert.deepEqual(
    marks(told, [2, -1, 40]).map((mark) => mark.row),
    [0, 2],
  );
});

test("lines that are not shown and unknown keepers have no mark", () => {
  assert.deepEqual(marks(explanation({ keeper: 0, culprits: [9], versions: [1] }), [1, -1, 2]), []);
});

test("faults without versions are told by their signs", () => {
  const signs = (kind: Explanation["kind"]): string[] =>
    marks(explanation({ kind, keeper: 1, culprits: [2] }), [1, 2]).map((mark) => mark.label);
  assert.deepEqual(signs("behind"), ["", "≠"]);
  assert.deepEqual(signs("freed"), ["", "✕"]);
});

test("the node's slot stands below the last mark, however the lines run", () => {
  for (let rows = 1; rows < 20; rows++) {
    for (let lowest = 0; lowest < rows; lowest++) {
      const slot = slotAt([{ row: lowest, shape: "square", label: "1" }], rows);
      assert.ok(slot >= (lowest + 1) * ROW, `${rows} rows, mark ${lowest}: ${slot}`);
    }
  }
});

test("operations are named as PyTorch names them", () => {
  const cases = {
    ExpBackward0: "exp",
    LogSoftmaxBackward0: "log_softmax",
    AddmmBackward0: "addmm",
    NativeLayerNormBackward1: "native_layer_norm",
    MyFunctionBackward: "MyFunction",
  };
  for (const [title, name] of Object.entries(cases)) assert.equal(operation(title), name);
});
