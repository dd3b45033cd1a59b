/** The twin of `words.py`: both are held to the same cases. */

import assert from "node:assert/strict";
import test from "node:test";
import { type Arguments, fill, speaker } from "../../widgets/torchloupe/core/words";
import cases from "./fill_cases.json";

for (const { template, args, filled } of cases) {
  test(`fill: ${template} with ${JSON.stringify(args)}`, () => {
    const given = args as unknown as Arguments;
    if (filled === null) assert.throws(() => fill(template, given), /no argument/);
    else assert.equal(fill(template, given), filled);
  });
}

const bundled = { own: ["{n} {n:cell|cells}", "{n} 个单元"], both: ["own", "自己的"] };
const extra = { kernel: { en: "of {name}", "zh-CN": "{name} 的" }, both: { en: "kernel", "zh-CN": "内核" } };

test("a speaker follows the language of the moment", () => {
  let language: "en" | "zh-CN" = "en";
  const say = speaker(
    bundled,
    () => extra,
    () => language,
  );
  assert.equal(say("own", { n: 1 }), "1 cell");
  assert.equal(say("kernel", { name: "x" }), "of x");
  language = "zh-CN";
  assert.equal(say("own", { n: 1 }), "1 个单元");
  assert.equal(say("kernel", { name: "x" }), "x 的");
});

test("the view's own words come before the kernel's", () => {
  assert.equal(
    speaker(
      bundled,
      () => extra,
      () => "en",
    )("both"),
    "own",
  );
});

test("words that came with a later frame are found", () => {
  let words = {};
  const say = speaker(
    {},
    () => words,
    () => "en",
  );
  assert.throws(() => say("kernel", { name: "x" }), /no words for "kernel"/);
  words = extra;
  assert.equal(say("kernel", { name: "x" }), "of x");
});
