/** Labels, flags, gaps, the crosshair, the window and the strip's rows. */

import assert from "node:assert/strict";
import test from "node:test";
import { bandHeights } from "../../widgets/torchloupe/training/bands";
import { gaps, trackOf } from "../../widgets/torchloupe/training/columns";
import { snap } from "../../widgets/torchloupe/training/crosshair";
import { pushApart } from "../../widgets/torchloupe/training/ends";
import { type Placed, placeFlags } from "../../widgets/torchloupe/training/flags";
import type { Flag, Strip } from "../../widgets/torchloupe/training/plot_model";
import { sceneOf } from "../../widgets/torchloupe/training/plot_scene";
import { readingAt, stepped } from "../../widgets/torchloupe/training/readings";
import { cellOf, rowAt, rowsOf, shortName, worstRows } from "../../widgets/torchloupe/training/rows";
import { distance, isTrouble, shadeOf } from "../../widgets/torchloupe/training/shades";
import { Zoom } from "../../widgets/torchloupe/training/zoom";
import { columnsOf, type Point } from "./columns_of";

/** Numbers between 0 and 1 that are the same in each run. */
function* chance(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (state * 48271) % 2147483647;
    yield state / 2147483647;
  }
}

test("labels never overlap, keep their order and stay within while they fit", () => {
  const random = chance(11);
  const next = (): number => random.next().value;
  for (let round = 0; round < 400; round += 1) {
    const wanted = Array.from({ length: 1 + Math.floor(next() * 12) }, () => next() * 200);
    const found = pushApart(wanted, 15, 0, 200);
    const order = wanted.map((_, at) => at).sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0));
    const placed = order.map((at) => found[at] ?? 0);
    placed.slice(1).forEach((y, at) => {
      assert.ok(y - (placed[at] ?? 0) >= 15 - 1e-9);
    });
    assert.ok((placed[0] ?? 0) >= -1e-9 && (placed.at(-1) ?? 0) <= 200 + 1e-9);
  }
});

test("labels that are apart stay where they are, two that meet part evenly", () => {
  assert.deepEqual(pushApart([150, 20, 90], 15, 0, 200), [150, 20, 90]);
  assert.deepEqual(pushApart([100, 100], 15, 0, 200), [92.5, 107.5]);
});

const flag = (step: number): Flag => ({ step, words: `lr ${step}`, short: "", colour: 1, waiting: false });

function placed(steps: readonly number[]): Placed[] {
  const text = ({ words }: Flag): string => words;
  return placeFlags(
    steps.map(flag),
    (step) => step,
    560,
    (words) => 6 * words.length,
    text,
    (n) => `${n} changes`,
  );
}

test("flags never cover each other, and none is lost", () => {
  const random = chance(5);
  for (let round = 0; round < 100; round += 1) {
    const steps = Array.from({ length: 14 }, () => Math.floor(random.next().value * 560));
    const found = placed(steps);
    assert.deepEqual(
      found.flatMap(({ flags }) => flags.map(({ step }) => step)).sort((a, b) => a - b),
      steps.sort((a, b) => a - b),
    );
    for (const row of [0, 1]) {
      const own = found.filter((one) => one.row === row).sort((a, b) => a.left - b.left);
      own.slice(1).forEach((one, at) => {
        assert.ok(one.left >= (own[at]?.right ?? 0));
      });
    }
  }
});

test("flags stack, then merge; at the right edge they hang to the left", () => {
  const found = placed([100, 110, 120, 130, 540]);
  assert.deepEqual(
    found.map(({ row, text, flipped }) => [row, text, flipped]),
    [
      [0, "lr 100", false],
      [0, "lr 540", true],
      [1, "3 changes", false],
    ],
  );
});

const NAN: Point[] = Array.from({ length: 100 }, (_, at) => {
  const bad = (at >= 40 && at < 54) || at === 80;
  return [at, bad ? (at % 2 ? Number.NaN : Number.POSITIVE_INFINITY) : at];
});

