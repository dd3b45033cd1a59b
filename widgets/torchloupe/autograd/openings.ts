/** Which groups are open, and which members of folds stand alone. */

import { Folds, type Run } from "./folds";
import type { Graph, Item } from "./graph";
import { keyOf, stackKey } from "./keys";
import type { Key } from "./level";

/** Opening a fold of single nodes shows them all up to so many. */
const MOST_SHOWN = 64;

export class Openings {
  readonly #opened = new Set<number>([0]);
  readonly #folds = new Folds();

  /** @param changed called for each group whose level changed: it or a box in it opened or closed, or it is split otherwise */
  constructor(
    private readonly graph: Graph,
    private readonly changed: (group: number) => void,
  ) {}

  isOpen(group: number): boolean {
    return this.#opened.has(group);
  }

  /** The runs of an open fold; undefined for any other group. */
  runs(group: number): readonly Run[] | undefined {
    if (!this.#isFold(group)) return undefined;
    return this.#folds.runs(group, this.graph.childrenOf(group).length);
  }

  /** Opens a group and what is around it; of a fold the member at `place`, or its first when none stands alone. */
  open(group: number, place?: number): void {
    this.uncover(~group);
    this.#setOpen(group, true);
    if (this.#isFold(group)) this.#unfold(group, place);
  }

  #setOpen(group: number, open: boolean): void {
    if (open === this.#opened.has(group)) return;
    if (open) this.#opened.add(group);
    else this.#opened.delete(group);
    this.changed(group);
    this.changed(this.graph.parentOf(~group));
  }

  #unfold(fold: number, place: number | undefined): void {
    if (place === undefined && !this.#folds.isEmpty(fold)) return;
    const members = this.graph.childrenOf(fold);
    const member = members[place ?? 0];
    if (member === undefined) return;
    const all = place === undefined && members.length <= MOST_SHOWN && members.every((item) => item >= 0);
    if (all) for (const each of members.keys()) this.#folds.takeOut(fold, each);
    else if (member < 0) this.open(~member);
    else this.#folds.takeOut(fold, place ?? 0);
    this.changed(fold);
  }

  /** Opens what is around an item, outermost first. */
  uncover(item: Item): void {
    for (const [group, next] of this.#steps(item)) {
      this.#setOpen(group, true);
      if (this.#isFold(group) && this.#folds.takeOut(group, this.memberAt(group, next))) this.changed(group);
    }
  }

  /** Closes a group. A member goes back to its stack, and with the last one its fold closes. */
  close(group: number): void {
    if (group === 0) return;
    this.#folds.clear(group);
    this.#setOpen(group, false);
    const parent = this.graph.parentOf(~group);
    if (!this.#isFold(parent)) return;
    this.#folds.putBack(parent, this.memberAt(parent, ~group));
    if (this.#folds.isEmpty(parent)) this.close(parent);
    else this.changed(parent);
  }

  closeAll(): void {
    this.#folds.clearAll();
    for (const group of [...this.#opened]) if (group > 0) this.#setOpen(group, false);
  }

  /** The key an item is seen by: its own, or that of the closed group or stack that hides it. */
  visible(item: Item): Key {
    for (const [group, next] of this.#steps(item)) {
      if (!this.#opened.has(group)) return keyOf(~group);
      if (!this.#isFold(group)) continue;
      const { from, to } = this.#folds.runAt(group, this.graph.childrenOf(group).length, this.memberAt(group, next));
      if (from < to) return stackKey(group, from, to);
    }
    return keyOf(item);
  }

  /** The groups around an item, the root first, each with its child on the way to the item. */
  #steps(item: Item): [number, Item][] {
    const steps: [number, Item][] = [];
    let child = item;
    for (let group = this.graph.parentOf(item); group >= 0; group = this.graph.parentOf(child)) {
      steps.push([group, child]);
      child = ~group;
    }
    return steps.reverse();
  }

  #isFold(group: number): boolean {
    return group >= 0 && this.graph.kindOf(group) === "fold";
  }

  /** The place of a member among the children of its fold. */
  memberAt(fold: number, item: Item): number {
    const members = this.graph.childrenOf(fold);
    const [place] = this.graph.range(item);
    let low = 0;
    let high = members.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.graph.range(members[middle] ?? 0)[0] <= place) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
