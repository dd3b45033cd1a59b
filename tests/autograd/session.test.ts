/** A session over `y = x**2 + 3*x + 1` at x = 2, whose backward in PyTorch is known, and over larger records. */

import assert from "node:assert/strict";
import test from "node:test";
import { together } from "../../widgets/torchloupe/autograd/looks";
import { Session } from "../../widgets/torchloupe/autograd/session";
import type { Strand } from "../../widgets/torchloupe/autograd/tree";
import { added } from "../../widgets/torchloupe/autograd/well";
import { chance } from "./layout_graphs";
import { randomRecord } from "./random_records";
import { type Rows, Tabled } from "./tabled";

const VALUE = 1;
const ZERO = 2;
const NONE = 3;
const BAD = 4;

/** The engine runs Add, Add, Mul, Pow, AccumulateGrad; x gets 3 and then 4 (PyTorch 2.13). */
const PARABOLA: Rows = {
  nodes: [
    { type: "AddBackward0", text: "x**2 + 3*x + 1", value: "11" },
    { type: "AddBackward0", text: "x**2 + 3*x", value: "10" },
    { type: "MulBackward0", text: "3*x", value: "6", bytes: 0 },
    { type: "PowBackward0", text: "x**2", value: "4", bytes: 4 },
    { type: "AccumulateGrad", value: "2.0" },
  ],
  edges: [
    { source: 0, target: 1 },
    { source: 1, target: 3, slot: 0 },
    { source: 1, target: 2, slot: 1 },
    { source: 2, target: 4 },
    { source: 3, target: 4 },
  ],
  leaves: [{ node: 4, name: "x", drawn: true, shape: "()" }],
};
const IN = [1, 1, 1, 1, 7];
const OUT = [
  [[0, 1]],
  [
    [1, 1],
    [2, 1],
  ],
  [[3, 3]],
  [[4, 4]],
  [],
] as const;

/** Tables as they stand while the engine waits before step `waiting`, which has its row already. */
function parabola(waiting: number, rows: Rows = PARABOLA): Tabled {
  const tabled = new Tabled(rows);
  for (let node = 0; node < waiting; node++) begin(tabled, node);
  return tabled;
}

/** The node before has run, and this one is about to. */
function begin(tabled: Tabled, node: number): void {
  for (const [edge, value] of OUT[node - 1] ?? []) tabled.send(node, edge, VALUE, value, String(value));
  tabled.run(node + 1, node);
  tabled.arrive(node + 1, node, VALUE, IN[node] ?? 0, String(IN[node]));
}

function session(tabled: Tabled, changes: Parameters<Tabled["frame"]>[0] = {}): Session {
  return new Session(tabled.frame(changes), tabled, () => undefined);
}

function strand(of: Session, source: number, target: number): Strand {
  const { strands, boxes } = of.tree.level("g0");
  const found = strands.find((each) => boxes[each.source]?.node === source && boxes[each.target]?.node === target);
  assert.ok(found);
  return found;
}

test("live, waiting before step 4 of 5", () => {
  const live = session(parabola(4), { mode: "live", phase: "waiting", next: 3 });
  assert.equal(live.engine, 3);
  assert.equal(live.steps, 5);
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((node) => live.state(`n${node}`)),
    ["done", "done", "done", "next", "not_run"],
  );
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((node) => live.badge(`n${node}`)),
    ["1", "2", "3", "4", "5"],
  );
  assert.equal(live.arrival("n3")?.text, "1");
  assert.equal(live.arrival("n4"), undefined);
  assert.equal(live.flow(strand(live, 2, 4))?.text, "3");
  assert.equal(live.flow(strand(live, 3, 4))?.look, 0);
  assert.equal(live.coming(strand(live, 3, 4)), true);
  assert.equal(live.coming(strand(live, 2, 4)), false);
  assert.equal(live.gathered(4), "3");
  assert.equal(live.well(4).arrived, 1);
  assert.deepEqual(live.gradSentence(4).sentence, { id: "grad_none", args: {} });
});

test("looking back while the engine waits, and returning to it", () => {
  const live = session(parabola(4), { mode: "live", phase: "waiting", next: 3 });
  live.moveTo(1);
  assert.ok(live.lookingBack);
  assert.deepEqual(
    [0, 1, 2, 3].map((node) => live.state(`n${node}`)),
    ["done", "next", "not_run", "not_run"],
  );
  assert.deepEqual([live.next, live.engineNode], [1, 3]);
  assert.equal(live.arrival("n1")?.text, "1");
  assert.equal(live.arrival("n2"), undefined);
  assert.equal(live.flow(strand(live, 2, 4))?.look, 0);
  live.moveTo(9);
  assert.deepEqual([live.place, live.lookingBack], [3, false]);
});

