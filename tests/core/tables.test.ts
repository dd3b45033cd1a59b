import assert from "node:assert/strict";
import { test } from "node:test";
import type { Reply } from "../../widgets/torchloupe/core/link";
import { Tables } from "../../widgets/torchloupe/core/tables";

type Name = "words" | "numbers";

/** A kernel with 10,000 numbers and some words, which answers at most `most` rows at a time. */
class Kernel {
  readonly asked: Reply[] = [];
  readonly numbers = Int32Array.from({ length: 10_000 }, (_, n) => n * 7 - 3);
  readonly words = ["a", "乙", "c"];
  epoch = 1;

  constructor(readonly most: number) {}

  send(message: Reply): void {
    this.asked.push(message);
  }

  answer(tables: Tables<Name>, message = this.asked.shift()): void {
    assert.ok(message);
    const from = Number(message["from"]);
    const told = { type: "rows", epoch: this.epoch, table: message["table"], from };
    if (message["table"] === "words") {
      tables.receive({ ...told, count: this.words.length - from, strings: this.words.slice(from) }, []);
      return;
    }
    const rows = this.numbers.slice(from, from + this.most);
    // As a comm does: the buffer is a window in a larger message, at any offset.
    const wire = new Uint8Array(rows.byteLength + 3);
    wire.set(new Uint8Array(rows.buffer), 3);
    const buffer = new DataView(wire.buffer, 3, rows.byteLength);
    tables.receive({ ...told, count: rows.length, columns: [["n", "i"]] }, [buffer]);
  }
}

const ROWS = { words: 3, numbers: 10_000 };

function pulled(most: number): { kernel: Kernel; tables: Tables<Name>; grown: boolean[] } {
  const kernel = new Kernel(most);
  const grown: boolean[] = [];
  const tables = new Tables<Name>(kernel, (whole) => grown.push(whole));
  tables.want(1, ROWS);
  return { kernel, tables, grown };
}

test("rows come whole and in order, one question at a time", () => {
  const { kernel, tables, grown } = pulled(999);
  while (!tables.whole) {
    assert.equal(kernel.asked.length, 1);
    kernel.answer(tables);
  }
  assert.deepEqual(tables.table("words").strings, ["a", "乙", "c"]);
  assert.deepEqual(tables.table("numbers").column("n").subarray(0, 10_000), kernel.numbers);
  assert.equal(kernel.asked.length, 0);
  assert.deepEqual([grown.length, grown.at(-1)], [12, true]);
  tables.close();
});

test("an answer that comes twice counts once", () => {
  const { kernel, tables } = pulled(6000);
  kernel.answer(tables);
  const asked = kernel.asked.shift();
  kernel.answer(tables, asked);
  kernel.answer(tables, asked);
  assert.equal(tables.table("numbers").length, 6000);
  kernel.answer(tables);
  assert.deepEqual(tables.table("numbers").column("n").subarray(0, 10_000), kernel.numbers);
  tables.close();
});

test("a question that got lost is asked again", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const { kernel, tables } = pulled(6000);
  assert.equal(kernel.asked.length, 1);
  context.mock.timers.tick(2000);
  assert.equal(kernel.asked.length, 2);
  assert.deepEqual(kernel.asked[0], kernel.asked[1]);
  tables.close();
});

test("another epoch starts anew, and late rows of the old one are dropped", () => {
  const { kernel, tables } = pulled(6000);
  kernel.answer(tables);
  const late = kernel.asked.shift();
  tables.want(2, { words: 1, numbers: 4 });
  kernel.answer(tables, late);
  assert.equal(tables.table("numbers").length, 0);
  assert.equal(tables.table("words").length, 0);
  tables.close();
});

test("a table that grew is asked for its new rows only", () => {
  const { kernel, tables } = pulled(10_000);
  kernel.answer(tables);
  tables.want(1, { words: 3, numbers: 4000 });
  kernel.numbers.fill(0, 4000);
  kernel.answer(tables);
  const had = tables.table("numbers").length;
  tables.want(1, { words: 3, numbers: had + 5 });
  assert.equal(kernel.asked.at(-1)?.["from"], had);
  tables.close();
});
