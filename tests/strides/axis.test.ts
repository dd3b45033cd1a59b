/** Names and numbers as the lens writes them, against the platform's own formatting where there is one. */

import assert from "node:assert/strict";
import test from "node:test";
import { axisLetter, bracketed, bytes, grouped, hueClass, short, tuple } from "../../widgets/torchloupe/strides/axis";
import { Chance } from "./chance";

test("digits stand in threes", () => {
  const chance = new Chance(3);
  const values = [0, 9, 10, 999, 1000, 999_999, 1_000_000, 2 ** 53 - 1];
  for (let round = 0; round < 300; round++) values.push(chance.between(0, 10 ** chance.between(1, 9)));
  for (const value of values) assert.equal(grouped(value), value.toLocaleString("en-US"));
});

test("tuples are Python's", () => {
  assert.equal(tuple([]), "()");
  assert.equal(tuple([3]), "(3,)");
  assert.equal(tuple([2, 3]), "(2, 3)");
  assert.equal(bracketed([]), "[]");
  assert.equal(bracketed([1, 0]), "[1, 0]");
});

test("bytes are exact while they are few, then rounded to what is said", () => {
  const known: [number, string][] = [
    [0, "0 B"],
    [40, "40 B"],
    [9999, "9,999 B"],
    [10_000, "10 kB"],
    [12_345, "12.3 kB"],
    [99_949, "99.9 kB"],
    [999_499, "999 kB"],
    [999_500, "1 MB"],
    [4_000_000, "4 MB"],
    [4_194_304, "4.19 MB"],
    [1_000_000_000, "1 GB"],
    [4e9, "4 GB"],
    [1.5e12, "1.5 TB"],
    [1e15, "1 PB"],
    [5e18, "5000 PB"],
  ];
  for (const [value, written] of known) assert.equal(bytes(value), written);
});

test("bytes never mislead by more than half a percent, and grow with what they say", () => {
  const scale: Record<string, number> = { B: 1, kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12, PB: 1e15 };
  const chance = new Chance(5);
  for (let round = 0; round < 2000; round++) {
    const value = chance.between(1, 2 ** 30) * 2 ** chance.between(0, 18);
    const [number = "", unit = ""] = bytes(value).split(" ");
    const read = Number(number.replaceAll(",", "")) * (scale[unit] ?? Number.NaN);
    assert.ok(Math.abs(read - value) <= value * 0.0051, `${value} is written ${bytes(value)}`);
  }
});

test("axes have letters of their own, and names when those are used up", () => {
  const letters = Array.from({ length: 14 }, (_, axis) => axisLetter(axis));
  assert.deepEqual(letters.slice(0, 4), ["i", "j", "k", "l"]);
  assert.equal(new Set(letters).size, letters.length);
  assert.ok(!letters.includes("o"), "o reads as zero");
});

test("the sixth tensor takes the first hue", () => {
  assert.equal(hueClass(0), "tl-hue-1");
  assert.equal(hueClass(4), "tl-hue-5");
  assert.equal(hueClass(5), "tl-hue-1");
});

test("a long name is cut to its last call, then at its end", () => {
  assert.equal(short("x", 12), "x");
  assert.equal(short("exactly_12ch", 12), "exactly_12ch");
  assert.equal(short("x.transpose(0, 2)", 12), "transpose(0…");
  assert.equal(short("d.coo().values()", 12), "values()");
  assert.equal(short("a.b(c.d.e.f.g.h)", 12), "b(c.d.e.f.g…");
  assert.equal(short('frames["a.b.c"].T', 12), "T");
  assert.equal(short("一个很长很长很长很长的张量名字", 12).length, 12);
  for (const name of ["", ".", "x.", ")(", "a)b.c", "x".repeat(100)]) assert.ok(short(name, 12).length <= 12);
});
