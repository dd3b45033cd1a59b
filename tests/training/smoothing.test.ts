/** Averages over steps, against their closed form. */

import assert from "node:assert/strict";
import test from "node:test";
import { trackOf } from "../../widgets/torchloupe/training/columns";
import { drawnOf } from "../../widgets/torchloupe/training/drawn";
import type { Curve } from "../../widgets/torchloupe/training/plot_model";
import { Average, averageAt, smoothed } from "../../widgets/torchloupe/training/smoothing";
import { columnsOf, type Point } from "./columns_of";

/** The weighted mean itself: each point at or before `step` weighs half as much a half-life later. */
function closed(points: readonly Point[], step: number, halfLife: number): number {
  const before = points.filter(([at]) => at <= step);
  const weights = before.map(([at]) => 0.5 ** ((step - at) / halfLife));
  const sum = before.reduce((total, [, value], place) => total + value * (weights[place] ?? 0), 0);
  return sum / weights.reduce((total, weight) => total + weight, 0);
}

function near(one: number, other: number, tolerance = 1e-9): void {
  assert.ok(Math.abs(one - other) <= tolerance * Math.max(Math.abs(other), 1), `${one} is not ${other}`);
}

const wave = (count: number, jump: (at: number) => number): Point[] => {
  let step = 0;
  return Array.from({ length: count }, (_, at) => {
    step += jump(at);
    return [step, Math.sin(at / 3) + ((at * 7919) % 13) / 5] as const;
  });
};

function track(points: readonly Point[]): ReturnType<typeof trackOf> {
  const right = (points.at(-1)?.[0] ?? 0) + 1;
  return trackOf(columnsOf(points, 0, right, 2 * right));
}

test("an average is the weighted mean of its closed form, however far apart the steps lie", () => {
  for (const halfLife of [1, 7.5, 40]) {
    for (const jump of [() => 1, (at: number) => 1 + ((at * at) % 9), (at: number) => (at % 50 === 0 ? 300 : 2)]) {
      const points = wave(150, jump);
      const found = smoothed(track(points), new Average(halfLife));
      points.forEach(([step], at) => {
        near(found[at] ?? 0, closed(points, step, halfLife));
      });
    }
  }
});

test("the first value is itself, and a constant stays constant", () => {
  const points: Point[] = [3, 4, 90, 91, 400].map((step) => [step, 2.5]);
  for (const value of smoothed(track(points), new Average(12))) near(value, 2.5);
});

test("no half-life means no smoothing", () => {
  const points = wave(20, () => 1);
  assert.deepEqual(
    [...smoothed(track(points), new Average(0))],
    points.map(([, value]) => value),
  );
});

test("columns of several points weigh as many", () => {
  const points: Point[] = Array.from({ length: 40 }, (_, at) => [at, at < 20 ? 1 : 3]);
  const found = smoothed(trackOf(columnsOf(points, 0, 40, 20)), new Average(1e9));
  near(found.at(-1) ?? 0, 2, 1e-6);
});

test("after a NaN the average begins anew", () => {
  const points: Point[] = wave(60, () => 1).map(([step, value]) => [step, step === 30 ? Number.NaN : value]);
  const found = smoothed(track(points), new Average(9));
  assert.ok(Number.isNaN(found[29]));
  const rest = points.filter(([step]) => step > 30);
  rest.forEach(([step], at) => {
    near(found[30 + at] ?? 0, closed(rest, step, 9));
  });
});

test("a branch goes on from its parent's average as one curve would", () => {
  const trunk = wave(200, () => 1);
  const [before, after] = [trunk.slice(0, 120), trunk.slice(120)];
  const from = averageAt(track(before), new Average(15), 120);
  const found = smoothed(track(after), from.copy());
  after.forEach(([step], at) => {
    near(found[at] ?? 0, closed(trunk, step, 15));
  });
});

test("what the parent did after the branch left it does not count", () => {
  const trunk: Point[] = wave(200, () => 1).map(([step, value]) => [step, step > 120 ? 1e6 : value]);
  near(averageAt(track(trunk), new Average(15), 120).value, closed(trunk, 120, 15));
});

function curve(id: string, points: readonly Point[], more: Partial<Curve> = {}): Curve {
  const columns = columnsOf(points, 0, 400, 800);
  return { id, colour: 1, mark: "line", columns, name: id, valued: false, selected: true, ...more };
}

test("drawn, a branch starts at the parent's average at the step where it leaves", () => {
  const trunk = wave(300, () => 1);
  const branch: Point[] = Array.from({ length: 100 }, (_, at) => [161 + at, 4]);
  const curves = [curve("b", branch, { parent: { id: "a", step: 160 } }), curve("a", trunk)];
  const [drawn] = drawnOf({ quantity: "loss", scale: "auto", curves }, 10, 0, 400);
  assert.equal(drawn?.start?.step, 160);
  near(drawn?.start?.value ?? 0, closed(trunk, 160, 10));
  near(drawn?.line[99] ?? 0, closed([...trunk.slice(0, 160), ...branch], 260, 10));
});

test("curves that are each other's parents are drawn all the same", () => {
  const one = curve(
    "a",
    wave(80, () => 1),
    { parent: { id: "b", step: 0 } },
  );
  const other = curve(
    "b",
    wave(80, () => 1),
    { parent: { id: "a", step: 0 } },
  );
  const found = drawnOf({ quantity: "loss", scale: "auto", curves: [one, other] }, 10, 0, 400);
  assert.deepEqual(
    found.map(({ track: { size } }) => size),
    [80, 80],
  );
});

test("fewer than fifty points in view are drawn as they are", () => {
  const points = wave(60, () => 1);
  const panel = { quantity: "loss", scale: "auto", curves: [curve("a", points)] } as const;
  const [whole] = drawnOf(panel, 10, 0, 60);
  const [part] = drawnOf(panel, 10, 10, 40);
  assert.equal(whole?.dense, true);
  assert.equal(part?.dense, false);
  assert.deepEqual(
    [...(part?.line ?? [])],
    points.map(([, value]) => value),
  );
});
