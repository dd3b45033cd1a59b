/** What lies up and down of a box, against the transitive closure of a random graph. */

import assert from "node:assert/strict";
import test from "node:test";
import { Session } from "../../widgets/torchloupe/autograd/session";
import { randomRecord } from "./random_records";
import { type Rows, Tabled } from "./tabled";

/** For each node, all nodes that edges lead to from it. Ids grow along edges, so one pass backwards is enough. */
function closure({ nodes, edges }: Rows): Set<number>[] {
  const reached = nodes.map(() => new Set<number>());
  for (const { source, target } of [...edges].sort((a, b) => b.source - a.source)) {
    reached[source]?.add(target);
    for (const further of reached[target] ?? []) reached[source]?.add(further);
  }
  return reached;
}

for (let seed = 1; seed <= 20; seed++) {
  test(`reach, record ${seed}`, () => {
    const rows = randomRecord(seed, 60);
    const tabled = new Tabled(rows);
    const session = new Session(tabled.frame(), tabled, () => undefined);
    const below = closure(rows);
    const parameters = new Set(rows.leaves?.filter(({ parameter }) => parameter).map(({ node }) => node));
    session.openTo(rows.nodes.length - 1);
    const held = (key: string): number[] =>
      key.startsWith("n")
        ? [Number(key.slice(1))]
        : Array.from(session.graph?.order.subarray(...session.tree.range(key)) ?? []);
    for (const key of [...session.tree.keys(), ...[...parameters].map((node) => `n${node}`)]) {
      const own = held(key);
      const down = new Set(own.flatMap((node) => [...(below[node] ?? [])]));
      const up = new Set(
        rows.nodes.map((_, node) => node).filter((node) => own.some((each) => below[node]?.has(each))),
      );
      for (const node of own) for (const side of [up, down]) side.delete(node);
      const count = (side: Set<number>) => {
        const leaves = [...side].filter((node) => parameters.has(node)).length;
        return { nodes: side.size - leaves, parameters: leaves };
      };
      assert.deepEqual([session.upstream(key), session.downstream(key)], [count(up), count(down)]);
      session.select(key);
      for (const other of session.tree.keys()) {
        const seen = other !== key && held(other).some((node) => up.has(node));
        assert.equal(session.isUp(other), seen);
        assert.equal(session.isDown(other), other !== key && held(other).some((node) => down.has(node)));
      }
    }
    session.select(undefined);
    assert.equal(session.isUp("g0"), false);
  });
}
