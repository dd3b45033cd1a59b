/** What a tree shows, against brute force over the edges of the graph. */

import assert from "node:assert/strict";
import test from "node:test";
import { Graph } from "../../widgets/torchloupe/autograd/graph";
import { type Key, type Level, Tree } from "../../widgets/torchloupe/autograd/tree";
import { chance } from "./layout_graphs";
import { randomRecord } from "./random_records";
import { type GroupRow, Tabled } from "./tabled";

/** The nodes a visible key stands for, found by climbing from every node. */
function held(graph: Graph, key: Key): Set<number> {
  const [, kind, a, from, to] = /^([ngs])(\d+)(?::(\d+)-(\d+))?$/.exec(key) ?? [];
  if (kind === "n") return new Set([Number(a)]);
  const inside = (group: number): number[] =>
    Array.from(graph.order).filter((node) => {
      for (let each = graph.parentOf(node); each >= 0; each = graph.parentOf(~each)) if (each === group) return true;
      return false;
    });
  if (kind === "g") return new Set(inside(Number(a)));
  const members = Array.from(graph.childrenOf(Number(a))).slice(Number(from), Number(to) + 1);
  return new Set(members.flatMap((item) => (item < 0 ? inside(~item) : [item])));
}

function levels(tree: Tree): Level[] {
  const open = tree.keys().filter((key) => tree.box(key)?.open);
  return ["g0", ...open].map((key) => tree.level(key));
}

function check(graph: Graph, tree: Tree): void {
  const content = new Map(tree.keys().map((key) => [key, held(graph, key)]));
  const closed = tree.keys().filter((key) => tree.box(key)?.open === false);
  assert.equal(new Set(tree.keys()).size, tree.keys().length, "keys are unique");
  assert.equal(tree.drawn, closed.length);
  const all = closed.flatMap((key) => [...(content.get(key) ?? [])]);
  assert.deepEqual(
    [...all].sort((a, b) => a - b),
    Array.from(graph.order).sort((a, b) => a - b),
    "each node once",
  );
  for (const key of closed) {
    for (const node of content.get(key) ?? []) assert.equal(tree.boxOf(node), key);
    assert.equal(tree.visible(key), key);
    const operations = [...(content.get(key) ?? [])].filter((node) => graph.leafOf(node) < 0).length;
    assert.equal(tree.box(key)?.count, key.startsWith("n") ? 1 : operations);
  }
  const between = new Map<number, number>();
  for (const level of levels(tree)) checkLevel(graph, level, content, between);
  for (let edge = 0; edge < graph.edges.count; edge++) checkEdge(graph, tree, edge, between);
  checkChips(graph, tree, closed, content);
}

function checkLevel(
  graph: Graph,
  level: Level,
  content: ReadonlyMap<Key, Set<number>>,
  between: Map<number, number>,
): void {
  const own = level.boxes.map(({ key }) => content.get(key) ?? new Set());
  const expected = new Map<string, number[]>();
  for (let edge = 0; edge < graph.edges.count; edge++) {
    const [source, target] = [graph.edges.source[edge] ?? 0, graph.edges.target[edge] ?? 0];
    const [from, to] = [source, target].map((node) => own.findIndex((nodes) => nodes.has(node)));
    if (graph.isChip(target) || from === to) continue;
    const pair = `${from} ${to}`;
    expected.set(pair, [...(expected.get(pair) ?? []), edge]);
    if (from !== -1 && to !== -1) between.set(edge, (between.get(edge) ?? 0) + 1);
  }
  const found = new Map(level.strands.map(({ source, target, edges }) => [`${source} ${target}`, Array.from(edges)]));
  assert.equal(found.size, level.strands.length, "one strand between two boxes");
  assert.deepEqual(found, expected);
  for (const { source, target } of level.strands) assert.ok(target === -1 || source < target, "no level has a circle");
}

/** Each edge is one strand between two boxes of one level, or hidden inside one closed box, or a chip. */
function checkEdge(graph: Graph, tree: Tree, edge: number, between: ReadonlyMap<number, number>): void {
  const [source, target] = [graph.edges.source[edge] ?? 0, graph.edges.target[edge] ?? 0];
  const hidden = graph.isChip(target) || tree.boxOf(source) === tree.boxOf(target);
  assert.equal(between.get(edge) ?? 0, hidden ? 0 : 1, `edge ${edge}`);
}

/** The boxes that edges lead to from a set of nodes, and from which they come. */
function led(graph: Graph, tree: Tree, own: ReadonlySet<number>): { up: Set<Key>; down: Set<Key> } {
  const found = { up: new Set<Key>(), down: new Set<Key>() };
  for (let edge = 0; edge < graph.edges.count; edge++) {
    const [source, target] = [graph.edges.source[edge] ?? 0, graph.edges.target[edge] ?? 0];
    if (graph.isChip(target) || own.has(source) === own.has(target)) continue;
    if (own.has(source)) found.down.add(tree.boxOf(target));
    else found.up.add(tree.boxOf(source));
  }
  return found;
}

