/** Every word the view asks for is in `words.json`, in both languages, with the arguments it is given. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import { fileURLToPath } from "node:url";
import words from "../../widgets/torchloupe/strides/words.json";

const room = fileURLToPath(new URL("../../../widgets/torchloupe/strides", import.meta.url));
const entries: Readonly<Record<string, { readonly en: string; readonly "zh-CN": string }>> = words;
const CALL = /\bsay\(\s*(?:[\w.!=?\s]+\?\s*)?"([\w.]+)"(?:\s*:\s*"([\w.]+)")?/g;

const sources = readdirSync(room).filter((name) => name.endsWith(".ts") && name !== "state.ts");
const asked = sources.flatMap((name) =>
  [...readFileSync(`${room}/${name}`, "utf8").matchAll(CALL)].flatMap(([, one, other]) =>
    [one, other].flatMap((id) => (id === undefined ? [] : [{ name, id }])),
  ),
);

test("the view speaks", () => {
  assert.ok(asked.length > 30, `only ${asked.length} calls were found`);
});

for (const { name, id } of asked) {
  test(`${name} has words for "${id}"`, () => {
    const entry = entries[`view.${id}`];
    assert.ok(entry !== undefined);
    assert.ok(entry.en.length > 0 && entry["zh-CN"].length > 0);
  });
}
