/** The graph against the plain rows it was made from. */

import assert from "node:assert/strict";
import test from "node:test";
import { Graph } from "../../widgets/torchloupe/autograd/graph";
import { randomRecord } from "./random_records";
import { type Rows, Tabled } from "./tabled";

/** Ids of all groups around a node, read from the rows. */
function around({ nodes, groups = [] }: Rows, node: number): number[] {
  const path: number[] = [];
  for (let group = nodes[node]?.group ?? -1; group >= 0; group = groups[group]?.parent ?? -1) path.push(group);
  return path;
}

for (let seed = 1; seed <= 40; seed++) {
  const rows = randomRecord(seed, 120);
  const graph = new Graph(new Tabled(rows));

  test(`edges in both directions, record ${seed}`, () => {
    for (let node = 0; node < rows.nodes.length; node++) {
      const ids = rows.edges.map((edge, id) => ({ ...edge, id }));
      assert.deepEqual(
        Array.from(graph.out(node)),
        ids.filter(({ source }) => source === node).map(({ id }) => id),
      );
      assert.deepEqual(
        Array.from(graph.into(node)),
        ids.filter(({ target }) => target === node).map(({ id }) => id),
      );
    }
  });

  test(`nodes of a group stand together, and children in running order, record ${seed}`, () => {
    const drawn = rows.nodes.flatMap((_, node) => (graph.isChip(node) ? [] : [node]));
    assert.deepEqual(
      Array.from(graph.order).sort((a, b) => a - b),
      drawn,
    );
    rows.groups?.forEach((_, group) => {
      const held = drawn.filter((node) => around(rows, node).includes(group));
      const [from, to] = graph.range(~group);
      assert.deepEqual(
        Array.from(graph.order.subarray(from, to)).sort((a, b) => a - b),
        held,
      );
      const firsts = Array.from(graph.childrenOf(group), (item) => graph.order[graph.range(item)[0]] ?? -1);
      assert.deepEqual(
        firsts,
        [...firsts].sort((a, b) => a - b),
      );
    });
  });

  test(`parameters are chips, other leaves are boxes, record ${seed}`, () => {
    for (const { node, drawn } of rows.leaves ?? []) {
      assert.equal(graph.isChip(node), drawn === false);
      const consumers = rows.edges.filter(({ target }) => target === node).map(({ source }) => source);
      if (drawn === false) assert.ok(consumers.includes(graph.home(node)));
      else assert.equal(graph.home(node), node);
    }
  });
}

test("inputs that no edge reaches are unused, but not those of a root", () => {
  const nodes = [{ type: "SumBackward0" }, { type: "UnbindBackward0", inputs: 3 }];
  const graph = new Graph(new Tabled({ nodes, edges: [{ source: 0, target: 1, input: 1 }] }));
  assert.deepEqual(graph.unused(1), [0, 2]);
  assert.deepEqual(graph.unused(0), []);
});
