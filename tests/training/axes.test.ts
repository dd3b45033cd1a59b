/** Where axes end and what is written along them. */

import assert from "node:assert/strict";
import test from "node:test";
import { nice, percentile, rightEnd, stepTicks, valueAxis, wantsLog } from "../../widgets/torchloupe/training/axes";
import { axisOf, drawnOf } from "../../widgets/torchloupe/training/drawn";
import { count, figure, scientific, steady } from "../../widgets/torchloupe/training/figures";
import type { Panel, Scale } from "../../widgets/torchloupe/training/plot_model";
import { valueScale } from "../../widgets/torchloupe/training/scales";
import { columnsOf, type Point } from "./columns_of";

test("a nice number is the next of 1, 2, 5", () => {
  const told = [0.011, 1, 1.2, 2, 3, 5, 7, 10, 41, 999].map(nice);
  assert.deepEqual(told, [0.02, 1, 2, 2, 5, 5, 10, 10, 50, 1000]);
});

test("the right end leaves 5 %, never moves back and seldom moves", () => {
  let before = 0;
  let moves = 0;
  for (let latest = 0; latest < 20000; latest += 1) {
    const end = rightEnd(latest, false);
    assert.ok(end >= latest * 1.05 - 1e-6 && end >= before, `${latest}: ${before} to ${end}`);
    if (latest > 1000) assert.ok(end <= latest * 1.16, `${latest} ends at ${end}`);
    if (end !== before) moves += 1;
    before = end;
  }
  assert.ok(moves < 200, `${moves} moves`);
});

test("a finished run ends with its curve, an empty one has the size of what will come", () => {
  assert.equal(rightEnd(2000, true), 2000);
  assert.equal(rightEnd(-1, false, 600), 600);
});

test("ticks of steps are whole, within the window and apart", () => {
  for (const [left, right] of [
    [0, 1300],
    [702.4, 709.9],
    [999_000, 1_000_500],
    [0, 10],
  ] as const) {
    const ticks = stepTicks(left, right, 560, 60);
    assert.ok(ticks.length >= 1);
    for (const { at } of ticks) assert.ok(Number.isInteger(at) && at >= left && at <= right);
    ticks.slice(1).forEach(({ at }, place) => {
      assert.ok(((at - (ticks[place]?.at ?? 0)) / (right - left)) * 560 >= 59.9);
    });
  }
  assert.equal(stepTicks(1000, 1400, 560, 60)[1]?.text, "1,050");
});

test("an axis holds its values; its ticks are apart and within it", () => {
  for (const log of [true, false]) {
    for (const [low, high] of [
      [0.31, 2.9],
      [1e-7, 3e4],
      [0.98, 0.981],
      [5, 5],
      [1e-3, 2e-3],
      [12, 90000],
    ] as const) {
      const axis = valueAxis(low, high, log, 216);
      assert.ok(axis.low <= low * 1.0001 && axis.high >= high * 0.9999, `${low} to ${high}: ${JSON.stringify(axis)}`);
      const y = valueScale(axis, 0, 216);
      const places = axis.ticks.map(({ at }) => y(at));
      assert.ok(places.length >= 2 || !log, JSON.stringify(axis));
      for (const place of places) assert.ok(place >= -0.01 && place <= 216.01);
      places.slice(1).forEach((place, at) => {
        assert.ok((places[at] ?? 0) - place >= 19, JSON.stringify(axis));
      });
    }
  }
});

test("a log axis of less than two decades has ticks at 1, 2, 3, 5", () => {
  const texts = valueAxis(0.32, 2.8, true, 216).ticks.map(({ text }) => text);
  assert.deepEqual(texts, ["0.3", "0.5", "1", "2", "3"]);
});

test("values ask for a log axis when they are positive and span more than five", () => {
  assert.deepEqual([wantsLog(1, 6), wantsLog(1, 5), wantsLog(0, 6), wantsLog(-1, 9)], [true, false, false, false]);
});

test("percentiles take the nearest value outward", () => {
  const values = Float64Array.from({ length: 101 }, (_, at) => at);
  assert.deepEqual([percentile(values, 0.005), percentile(values, 0.5), percentile(values, 0.995)], [0, 50, 100]);
});

function panel(points: readonly Point[], scale: Scale): Panel {
  const columns = columnsOf(points, 0, 1000, 1000);
  const curve = { id: "a", colour: 1, mark: "line", columns, name: "a", valued: false, selected: true } as const;
  return { quantity: "loss", scale, curves: [curve] };
}

function axisFor(points: readonly Point[], scale: Scale = "auto"): ReturnType<typeof axisOf> {
  const one = panel(points, scale);
  return axisOf(drawnOf(one, 50, 0, 1000), one, 216);
}

const noisy = (at: number): number => 1 + ((at * 7919) % 100) / 400;

test("one wild value does not squeeze the rest", () => {
  const points: Point[] = Array.from({ length: 1000 }, (_, at) => [at, at === 500 ? 1.6 : noisy(at)]);
  const axis = axisFor(points);
  assert.ok(axis.high < 1.6 && axis.high >= 1.24 && axis.low <= 1, JSON.stringify(axis));
});

test("all of the smoothed line is on the axis", () => {
  const points: Point[] = Array.from({ length: 1000 }, (_, at) => [at, at > 990 ? 4 : noisy(at)]);
  const one = panel(points, "auto");
  const drawn = drawnOf(one, 2, 0, 1000);
  const axis = axisOf(drawn, one, 216);
  for (const value of drawn[0]?.line ?? []) assert.ok(value >= axis.low && value <= axis.high);
});

test("a value that is not positive keeps the axis linear, unless a person chose otherwise", () => {
  const points: Point[] = Array.from({ length: 900 }, (_, at) => [at, at === 300 ? 0 : 10 * 0.995 ** at]);
  assert.equal(axisFor(points).log, false);
  const chosen = axisFor(points, "log");
  assert.ok(chosen.log && chosen.low > 0);
  assert.equal(axisFor(points.filter(([at]) => at !== 300)).log, true);
  assert.equal(
    axisFor(
      points.map(([at, value]) => [at, -value]),
      "log",
    ).log,
    false,
  );
});

test("without points there is an axis all the same", () => {
  const axis = axisFor([]);
  assert.ok(axis.low > 0 && axis.high > axis.low && axis.ticks.length >= 2);
  assert.ok(axisFor(Array.from({ length: 60 }, (_, at) => [at, Number.NaN] as const)).ticks.length >= 2);
});

test("numbers are short, steps have their thousands parted", () => {
  const told = [0.4163, 0.3, 2e-3, 1.4e-7, 123456, -0.5, Number.NaN, Number.POSITIVE_INFINITY, 0];
  assert.deepEqual(
    told.map((value) => figure(value, 3)),
    ["0.416", "0.3", "0.002", "1.4e-7", "1.23e5", "−0.5", "NaN", "∞", "0"],
  );
  assert.deepEqual(
    [0.41, 12.3456, 0, 1234.5, 3e-9].map((value) => steady(value, 3)),
    ["0.410", "12.3", "0.000", "1235", "3e-9"],
  );
  assert.deepEqual([1.84e-2, 12, Number.NaN].map(scientific), ["1.8e-2", "1.2e1", "NaN"]);
  assert.deepEqual([0, 999, 1240, 1_000_000].map(count), ["0", "999", "1,240", "1,000,000"]);
});