function checkChips(graph: Graph, tree: Tree, closed: readonly Key[], content: ReadonlyMap<Key, Set<number>>): void {
  for (const key of closed) {
    const box = tree.box(key);
    const leaves = new Set<number>();
    for (let edge = 0; edge < graph.edges.count; edge++) {
      const [source, target] = [graph.edges.source[edge] ?? 0, graph.edges.target[edge] ?? 0];
      if (graph.isChip(target) && content.get(key)?.has(source)) leaves.add(target);
    }
    assert.equal((box?.chips.length ?? 0) + (box?.moreChips ?? 0), leaves.size);
    assert.ok(box?.chips.every(({ leaf }) => leaves.has(leaf)));
    if (leaves.size <= 3) assert.equal(box?.moreChips, 0);
  }
}

for (let seed = 1; seed <= 40; seed++) {
  test(`opened and closed at random, record ${seed}`, () => {
    const graph = new Graph(new Tabled(randomRecord(seed, 60)));
    const tree = new Tree(graph);
    const draw = chance(seed + 1000);
    check(graph, tree);
    for (let step = 0; step < 20; step++) {
      const keys = tree.keys();
      const key = keys[Math.floor(draw() * keys.length)] ?? "g0";
      const before = new Map(levels(tree).map((level) => [level.key, level]));
      const version = tree.version;
      const dice = draw();
      if (dice < 0.05) tree.closeAll();
      else if (dice < 0.7) tree.toggle(key);
      else {
        const node = graph.order[Math.floor(draw() * graph.order.length)] ?? 0;
        assert.equal(tree.openTo(node), `n${node}`);
      }
      check(graph, tree);
      for (const level of levels(tree)) {
        const old = before.get(level.key);
        if (old === undefined || tree.version === version) continue;
        const same = JSON.stringify(old.boxes) === JSON.stringify(level.boxes);
        if (same) assert.deepEqual(level.strands, old.strands);
      }
    }
    const first = JSON.stringify(new Tree(graph).level("g0"));
    tree.closeAll();
    assert.equal(JSON.stringify(tree.level("g0")), first);
    check(graph, tree);
  });

  test(`neighbours are what edges lead to, record ${seed}`, () => {
    const graph = new Graph(new Tabled(randomRecord(seed, 60)));
    const tree = new Tree(graph);
    for (const node of graph.order.filter((_, place) => place % 7 === 0)) tree.openTo(node);
    for (const key of tree.keys()) {
      const expected = led(graph, tree, held(graph, key));
      const { up, down } = tree.neighbours(key);
      assert.deepEqual({ up: new Set(up), down: new Set(down) }, expected);
    }
  });
}

test("a level is the same object until it changes", () => {
  const graph = new Graph(new Tabled(blocks(4)));
  const tree = new Tree(graph);
  const root = tree.level("g0");
  assert.equal(tree.level("g0"), root);
  tree.open("g1", 1);
  const opened = tree.level("g0");
  assert.notEqual(opened, root);
  assert.equal(opened.strands, root.strands);
  const fold = tree.level("g1");
  tree.open("g4");
  assert.equal(tree.level("g0"), opened);
  assert.notEqual(tree.level("g1"), fold);
});

/** A head, a fold of `count` blocks with two nodes and two parameters each, and a tail. */
function blocks(count: number) {
  const groups: GroupRow[] = [
    { parent: -1, kind: "root" },
    { parent: 0, kind: "fold", name: "h", cls: "Block" },
    ...Array.from(
      { length: count },
      (_, n) => ({ parent: 1, kind: "module", name: `h.${count - 1 - n}`, cls: "Block" }) as const,
    ),
  ];
  const nodes = [{ type: "SumBackward0" }];
  const edges: { source: number; target: number; slot?: number }[] = [];
  const leaves: { node: number; name: string; parameter: boolean; shape: string }[] = [];
  let last = 0;
  for (let block = 0; block < count; block++) {
    const at = nodes.length;
    const scope = `h.${count - 1 - block}`;
    const leaf = { type: "AccumulateGrad", group: -1 };
    nodes.push(
      { type: "AddBackward0", group: 2 + block, scope } as never,
      { type: "MmBackward0", group: 2 + block, scope } as never,
    );
    nodes.push(leaf as never, leaf as never);
    leaves.push({ node: at + 2, name: `${scope}.weight`, parameter: true, shape: "(3, 4)" });
    leaves.push({ node: at + 3, name: `${scope}.bias = tail.bias`, parameter: true, shape: "(4)" });
    edges.push({ source: last, target: at }, { source: at, target: at + 1 });
    edges.push({ source: at + 1, target: at + 2, slot: 1 }, { source: at + 1, target: at + 3, slot: 2 });
    last = at + 1;
  }
  return { nodes, edges, groups, leaves };
}