test("the place goes with the engine as rows come, unless one looks back", () => {
  const tabled = parabola(3);
  const live = session(tabled, { mode: "live", phase: "waiting", next: 2 });
  const changes: string[] = [];
  const away = live.onChange((change) => changes.push(change));
  begin(tabled, 3);
  live.grown();
  assert.equal(live.engine, 2, "frames say when a node has run");
  live.accept(tabled.frame({ mode: "live", phase: "waiting", next: 3 }));
  assert.deepEqual([live.place, live.next], [3, 3]);
  live.moveTo(1);
  begin(tabled, 4);
  live.grown();
  live.accept(tabled.frame({ mode: "live", phase: "running" }));
  assert.deepEqual([live.place, live.engine, live.state("n4")], [1, 4, "not_run"]);
  away();
  live.moveTo(2);
  assert.deepEqual(changes, ["tables", "frame", "place", "tables", "frame"]);
});

test("a stopped backward: what was about to run did not", () => {
  const tabled = parabola(4);
  const frame = tabled.frame({ mode: "live", phase: "stopped" });
  const stopped = new Session({ ...frame, rows: { ...frame.rows, steps: 3 } }, tabled, () => undefined);
  assert.deepEqual(
    [stopped.engine, stopped.steps, stopped.state("n2"), stopped.state("n3")],
    [3, 5, "done", "not_run"],
  );
  assert.deepEqual([stopped.badge("n3"), stopped.badge("n4")], ["4", "5"]);
});

test("a backward that needs only a part leaves the rest out", () => {
  const tabled = new Tabled(PARABOLA);
  [0, 1, 3].forEach((node, at) => void tabled.run(at + 1, node));
  const of = session(tabled);
  assert.deepEqual(
    [of.steps, of.badge("n3"), of.badge("n2"), of.state("n2"), of.state("n3")],
    [3, "3", "", "not_run", "done"],
  );
});

test("a replay that is done: everything ran, x got 7", () => {
  const replay = session(parabola(5));
  assert.deepEqual([replay.place, replay.engine, replay.steps, replay.next], [5, 5, 5, -1]);
  assert.ok([0, 1, 2, 3, 4].every((node) => replay.state(`n${node}`) === "done"));
  assert.deepEqual([replay.gathered(4), replay.grad(4)], ["7", "7"]);
  assert.deepEqual(replay.gradSentence(4), replay.well(4));
  assert.deepEqual(replay.well(4).sentence, { id: "grad_is", args: { value: "7" } });
  assert.deepEqual(
    replay.well(4).slots.map(({ text }) => text),
    ["3", "4"],
  );
  replay.moveTo(4);
  assert.deepEqual([replay.gathered(4), replay.grad(4), replay.state("n4")], ["7", undefined, "next"]);
});

test("what was in .grad before is added to", () => {
  const rows = { ...PARABOLA, leaves: [{ node: 4, name: "x", drawn: true, before: "5.0" }] };
  const tabled = parabola(5, rows);
  const live = session(tabled, { mode: "live", phase: "waiting", next: 4 });
  assert.deepEqual(live.gradSentence(4).sentence, { id: "grad_before", args: { before: "5.0" } });
  assert.equal(live.gradSentence(4).written, false);
  live.accept(tabled.frame());
  const words = { id: "grad_added", args: { before: "5.0", sum: "7", after: "12" } };
  assert.deepEqual([live.gradSentence(4).sentence, live.grad(4)], [words, "12"]);
});

test("values add element by element, norms do not", () => {
  assert.equal(added(["[1,−2.5]", "[3,1e−3]"]), "[4,−2.499]");
  assert.equal(added(["0.1", "0.2"]), "0.3");
  assert.equal(added(["[1,2]", "3"]), undefined);
  assert.equal(added(["True", "False"]), undefined);
  const tabled = new Tabled(PARABOLA);
  for (const node of [0, 1, 2, 3]) tabled.run(node + 1, node);
  tabled.send(3, 3, VALUE, 30);
  tabled.send(4, 4, VALUE, 40);
  assert.equal(session(tabled).gathered(4), undefined);
});

