/** The layout: no overlaps, fewest crossings, straight chains, and the same as its Python twin. */

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import test from "node:test";
import { layered, type Placed, type Sized } from "../../widgets/torchloupe/autograd/layout";
import fixtures from "./layout_fixtures.json";
import { chance, type Graph, randomGraph, recurrent } from "./layout_graphs";
import counted from "./reference_crossings.json";
import references from "./reference_graphs.json";

const GAP = 28;
const WRITE = process.env.TORCHLOUPE_WRITE_FIXTURES;

function boxesOf(graph: Graph, seed: number): Sized[] {
  const draw = chance(seed + 1000);
  return Array.from({ length: graph.nodes }, () => {
    const w = 40 + Math.floor(draw() * 200);
    return { w, h: 20 + Math.floor(draw() * 60), axis: w / 2 - Math.floor((draw() * w) / 4) };
  });
}

function everyGraph(check: (placed: Placed, graph: Graph, boxes: readonly Sized[]) => void): void {
  for (let seed = 0; seed < 200; seed++) {
    const graph = randomGraph(seed, seed % 4 === 0 ? 400 : 60);
    const boxes = boxesOf(graph, seed);
    check(layered(boxes, graph.source, graph.target, undefined, GAP), graph, boxes);
  }
}

/** Crossings of straight pieces between neighbouring layers, counted pair by pair. */
function crossingsOf(placed: Placed): number {
  const pieces = new Map<string, [number, number][]>();
  for (const route of placed.routes) {
    for (let at = 0; at + 3 < route.length; at += 2) {
      const [x, y, nextX, nextY] = route.slice(at, at + 4) as unknown as [number, number, number, number];
      const down = y < nextY ? [x, nextX] : [nextX, x];
      const key = `${bandOf(placed, Math.min(y, nextY))}`;
      pieces.set(key, [...(pieces.get(key) ?? []), down as [number, number]]);
    }
  }
  let crossings = 0;
  for (const own of pieces.values()) {
    own.forEach(([a, b], at) => {
      for (const [c, d] of own.slice(at + 1)) if ((a - c) * (b - d) < -1e-9) crossings++;
    });
  }
  return crossings;
}

function bandOf(placed: Placed, y: number): number {
  return placed.y.reduce((most, top, box) => (top <= y ? Math.max(most, placed.layer[box] ?? 0) : most), 0);
}

test("boxes of a layer keep their distance, layers stand below each other", () => {
  everyGraph(({ x, y, layer, order, width, height }, { nodes }, boxes) => {
    const rows = new Map<number, number[]>();
    for (let box = 0; box < nodes; box++) rows.set(layer[box] ?? 0, [...(rows.get(layer[box] ?? 0) ?? []), box]);
    let bottom = -GAP;
    for (const [, row] of [...rows].sort(([a], [b]) => a - b)) {
      row.sort((a, b) => (order[a] ?? 0) - (order[b] ?? 0));
      let right = -GAP;
      for (const box of row) {
        const { w, axis = w / 2 } = boxes[box] ?? { w: 0 };
        const left = (x[box] ?? 0) - axis;
        assert.ok(left >= Math.max(0, right + GAP) - 1e-6, `box ${box} overlaps its neighbour`);
        assert.ok((y[box] ?? 0) >= bottom + GAP - 1e-6);
        right = left + w;
        assert.ok(right <= width + 1e-6);
      }
      bottom = Math.max(...row.map((box) => (y[box] ?? 0) + (boxes[box]?.h ?? 0)));
      assert.ok(bottom <= height + 1e-6);
    }
  });
});

test("edges go downwards, from side to side of their boxes, past no box", () => {
  everyGraph((placed, { source, target }, boxes) => {
    assert.equal(placed.routes.length, source.length);
    placed.routes.forEach((route, edge) => {
      const [from, to] = [source[edge] ?? 0, target[edge] ?? 0];
      assert.equal(route.length === 0, from === to);
      if (from !== to) followsDown(placed, route, from, to, boxes);
    });
  });
});

function followsDown(
  { x, y, layer }: Placed,
  route: Float64Array,
  from: number,
  to: number,
  boxes: readonly Sized[],
): void {
  assert.notEqual(layer[from], layer[to]);
  const back = (layer[from] ?? 0) > (layer[to] ?? 0);
  const [top, end] = back ? [to, from] : [from, to];
  const path = back ? reversed(route) : [...route];
  assert.deepEqual(path.slice(0, 2), [x[top], (y[top] ?? 0) + (boxes[top]?.h ?? 0)]);
  assert.deepEqual(path.slice(-2), [x[end], y[end]]);
  for (let at = 3; at < path.length; at += 2) assert.ok((path[at] ?? 0) >= (path[at - 2] ?? 0));
  const hits = (px: number, py: number): boolean =>
    boxes.some(({ w, h, axis = w / 2 }, box) => {
      const [left, above] = [(x[box] ?? 0) - axis, y[box] ?? 0];
      return px > left && px < left + w && py > above && py < above + h;
    });
  for (let at = 2; at + 2 < path.length; at += 2) assert.ok(!hits(path[at] ?? 0, path[at + 1] ?? 0));
}