test("gaps cover exactly the steps that are not finite, and are counted", () => {
  const found = gaps(trackOf(columnsOf(NAN, 0, 100, 400)));
  assert.deepEqual(
    found.map(({ left, right, bad }) => [left, right, bad]),
    [
      [40, 53, 14],
      [80, 80, 1],
    ],
  );
});

test("where a column holds several steps a gap covers its columns and still counts its points", () => {
  const [first] = gaps(trackOf(columnsOf(NAN, 0, 100, 20)));
  assert.deepEqual([first?.left, first?.right, first?.bad], [40, 54, 14]);
});

test("a gap is as tall as its branch where another passes, else as the panel", () => {
  assert.deepEqual(bandHeights([100, 150], false, { top: 44, bottom: 260 }), [44, 260]);
  const [top, bottom] = bandHeights([100, 150], true, { top: 44, bottom: 260 });
  assert.ok(top > 44 && top < 100 && bottom > 150 && bottom < 260);
});

test("the crosshair snaps to a recorded step", () => {
  const every = trackOf(
    columnsOf(
      Array.from({ length: 1000 }, (_, at) => [at, 1] as const),
      0,
      1000,
      250,
    ),
  );
  assert.deepEqual(
    [0, 17.4, 17.6, 998.9].map((step) => snap([every], step)),
    [0, 17, 18, 999],
  );
  const tenth = trackOf(
    columnsOf(
      Array.from({ length: 100 }, (_, at) => [at * 10, 1] as const),
      0,
      1000,
      1000,
    ),
  );
  assert.deepEqual(
    [-50, 14, 16, 5000].map((step) => snap([tenth], step)),
    [0, 10, 20, 990],
  );
  assert.equal(snap([], 12.7), 13);
});

test("a reading tells raw and smoothed values, each with its own step", () => {
  const train: Point[] = Array.from({ length: 200 }, (_, at) => [at, 5 - at / 50]);
  const shared = { colour: 1, valued: true, selected: true } as const;
  const columns = (points: readonly Point[]) => columnsOf(points, 0, 200, 400);
  const curves = [
    { ...shared, id: "t", mark: "line", name: "train", columns: columns(train) },
    {
      ...shared,
      id: "v",
      mark: "circle",
      name: "val",
      columns: columns([
        [50, 4.2],
        [100, 3.3],
      ]),
    },
  ] as const;
  const panels = [{ quantity: "loss", scale: "auto", curves }] as const;
  const model = { panels, flags: [], rewinds: [], latest: 199, finished: false, gone: false, halfLife: 0.001 };
  const scene = sceneOf(model, 760, 0, 200, new Set());
  const reading = readingAt(scene, 70, false);
  const [t, v] = reading.curves;
  assert.deepEqual([t?.step, t?.raw, t?.exact], [70, 5 - 70 / 50, true]);
  assert.ok(Math.abs((t?.smoothed ?? 0) - (5 - 70 / 50)) < 1e-9);
  assert.deepEqual([v?.step, v?.raw, v?.smoothed], [50, 4.2, undefined]);
  assert.deepEqual([stepped(scene, 70, 1), stepped(scene, 70, -10), stepped(scene, 199, 1)], [71, 60, 199]);
  assert.equal(readingAt(scene, undefined, false).step, 199);
});

test("the window follows until the latest step is hidden, then never moves by itself", () => {
  const zoom = new Zoom();
  zoom.grow(1240, 1350);
  assert.deepEqual([zoom.left, zoom.right, zoom.following, zoom.whole], [0, 1350, true, true]);
  zoom.show(600, 1300);
  assert.deepEqual([zoom.left, zoom.right, zoom.following, zoom.whole], [600, 1350, true, false]);
  zoom.show(600, 900);
  zoom.grow(1480, 1600);
  assert.deepEqual([zoom.left, zoom.right, zoom.following, zoom.missed], [600, 900, false, 240]);
  zoom.follow(true);
  assert.deepEqual([zoom.left, zoom.right, zoom.missed], [1300, 1600, 0]);
  zoom.reset();
  assert.deepEqual([zoom.left, zoom.right, zoom.whole], [0, 1600, true]);
});