test("a fold shows the members that stand alone, and stacks between them", () => {
  const tree = new Tree(new Graph(new Tabled(blocks(12))));
  const titles = (key: Key): string[] => tree.level(key).boxes.map(({ title, suffix }) => `${title}|${suffix}`);
  assert.deepEqual(titles("g0"), ["Sum|Backward0", "h × 12|Block"]);
  assert.equal(tree.box("g1")?.moreChips, 21);
  tree.open("g1", 5);
  assert.deepEqual(titles("g1"), ["h.11 … h.7|Block × 5", "h.6|Block", "h.5 … h.0|Block × 6"]);
  assert.deepEqual(tree.keys(), ["n0", "g1", "s1:0-4", "g7", "n21", "n22", "s1:6-11"]);
  assert.deepEqual(tree.trail("n21"), ["g1", "g7"]);
  assert.deepEqual(tree.membersOf("s1:0-4"), ["g2", "g3", "g4", "g5", "g6"]);
  tree.open("s1:0-4");
  assert.deepEqual(titles("g1").slice(0, 2), ["h.11|Block", "h.10 … h.7|Block × 4"]);
  tree.close("g2");
  tree.close("g7");
  assert.deepEqual(titles("g0"), ["Sum|Backward0", "h × 12|Block"]);
  assert.equal(tree.box("g1")?.open, false);
});

test("a single member left between others is no stack", () => {
  const tree = new Tree(new Graph(new Tabled(blocks(3))));
  tree.open("g1", 0);
  tree.open("g1", 2);
  assert.deepEqual(
    tree.level("g1").boxes.map(({ key }) => key),
    ["g2", "g3", "g4"],
  );
  assert.equal(tree.box("g3")?.open, false);
});

test("chips are named as the box sees them", () => {
  const tree = new Tree(new Graph(new Tabled(blocks(3))));
  tree.open("g1", 0);
  const chips = tree.box("n2")?.chips.map(({ name, detail, leaf }) => `${name} ${detail} ${leaf}`);
  assert.deepEqual(chips, ["weight 3×4 3", "bias = tail.bias 4 4"]);
});

test("a group without a name is named after what it holds", () => {
  const nodes = ["View", "Transpose", "Mul", "Add", "Tanh", "Sum"].map((name, id) => ({
    type: `${name}Backward0`,
    group: id < 2 ? 1 : 2,
  }));
  const groups = [
    { parent: -1, kind: "root" } as const,
    { parent: 0, kind: "chain" } as const,
    { parent: 0, kind: "chain" } as const,
  ];
  const edges = [0, 1, 2, 3, 4].map((source) => ({ source, target: source + 1 }));
  const { boxes } = new Tree(new Graph(new Tabled({ nodes, edges, groups }))).level("g0");
  assert.deepEqual(
    boxes.map(({ title, suffix }) => [title, suffix]),
    [
      ["View, Transpose", "Backward0"],
      ["Mul … Sum", "Backward0"],
    ],
  );
});

test("the first picture has the keys of the tree that follows, and what was opened in it opens", () => {
  const tree = new Tree(new Graph(new Tabled(blocks(12))));
  const first = {
    look: 0,
    norm: null,
    value: "",
    text: "",
    parameters: ["h.11.weight", "h.11.bias", "h.10.weight"],
    more_parameters: 21,
  };
  const before = Tree.fromFirst({
    boxes: [
      {
        kind: "node",
        id: 0,
        title: "Sum",
        suffix: "Backward0",
        nodes: 1,
        members: 1,
        ...first,
        parameters: [],
        more_parameters: 0,
      },
      { kind: "fold", id: 1, title: "h", suffix: "Block", nodes: 24, members: 12, ...first },
    ],
    edges: [{ source: 0, target: 1, edges: 1 }],
  });
  const told = (level: Level) => level.boxes.map(({ chips, ...box }) => ({ ...box, chips: chips.length }));
  assert.deepEqual(told(before.level("g0")), told(tree.level("g0")));
  assert.deepEqual(before.keys(), tree.keys());
  assert.deepEqual(before.neighbours("n0"), { up: [], down: ["g1"] });
  before.open("g1");
  tree.adopt(before);
  assert.deepEqual(tree.keys().slice(0, 3), ["n0", "g1", "g2"]);
});
