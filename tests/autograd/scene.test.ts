/** Scenes of random nested groups: nothing overlaps, children stay inside, a window shows what brute force finds. */

import assert from "node:assert/strict";
import test from "node:test";
import { type Facts, Sizer } from "../../widgets/torchloupe/autograd/anatomy";
import type { Box, Chip, Key, Level, Strand } from "../../widgets/torchloupe/autograd/level";
import { type Item, type Line, PAD, type Plot } from "../../widgets/torchloupe/autograd/plot";
import { boundsOf, lengthOf, pointAt } from "../../widgets/torchloupe/autograd/route";
import { type Groups, MARGIN, type Rect, Scene, toggleOf } from "../../widgets/torchloupe/autograd/scene";
import { Chance } from "../strides/chance";

const LETTER = 7;
const FACTS: Facts = {
  code: () => ({ fragment: "x*y", value: "" }),
  arriving: () => 2,
  unused: () => [],
  broken: () => undefined,
};

function sizer(anatomy: "near" | "middle"): Sizer {
  const measure = (text: string): number => text.length * LETTER;
  return new Sizer(anatomy, { ui: "sans", mono: "mono" }, measure, (id, args) => `${id} ${args?.n}`, FACTS, false);
}

/** Groups within groups, with random edges that go down, and some that cross the border. */
class Forest implements Groups {
  version = 1;
  readonly #levels = new Map<Key, Level>();
  readonly #parents = new Map<Key, Key>();
  readonly keys: Key[] = [];
  #count = 0;
  #edge = 0;

  constructor(
    private readonly chance: Chance,
    depth: number,
  ) {
    this.#grow("g0", depth, 0, 0);
  }

  level(key: Key): Level {
    const level = this.#levels.get(key);
    if (level === undefined) throw new Error(`${key} is not open`);
    return level;
  }

  parentOf(key: Key): Key | undefined {
    return this.#parents.get(key);
  }

  /** Closes or opens a box again. */
  toggle(key: Key): void {
    const parent = this.parentOf(key) ?? "g0";
    const level = this.level(parent);
    const boxes = level.boxes.map((box) => (box.key === key ? { ...box, open: !box.open } : box));
    this.#levels.set(parent, { ...level, boxes });
    this.version++;
  }

