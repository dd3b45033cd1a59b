/** Keys of boxes: written, and read again. */

import type { Item } from "./graph";
import type { Key } from "./level";

export const ROOT: Key = "g0";

/** What a key stands for: one item, or the members `from` to `to` of a fold. */
export interface Spot {
  /** The item; of a stack its fold. */
  readonly item: Item;
  readonly members: readonly [number, number] | undefined;
}

export function keyOf(item: Item): Key {
  return item < 0 ? `g${~item}` : `n${item}`;
}

export function stackKey(fold: number, from: number, to: number): Key {
  return `s${fold}:${from}-${to}`;
}

const FORM = /^(?:n(\d+)|g(\d+)|s(\d+):(\d+)-(\d+))$/;

/** Reads a key; undefined when it is none. */
export function spotOf(key: Key): Spot | undefined {
  const [, node, group, fold, from, to] = FORM.exec(key) ?? [];
  if (node !== undefined) return { item: Number(node), members: undefined };
  if (group !== undefined) return { item: ~Number(group), members: undefined };
  return fold === undefined ? undefined : { item: ~Number(fold), members: [Number(from), Number(to)] };
}
