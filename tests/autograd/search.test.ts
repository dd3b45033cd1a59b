/** Search over a stack of blocks and over random records: counts always add up. */

import assert from "node:assert/strict";
import test from "node:test";
import { Graph } from "../../widgets/torchloupe/autograd/graph";
import { Search } from "../../widgets/torchloupe/autograd/search";
import { Session } from "../../widgets/torchloupe/autograd/session";
import { randomRecord } from "./random_records";
import { type LeafRow, type NodeRow, Tabled } from "./tabled";

const LAYERS = ["mlp.c_proj", "mlp.c_fc", "attn.c_proj", "attn.c_attn"];

/** Twelve blocks with four linear layers each, and a head. */
function transformer(): Tabled {
  const nodes: NodeRow[] = [{ type: "MmBackward0", scope: "lm_head" }];
  const leaves: LeafRow[] = [];
  const edges: { source: number; target: number }[] = [];
  for (let block = 11; block >= 0; block--) {
    for (const layer of LAYERS) {
      const node = nodes.length;
      edges.push({ source: node === 1 ? 0 : node - 2, target: node }, { source: node, target: node + 1 });
      nodes.push(
        { type: "AddmmBackward0", scope: `h.${block}.${layer}`, text: "F.linear(x)" },
        { type: "AccumulateGrad" },
      );
      leaves.push({ node: node + 1, name: `h.${block}.${layer}.weight`, parameter: true });
    }
  }
  return new Tabled({ nodes, edges, leaves });
}

test("hits are places, not nodes", () => {
  const { total, places } = new Search(new Graph(transformer())).find("AddMM");
  assert.equal(total, 48);
  assert.deepEqual(
    places.map(({ name, count }) => [name, count]),
    LAYERS.map((layer) => [`h.*.${layer}`, 12]),
  );
});

test("every word must be found, in class, scope, name or code", () => {
  const search = new Search(new Graph(transformer()));
  assert.deepEqual(
    search.find("addmm attn").places.map(({ name }) => name),
    ["h.*.attn.c_proj", "h.*.attn.c_attn"],
  );
  assert.equal(search.find("linear").total, 48);
  assert.equal(search.find("h.3.mlp.c_fc").total, 2);
  assert.deepEqual(
    search.find("lm_head").places.map(({ name, count }) => [name, count]),
    [["lm_head", 1]],
  );
  assert.equal(search.find("nowhere").total, 0);
  assert.equal(search.find("  ").total, 0);
});

test("hits follow each other in running order, round and round", () => {
  const search = new Search(new Graph(transformer()));
  const { places } = search.find("h.3.mlp.c_fc");
  const nodes = places.flatMap((place) => Array.from(place.nodes)).sort((a, b) => a - b);
  assert.deepEqual([search.next(), search.next(), search.next()], [nodes[0], nodes[1], nodes[0]]);
  assert.equal(search.previous(), nodes[1]);
  assert.equal(search.current, nodes[1]);
  search.find("nowhere");
  assert.equal(search.next(), undefined);
});

for (let seed = 1; seed <= 20; seed++) {
  test(`hits of closed boxes and of places add up to all, record ${seed}`, () => {
    const rows = randomRecord(seed, 80);
    const tabled = new Tabled(rows);
    const session = new Session(tabled.frame(), tabled, () => undefined);
    for (const query of ["mul", "w", "net", "1 tanh", "accumulate"]) {
      session.search(query);
      const words = query.split(" ");
      const names = new Map(rows.leaves?.map(({ node, name }) => [node, name]));
      const hits = rows.nodes.filter(({ type, scope = "" }, node) =>
        words.every((word) => [type, scope, names.get(node) ?? ""].some((field) => field.toLowerCase().includes(word))),
      );
      assert.equal(session.found.total, hits.length);
      assert.equal(
        session.found.places.reduce((sum, { count }) => sum + count, 0),
        hits.length,
      );
      for (const key of session.tree.keys()) {
        session.open(key);
        const closed = session.tree.keys().filter((each) => session.tree.box(each)?.open === false);
        assert.equal(
          closed.reduce((sum, each) => sum + session.hitsIn(each), 0),
          hits.length,
        );
      }
      session.closeAll();
    }
  });
}