test("zooming keeps the step under the pointer, panning keeps the width, both keep within the axis", () => {
  const zoom = new Zoom();
  zoom.grow(1000, 1050);
  zoom.show(200, 600);
  zoom.by(0.5, 300);
  assert.deepEqual([zoom.left, zoom.right], [250, 450]);
  zoom.pan(-1000);
  assert.deepEqual([zoom.left, zoom.right], [0, 200]);
  zoom.pan(5000);
  assert.deepEqual([zoom.left, zoom.right, zoom.following], [850, 1050, true]);
  zoom.show(500, 500.1);
  assert.ok(zoom.right - zoom.left >= 4 && zoom.left < 500 && zoom.right > 500.1);
});

const strip = (names: readonly string[], cells: readonly number[], count: number): Strip => {
  const layers = names.map((name, row) => ({ name, newest: cells[(row + 1) * count - 1] ?? Number.NaN }));
  return { measure: "norm", layers, left: 0, right: count * 10, count, cells: Float32Array.from(cells) };
};

test("shades have the edges that are named, on both sides of healthy", () => {
  const norms = [9e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 2, 10, 100, 1000];
  assert.deepEqual(
    norms.map((value) => shadeOf("norm", value)),
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  );
  assert.deepEqual(
    [1e-4, 9.9e-3].map((value) => isTrouble(shadeOf("ratio", value))),
    [false, false],
  );
  assert.deepEqual(
    [9e-5, 1e-2, Number.NEGATIVE_INFINITY].map((value) => isTrouble(shadeOf("ratio", value))),
    [true, true, true],
  );
  assert.deepEqual([shadeOf("norm", Number.NaN), shadeOf("norm", 0)], ["none", 0]);
  assert.ok(distance("norm", 1e-5) > distance("norm", 20) && distance("norm", 0.1) < 0);
});

test("a folded row shows what is furthest from healthy, so that one bad layer is never lost", () => {
  const names = Array.from({ length: 6 }, (_, at) => ["a", "b", "c"].map((leaf) => `h.${at}.${leaf}`)).flat();
  const cells = names.map((name) => (name === "h.2.b" ? 1e-8 : name === "h.4.a" ? Number.POSITIVE_INFINITY : 0.1));
  const model = strip(names, cells, 1);
  const rows = rowsOf(model, new Set());
  assert.deepEqual(
    rows.map(({ name }) => name),
    ["h.0", "h.1", "h.2", "h.3", "h.4", "h.5"],
  );
  const values = rows.map((row) => cellOf(model, row, 0));
  assert.ok(Math.abs((values[2] ?? 0) / 1e-8 - 1) < 1e-6 && values[4] === Number.POSITIVE_INFINITY);
  assert.deepEqual(
    worstRows(model, rows).map(({ name }) => name),
    ["h.0", "h.2", "h.4"],
  );
  const opened = rowsOf(model, new Set(["h.2"])).slice(2, 6);
  assert.deepEqual(
    opened.map(({ name, fold }) => [name, fold]),
    [
      ["h.2", "open"],
      ["h.2.a", undefined],
      ["h.2.b", undefined],
      ["h.2.c", undefined],
    ],
  );
});

test("a step without a measurement reads the last one before it", () => {
  const model = strip(["fc"], [0.5, Number.NaN, 0.25], 3);
  const [row] = rowsOf(model, new Set());
  assert.ok(row);
  assert.deepEqual(
    [5, 15, 25, 900].map((step) => rowAt(model, row, step)),
    [0.5, 0.5, 0.25, 0.25],
  );
});

test("names are shortened from the left, the layer's own name stays", () => {
  const fits = (most: number) => (text: string) => text.length <= most;
  assert.equal(shortName("block2.fc1", fits(10)), "block2.fc1");
  assert.equal(shortName("block2.fc1", fits(8)), "b2.fc1");
  assert.equal(shortName("encoder.layers.11.fc1", fits(16)), "e.layers.11.fc1");
  assert.equal(shortName("encoder.layers.11.fc1", fits(6)), "…1.fc1");
});