  #grow(key: Key, depth: number, ins: number, outs: number): void {
    const { chance } = this;
    const count = chance.between(1, 9);
    const boxes = Array.from({ length: count }, () => this.#box(key, depth));
    const strands: Strand[] = [];
    const join = (source: number, target: number): void => {
      strands.push({ source, target, edges: [this.#edge++] });
    };
    for (let target = 1; target < count; target++) join(chance.between(Math.max(target - 3, 0), target - 1), target);
    for (let extra = 0; extra < count / 2; extra++) {
      const source = chance.between(0, count - 1);
      if (source < count - 1) join(source, chance.between(source + 1, count - 1));
    }
    for (let port = 0; port < ins; port++) join(-1, chance.between(0, count - 1));
    for (let port = 0; port < outs; port++) join(chance.between(0, count - 1), -1);
    this.#levels.set(key, { key, boxes, strands, shape: -1 });
  }

  #box(parent: Key, depth: number): Box {
    const { chance } = this;
    const id = ++this.#count;
    const open = depth > 0 && chance.between(0, 2) === 0;
    const kind = open ? "module" : chance.pick(["node", "leaf", "module", "stack"] as const);
    const key = kind === "node" || kind === "leaf" ? `n${id}` : `g${id}`;
    this.#parents.set(key, parent);
    this.keys.push(key);
    if (open) this.#grow(key, depth - 1, chance.between(1, 3), chance.between(0, 3));
    const chips = Array.from({ length: open ? 0 : chance.between(0, 4) }, (_, leaf): Chip => {
      return { name: "weight", detail: "4×4", leaf, shared: leaf === 3 };
    });
    const single = kind === "node" || kind === "leaf";
    return {
      key,
      kind,
      node: single ? id : -1,
      group: single ? -1 : id,
      title: "Add".repeat(chance.between(1, 4)),
      suffix: "Backward0",
      count: 1,
      members: kind === "stack" ? 12 : 1,
      open,
      expandable: !single,
      chips,
      moreChips: 0,
    };
  }
}

const FORESTS = Array.from({ length: 20 }, (_, seed) => new Forest(new Chance(seed + 1), 3));

type Visit = (plot: Plot, x: number, y: number) => void;

function each(plot: Plot, visit: Visit, x: number = MARGIN.side, y: number = MARGIN.top): void {
  visit(plot, x, y);
  for (const item of plot.items) if (item.inner !== undefined) each(item.inner, visit, x + item.x + PAD, y + item.y);
}

const SCENES = FORESTS.flatMap((forest) =>
  (["near", "middle"] as const).map((anatomy) => new Scene(forest, sizer(anatomy))),
);

test("boxes of a level, with their chips, are apart from each other", () => {
  for (const scene of SCENES) {
    each(scene.root, ({ items }) => {
      items.forEach((a, index) => {
        for (const b of items.slice(index + 1)) {
          assert.ok(!touch(withChips(a), withChips(b), 0), `${a.box.key} and ${b.box.key}`);
        }
      });
    });
  }
});

function withChips({ x, y, w, h, body, inner }: Item): Rect {
  return { x, y, w: w + (inner === undefined ? body.right : 0), h };
}

test("children and lines stand inside their frame, boxes under its header", () => {
  for (const scene of SCENES) {
    each(scene.root, ({ items, lines, width, height, level }) => {
      const header = level.key === "g0" ? 0 : 30;
      for (const item of items) assert.ok(inside(withChips(item), { x: 0, y: header, w: width, h: height - header }));
      for (const { path } of lines) {
        const { left, right, top, bottom } = boundsOf(path);
        assert.ok(inside({ x: left, y: top, w: right - left, h: bottom - top }, { x: 0, y: 0, w: width, h: height }));
      }
    });
  }
});

function inside(a: Rect, b: Rect): boolean {
  return a.x >= b.x && a.y >= b.y && a.x + a.w <= b.x + b.w && a.y + a.h <= b.y + b.h;
}

test("every strand ends at its boxes, or at the border where the line outside goes on", () => {
  for (const scene of SCENES) {
    each(scene.root, (plot) => {
      for (const line of plot.lines) end(line, plot);
      plot.items.forEach((item, index) => {
        meet(item, plot.lines, index);
      });
    });
  }
});

function end({ path, source, target }: Line, { items, height }: Plot): void {
  const [from, to] = [items[source], items[target]];
  const [x0, x1] = [path[0] ?? 0, path.at(-2) ?? 0];
  assert.equal(path[1], from === undefined ? 0 : from.y + from.h);
  assert.equal(path.at(-1), to === undefined ? height : to.y);
  if (from !== undefined) assert.ok(x0 >= from.x && x0 <= from.x + from.w);
  if (to !== undefined) assert.ok(x1 >= to.x && x1 <= to.x + to.w);
}

/** A line into an open box arrives where one inside sets out, and one that leaves sets out where one arrives. */
function meet(item: Item, lines: readonly Line[], index: number): void {
  if (item.inner === undefined) return;
  const starts = item.inner.lines.filter(({ source }) => source < 0).map(({ path }) => item.x + PAD + (path[0] ?? 0));
  for (const { path, target, strand } of lines) {
    const inside = item.inner.lines.some((line) => line.source < 0 && line.strand.edges[0] === strand.edges[0]);
    if (target === index && inside) assert.ok(starts.some((x) => Math.abs(x - (path.at(-2) ?? 0)) < 1e-6));
  }
}

test("what a window shows is what brute force finds", () => {
  const chance = new Chance(99);
  for (const scene of SCENES) {
    for (let look = 0; look < 4; look++) {
      const window = {
        x: chance.between(-50, Math.ceil(scene.width)),
        y: chance.between(-50, Math.ceil(scene.height)),
        w: chance.between(20, 500),
        h: chance.between(20, 400),
      };
      const seen = new Set<Key>();
      const note = (item: Item): void => {
        seen.add(item.box.key);
      };
      scene.visit(window, { frame: note, box: note });
      for (const [key, rect] of everything(scene)) {
        if (touch(rect, window, 0)) assert.ok(seen.has(key), `${key} is seen`);
        if (!touch(rect, window, 400)) assert.ok(!seen.has(key), `${key} is not seen`);
      }
    }
  }
});

function everything(scene: Scene): Map<Key, Rect> {
  const all = new Map<Key, Rect>();
  each(scene.root, ({ items }, x, y) => {
    for (const item of items) all.set(item.box.key, { x: x + item.x, y: y + item.y, w: item.w, h: item.h });
  });
  return all;
}

function touch(a: Rect, b: Rect, room: number): boolean {
  return a.x - room < b.x + b.w && b.x < a.x + a.w + room && a.y - room < b.y + b.h && b.y < a.y + a.h + room;
}

test("a box is found by its key and by any point of it", () => {
  for (const scene of SCENES) {
    for (const [key, rect] of everything(scene)) {
      const found = scene.find(key);
      assert.deepEqual(found?.rect, rect);
      const { item } = found as { item: Item };
      const toggle = toggleOf(item);
      if (toggle !== undefined) {
        const hit = scene.hit(rect.x + toggle.x, rect.y + toggle.y, Number.NEGATIVE_INFINITY);
        assert.equal(hit?.item.box.key, key);
        assert.equal(hit?.part, "toggle");
      }
      if (item.inner === undefined) {
        assert.equal(scene.hit(rect.x + 2, rect.y + rect.h / 2, Number.NEGATIVE_INFINITY)?.item.box.key, key);
      }
    }
  }
});

test("closing a group lays out again itself and what is around it, and nothing else", () => {
  let closed = 0;
  for (const seed of Array.from({ length: 16 }, (_, index) => index + 500)) {
    const forest = new Forest(new Chance(seed), 3);
    const scene = new Scene(forest, sizer("middle"));
    const open = forest.keys.filter((key) => scene.plotOf(key) !== undefined && !key.startsWith("g0"));
    const key = open[0];
    if (key === undefined) continue;
    closed++;
    const around = new Set<Key>(["g0"]);
    for (let at: Key | undefined = forest.parentOf(key); at !== undefined; at = forest.parentOf(at)) around.add(at);
    const before = new Map(open.map((each) => [each, scene.plotOf(each)]));
    forest.toggle(key);
    scene.update();
    assert.equal(scene.plotOf(key), undefined);
    for (const [other, plot] of before) {
      const now = scene.plotOf(other);
      if (now !== undefined && !around.has(other)) assert.equal(now, plot);
    }
    const anew = new Scene(forest, sizer("middle"));
    assert.deepEqual(everything(scene), everything(anew));
  }
  assert.ok(closed > 5);
});

test("a point on a path runs from its start to its end", () => {
  for (const scene of SCENES.slice(0, 12)) {
    each(scene.root, ({ lines }) => {
      for (const { path } of lines) {
        assert.deepEqual(pointAt(path, 0), { x: path[0], y: path[1] });
        const end = pointAt(path, 1);
        assert.ok(Math.hypot(end.x - (path.at(-2) ?? 0), end.y - (path.at(-1) ?? 0)) < 1e-6);
        const [a, b] = [pointAt(path, 0.3), pointAt(path, 0.31)];
        assert.ok(Math.hypot(a.x - b.x, a.y - b.y) <= 0.03 * lengthOf(path) + 1);
      }
    });
  }
});
