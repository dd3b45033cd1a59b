/** The first picture the kernel draws is what the tables show when they come: real records, from `first_twins.py`. */

import assert from "node:assert/strict";
import test from "node:test";
import { Graph, type TableName } from "../../widgets/torchloupe/autograd/graph";
import type { First } from "../../widgets/torchloupe/autograd/state";
import { type Level, Tree } from "../../widgets/torchloupe/autograd/tree";
import { Table } from "../../widgets/torchloupe/core/tables";
import twins from "./first_twins.json";
import { append } from "./tabled";

interface Part {
  readonly strings?: readonly string[];
  readonly columns?: Parameters<typeof append>[1];
}

function graphOf(parts: Readonly<Record<string, Part>>): Graph {
  const tables = new Map(Object.entries(parts).map(([name, part]) => [name, tableOf(part)]));
  return new Graph({ table: (name: TableName) => tables.get(name) ?? new Table() });
}

function tableOf({ strings, columns }: Part): Table {
  const table = new Table();
  if (strings !== undefined) table.take({ type: "rows", from: 0, count: strings.length, strings }, []);
  if (columns !== undefined) append(table, columns);
  return table;
}

/** A level but for what a first picture does not say: shapes and ids of parameters, ids of edges. */
function told({ boxes, strands }: Level) {
  return {
    boxes: boxes.map(({ chips, ...box }) => ({ ...box, chips: chips.map(({ name }) => name) })),
    strands: new Set(strands.map(({ source, target, edges }) => `${source} ${target} ${edges.length}`)),
  };
}

for (const [name, twin] of Object.entries(twins)) {
  test(`the first picture is the root of the tree: ${name}`, () => {
    const { first, tables } = twin as unknown as { first: First; tables: Record<string, Part> };
    assert.deepEqual(told(Tree.fromFirst(first).level("g0")), told(new Tree(graphOf(tables)).level("g0")));
  });
}