test("the four looks of a strand, and many gradients as one", () => {
  const rows: Rows = {
    nodes: [{ type: "A" }, { type: "B" }],
    edges: [0, 1, 2].map((slot) => ({ source: 0, target: 1, slot })),
  };
  const looked = (...looks: [number, number][]) => {
    const tabled = new Tabled(rows);
    tabled.run(1, 0);
    looks.forEach(([look, norm], edge) => void tabled.send(1, edge, look, norm));
    const of = session(tabled);
    const { look, text, count } = of.flow(strand(of, 0, 1)) ?? {};
    return [look, text, count];
  };
  assert.deepEqual(looked(), [0, "", 0]);
  assert.deepEqual(looked([VALUE, 3], [VALUE, 4]), [VALUE, "5.0", 2]);
  assert.deepEqual(looked([ZERO, 0], [NONE, 0]), [ZERO, "0", 2]);
  assert.deepEqual(looked([NONE, Number.NaN]), [NONE, "None", 1]);
  assert.deepEqual(looked([VALUE, 3], [BAD, Number.NaN], [ZERO, 0]), [BAD, "NaN", 3]);
  assert.deepEqual(looked([BAD, Infinity]), [BAD, "Inf", 1]);
  assert.equal(together([]).look, 0);
});

test("a tile says in one word what is not finite", () => {
  const tabled = new Tabled(PARABOLA);
  tabled.run(1, 0);
  tabled.arrive(1, 0, BAD, Number.NaN, "[inf, -inf, 1]");
  tabled.run(2, 1);
  tabled.arrive(2, 1, BAD, Number.NaN, "[inf, NaN]");
  const of = session(tabled);
  assert.deepEqual([of.tile("n0"), of.tile("n1"), of.shade("n1")], ["Inf", "NaN", "nan"]);
  assert.equal(of.arrival("n0")?.text, "[inf,−inf,1]");
});

test("before the tables came the first picture speaks, and a selection outlives it", () => {
  const box = { suffix: "", nodes: 1, members: 1, parameters: [], more_parameters: 0, value: "", text: "3*x" };
  const tabled = parabola(5);
  const empty = new Tabled({ nodes: [], edges: [] });
  const first = { boxes: [{ ...box, kind: "node" as const, id: 2, title: "Mul", look: VALUE, norm: 100 }], edges: [] };
  let now = empty;
  const early = new Session(tabled.frame({ first }), { table: (name) => now.table(name) }, () => undefined);
  assert.equal(early.graph, undefined);
  assert.deepEqual([early.tile("n2"), early.shade("n2"), early.code(2).fragment], ["100", 6, "3*x"]);
  assert.equal(early.search("mul").total, 0);
  early.select("n2");
  now = tabled;
  early.grown();
  assert.deepEqual([early.tile("n2"), early.selected, early.tree.keys().length], ["1.0", "n2", 5]);
  early.accept(tabled.frame({ epoch: 2 }));
  assert.equal(early.selected, undefined);
});

test("a graph that is only looked at claims nothing", () => {
  const look = session(new Tabled(PARABOLA), { mode: "look", phase: "ready" });
  assert.deepEqual(
    [look.state("n0"), look.shade("n0"), look.tile("n0"), look.badge("n3")],
    ["plain", undefined, "", "4"],
  );
});

test("the node that failed, and the first NaN once it has run", () => {
  const tabled = parabola(3);
  const failure = { node: 2, heading: { id: "x", args: {} }, detail: null, error: "", traceback: "" };
  const frame = tabled.frame({ phase: "failed", failure, first_bad: 1 });
  const failed = new Session({ ...frame, rows: { ...frame.rows, steps: 2 } }, tabled, () => undefined);
  assert.deepEqual([failed.state("n2"), failed.state("n1"), failed.state("n3")], ["failed", "done", "not_run"]);
  assert.equal(failed.firstBad, 1);
  failed.moveTo(1);
  assert.deepEqual([failed.firstBad, failed.state("n2")], [-1, "not_run"]);
});

test("colours by norm stay while a backward is stepped, and grow when they must", () => {
  const tabled = new Tabled(PARABOLA);
  const of = session(tabled, { mode: "live", phase: "running" });
  const arrived = (node: number, norm: number): void => {
    tabled.run(node + 1, node);
    tabled.arrive(node + 1, node, VALUE, norm);
    of.accept(tabled.frame({ mode: "live", phase: "running" }));
  };
  arrived(0, 1);
  const scale = of.scale();
  assert.equal(of.shade("n0"), 6);
  arrived(1, 2e-3);
  assert.deepEqual([of.scale(), of.shade("n1")], [scale, 0]);
  arrived(2, 1e-6);
  assert.deepEqual([of.scale().perDecade, of.shade("n0"), of.shade("n2")], [1, 6, 0]);
});