function reversed(route: Float64Array): number[] {
  const path: number[] = [];
  for (let at = route.length - 2; at >= 0; at -= 2) path.push(route[at] ?? 0, route[at + 1] ?? 0);
  return path;
}

test("the crossings told are those of the lines", () => {
  for (let seed = 1; seed < 60; seed++) {
    const graph = randomGraph(seed, 40);
    const boxes = Array.from({ length: graph.nodes }, () => ({ w: 60, h: 20 }));
    const placed = layered(boxes, graph.source, graph.target);
    const spans = graph.source.map((from, edge) =>
      Math.abs((placed.layer[graph.target[edge] ?? 0] ?? 0) - (placed.layer[from] ?? 0)),
    );
    if (Math.max(...spans, 0) > 8) continue;
    assert.equal(crossingsOf(placed), placed.crossings, `seed ${seed}`);
  }
});

test("a source stands just above its first consumer, a chain is straight, a fork is even", () => {
  const square = { w: 40, h: 20 };
  const late = layered(Array(6).fill(square), [0, 1, 2, 3, 5], [1, 2, 3, 4, 3]);
  assert.deepEqual([...late.layer], [0, 1, 2, 3, 4, 2]);
  assert.equal(new Set(late.x.slice(0, 5)).size, 1);
  const fork = layered(Array(5).fill(square), [0, 1, 1, 2, 3], [1, 2, 3, 4, 4]);
  assert.equal(fork.x[0], fork.x[4]);
  assert.equal((fork.x[0] ?? 0) - (fork.x[2] ?? 0), (fork.x[3] ?? 0) - (fork.x[0] ?? 0));
});

test("an edge that skips layers passes at the left, the way it skips stays straight", () => {
  for (const length of [3, 6, 12, 100]) {
    const chain = Array.from({ length }, (_, node) => node);
    const placed = layered(
      Array(length + 1).fill({ w: 40, h: 20 }),
      [...chain, 0],
      [...chain.map((n) => n + 1), length],
    );
    assert.ok(Math.max(...placed.x) - Math.min(...placed.x) < 0.01);
    const skip = placed.routes[length] ?? [];
    for (let at = 2; at + 2 < skip.length; at += 2) assert.ok((skip[at] ?? 0) < (placed.x[0] ?? 0) - 20);
    assert.equal(placed.crossings, 0);
  }
});

test("a long unrolled network stays narrow", () => {
  const graph = recurrent(200);
  const placed = layered(Array(graph.nodes).fill({ w: 172, h: 48 }), graph.source, graph.target);
  assert.ok(placed.width < 6 * (172 + GAP), `${placed.width} px`);
  assert.equal(placed.crossings, 0);
});

test("each side has one port, and its edges come after the others", () => {
  const placed = layered(Array(4).fill({ w: 40, h: 20 }), [0, 1, 2], [1, 2, 3], { in: [0, 2], out: [3, 1] });
  assert.deepEqual([...placed.layer], [0, 1, 2, 3]);
  assert.equal(placed.routes.length, 7);
  for (const route of placed.routes.slice(3, 5)) assert.deepEqual([...route.slice(0, 2)], [placed.x[0], 0]);
  for (const route of placed.routes.slice(5)) assert.equal(route.at(-1), placed.height);
  assert.equal(placed.routes[4]?.length, 8, "the port's edge to the third layer passes two");
});

test("nothing at all, and boxes without edges", () => {
  assert.equal(layered([], [], []).width, 0);
  const lone = layered(Array(3).fill({ w: 40, h: 20 }), [], []);
  assert.deepEqual([[...lone.layer], lone.width], [[0, 0, 0], 3 * 40 + 2 * GAP]);
});

test("reference graphs cross no more than dagre's", () => {
  for (const [name, graph] of Object.entries(references)) {
    const placed = layered(Array(graph.nodes).fill({ w: 172, h: 48 }), graph.source, graph.target);
    const dagre = counted.crossings[name as keyof typeof counted.crossings];
    assert.ok(placed.crossings <= dagre, `${name}: ${placed.crossings} against ${dagre}`);
  }
});

test("fixtures for the Python twin are up to date", () => {
  const graphs = Array.from({ length: 80 }, (_, seed) => randomGraph(seed, 64));
  const found = [...graphs, recurrent(4)].map((graph) => {
    const boxes = Array.from({ length: graph.nodes }, (_, box) => ({ w: 60 + ((box * 37) % 90), h: 20 }));
    const { layer, order, crossings, x } = layered(boxes, graph.source, graph.target, undefined, GAP);
    const rounded = [...x].map((own) => Math.round(own * 100) / 100 + 0);
    return { ...graph, layer: [...layer], order: [...order], crossings, x: rounded };
  });
  if (WRITE !== undefined) writeFileSync(WRITE, `[\n${found.map((each) => JSON.stringify(each)).join(",\n")}\n]\n`);
  else assert.deepEqual(found, fixtures);
});
