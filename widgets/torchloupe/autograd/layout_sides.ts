/** Which side of the others an edge passes on, where that saves crossings. */

import { DUMMY, type Weave } from "./layout_layers";
import type { Rows } from "./layout_order";

/** Wider layers are left as they are, so that this stays linear. */
const WIDEST = 32;

/** Moves each passing edge that crosses others to the far side where it crosses no more than now. */
export function switchSides(weave: Weave, rows: Rows): void {
  for (let edge = 0; edge < weave.dummy.length; edge++) {
    const chain = chainOf(weave, rows, edge);
    if (chain === undefined) continue;
    const now = crossed(weave, rows, chain, (item) => rows.place[item] as number);
    if (now === 0) continue;
    const left = crossed(weave, rows, chain, (item) => (rows.lanes[weave.layer[item] as number] as number) - 0.5);
    const right = crossed(weave, rows, chain, () => Number.POSITIVE_INFINITY);
    if (Math.min(left, right) > now) continue;
    const outer = right < left || (right === left && isLeft(weave, rows, chain));
    for (let item = chain.first; item <= chain.last; item++) move(weave, rows, item, outer);
  }
}

interface Chain {
  readonly source: number;
  readonly target: number;
  readonly first: number;
  readonly last: number;
}

function chainOf(weave: Weave, rows: Rows, edge: number): Chain | undefined {
  const first = weave.dummy[edge] as number;
  if (first < 0 || weave.kind[first] !== DUMMY) return undefined;
  const [source, target] = [weave.source[edge] as number, weave.target[edge] as number];
  const top = weave.layer[source] as number;
  const span = weave.span[edge] as number;
  for (let layer = top; layer <= top + span; layer++) {
    if ((rows.start[layer + 1] as number) - (rows.start[layer] as number) > WIDEST) return undefined;
  }
  return { source, target, first, last: first + span - 2 };
}

function isLeft(weave: Weave, rows: Rows, { first }: Chain): boolean {
  const layer = weave.layer[first] as number;
  const width = (rows.start[layer + 1] as number) - (rows.start[layer] as number);
  return 2 * (rows.place[first] as number) < width;
}

/** How many segments the edge would cross with its dummies at the places that `at` gives. */
function crossed(weave: Weave, rows: Rows, chain: Chain, at: (item: number) => number): number {
  let upper = chain.source;
  let crossings = 0;
  for (let lower = chain.first; lower <= chain.last + 1; lower++) {
    const [own, next] = lower > chain.last ? [upper, chain.target] : [upper, lower];
    const from = own === chain.source ? (rows.place[own] as number) : at(own);
    const to = next === chain.target ? (rows.place[next] as number) : at(next);
    crossings += crossing(weave, rows, [own, next], [from, to]);
    upper = next;
  }
  return crossings;
}

function crossing(weave: Weave, rows: Rows, [own, next]: [number, number], [from, to]: [number, number]): number {
  const { down } = weave;
  const layer = weave.layer[own] as number;
  let crossings = 0;
  for (let place = rows.start[layer] as number; place < (rows.start[layer + 1] as number); place++) {
    const upper = rows.item[place] as number;
    if (upper === own) continue;
    const side = Math.sign((rows.place[upper] as number) - from);
    for (let at = down.start[upper] as number; at < (down.start[upper + 1] as number); at++) {
      const lower = down.item[at] as number;
      if (lower !== next && side * ((rows.place[lower] as number) - to) < 0) crossings++;
    }
  }
  return crossings;
}

/** Puts an item at the left end of its layer, right of the lanes, or at the right end. */
function move(weave: Weave, rows: Rows, item: number, right: boolean): void {
  const layer = weave.layer[item] as number;
  const base = rows.start[layer] as number;
  const end = right ? (rows.start[layer + 1] as number) - 1 : base + (rows.lanes[layer] as number);
  const step = right ? 1 : -1;
  for (let at = base + (rows.place[item] as number); at !== end; at += step) {
    const other = rows.item[at + step] as number;
    rows.item[at] = other;
    rows.place[other] = at - base;
  }
  rows.item[end] = item;
  rows.place[item] = end - base;
}