test("colours by bytes and by order", () => {
  const of = session(parabola(5));
  of.colourBy("bytes");
  assert.deepEqual([of.shade("n2"), of.tile("n2"), of.shade("n3"), of.tile("n3")], ["zero", "0", 6, "4 B"]);
  of.colourBy("order");
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((node) => of.shade(`n${node}`)),
    [0, 1, 3, 5, 6],
  );
  assert.deepEqual([of.tile("n3"), of.scale().low, of.scale().high], ["4", 1, 5]);
});

test("stepping box by box leaves out what a box hides", () => {
  const nodes = [0, 1, 1, 1, 0].map((group) => ({ type: "A", group }));
  const edges = [0, 1, 2, 3].map((source) => ({ source, target: source + 1 }));
  const groups = [
    { parent: -1, kind: "root" as const },
    { parent: 0, kind: "module" as const, name: "m" },
  ];
  const tabled = new Tabled({ nodes, edges, groups });
  for (let node = 0; node < 5; node++) tabled.run(node + 1, node);
  const of = session(tabled);
  of.moveTo(0);
  const forth: number[] = [];
  for (let turn = 0; turn < 4; turn++) {
    of.moveTo(of.placeOfBox(1));
    forth.push(of.place);
  }
  assert.deepEqual(forth, [1, 4, 5, 5]);
  const back: number[] = [];
  for (let turn = 0; turn < 4; turn++) {
    of.moveTo(of.placeOfBox(-1));
    back.push(of.place);
  }
  assert.deepEqual(back, [4, 1, 0, 0]);
  of.moveTo(2);
  assert.deepEqual([of.state("g1"), of.progress("g1")], ["next", { done: 1, of: 3 }]);
});

test("a closed selection moves to the box that hides it, and following opens what the engine enters", () => {
  const nodes = [0, 1, 1].map((group) => ({ type: "A", group }));
  const edges = [0, 1].map((source) => ({ source, target: source + 1 }));
  const groups = [
    { parent: -1, kind: "root" as const },
    { parent: 0, kind: "module" as const, name: "m" },
  ];
  const tabled = new Tabled({ nodes, edges, groups });
  tabled.run(1, 0);
  const of = session(tabled, { mode: "live", phase: "waiting", next: 1 });
  assert.equal(of.tree.box("g1")?.open, true);
  of.select("n2");
  of.close("g1");
  assert.equal(of.selected, "g1");
});

for (let seed = 1; seed <= 10; seed++) {
  test(`states and progress agree with counting, record ${seed}`, () => {
    const rows = randomRecord(seed, 60);
    const tabled = new Tabled(rows);
    for (let node = 0; node < rows.nodes.length; node++) tabled.run(node + 1, node);
    const of = session(tabled);
    const draw = chance(seed);
    for (let turn = 0; turn < 10; turn++) {
      const keys = of.tree.keys();
      of.toggle(keys[Math.floor(draw() * keys.length)] ?? "g0");
      of.moveTo(Math.floor(draw() * (rows.nodes.length + 1)));
      const closed = of.tree.keys().filter((key) => of.tree.box(key)?.open === false);
      const drawn = rows.nodes.map((_, node) => node).filter((node) => of.graph?.isChip(node) === false);
      const done = closed.reduce((sum, key) => sum + of.progress(key).done, 0);
      assert.equal(done, drawn.filter((node) => node < of.place).length);
      const expected = drawn.includes(of.place) ? of.tree.boxOf(of.place) : undefined;
      assert.equal(
        closed.find((key) => of.state(key) === "next"),
        expected,
      );
    }
  });
}

test("a graph waits for all its parts, and not for what steps add to them", () => {
  const tabled = parabola(3);
  const frame = tabled.frame({ mode: "live", phase: "waiting", next: 2 });
  const strings = tabled.table("strings").length;
  const early = new Session({ ...frame, rows: { ...frame.rows, strings: strings + 1 } }, tabled, () => undefined);
  const nodes = () => early.graph?.nodes.count;
  assert.equal(nodes(), undefined);
  early.accept({ ...frame, rows: { ...frame.rows, strings: strings + 5 } });
  assert.equal(nodes(), undefined);
  tabled.string("later");
  early.grown();
  assert.equal(nodes(), 5);
});
