/** Where items stand: straight chains, no overlap in a layer. */

import { type Adjacency, DUMMY, LANE, type Weave } from "./layout_layers";
import type { Order } from "./layout_order";
import { type Ways, ways } from "./layout_ways";

/** How far an item reaches to each side of the line its edges keep. */
export interface Extents {
  readonly left: Float64Array;
  readonly right: Float64Array;
}

/** Dummies yield to boxes: a box stays in line with its neighbour and pushes passing edges aside. */
const YIELDING = 1e-8;
/** So does a box that leads less far than others: the long way stays straight. */
const ASIDE = 1e-5;
const SWEEPS = 3;

/** The x of each item's line. Ends of lanes are not placed here. */
export function placed(weave: Weave, order: Order, extents: Extents, gap: number): Float64Array {
  const placing = new Placing(weave, order, extents, gap);
  for (let sweep = 0; sweep < SWEEPS; sweep++) placing.sweep(sweep % 2 === 0, sweep === 0);
  placing.straighten();
  return placing.x;
}

class Placing {
  readonly x: Float64Array;
  readonly #weave: Weave;
  readonly #order: Order;
  readonly #extents: Extents;
  readonly #gap: number;
  readonly #fit: Fit;
  readonly #above: Ways;
  readonly #below: Ways;
  #longest = 0;
  #wish = 0;
  #weight = 0;
  #boxes = 0;
  #dummies = 0;
  #sum = 0;
  #passing = 0;
  #followed = false;

  constructor(weave: Weave, order: Order, extents: Extents, gap: number) {
    this.x = new Float64Array(weave.layer.length);
    this.#weave = weave;
    this.#order = order;
    this.#extents = extents;
    this.#gap = gap;
    this.#above = ways(weave, order, true);
    this.#below = ways(weave, order, false);
    let widest = 0;
    for (let layer = 0; layer < weave.layers; layer++) {
      const [from, to] = this.#ends(layer);
      widest = Math.max(widest, to - from);
      this.#pack(from, to);
    }
    this.#fit = new Fit(widest);
  }

  /** Moves each layer as near to the one before it as the distances allow. */
  sweep(downwards: boolean, first: boolean): void {
    const { layers } = this.#weave;
    for (let step = 1; step < layers; step++) {
      const layer = downwards ? step : layers - 1 - step;
      const [from, to] = this.#ends(layer);
      this.#fit.clear();
      this.#longest = this.#leadsFarthest(from, to, downwards ? this.#below : this.#above);
      let offset = 0;
      for (let at = from; at < to; at++) {
        const item = this.#order.item[at] as number;
        if (at > from) offset += this.#distance(this.#order.item[at - 1] as number, item);
        this.#look(item, downwards, first);
        this.#fit.add(this.#wish, offset, this.#weight);
      }
      this.#fit.write(this.#order.item, from, this.x);
    }
  }

  /** Brings the dummies of one edge onto one line where nothing stands in between. */
  straighten(): void {
    const { dummy, span, kind } = this.#weave;
    for (let edge = 0; edge < dummy.length; edge++) {
      const first = dummy[edge] as number;
      if (first < 0 || kind[first] === LANE) continue;
      const count = (span[edge] as number) - 1;
      let [low, high, sum] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 0];
      for (let item = first; item < first + count; item++) {
        low = Math.max(low, this.#limit(item, -1));
        high = Math.min(high, this.#limit(item, 1));
        sum += this.x[item] as number;
      }
      if (low <= high) this.x.fill(Math.min(Math.max(sum / count, low), high), first, first + count);
    }
  }

  #leadsFarthest(from: number, to: number, { far }: Ways): number {
    let longest = 0;
    for (let at = from; at < to; at++) longest = Math.max(longest, far[this.#order.item[at] as number] as number);
    return longest;
  }

  #ends(layer: number): readonly [number, number] {
    const { start, lanes } = this.#order;
    return [(start[layer] as number) + (lanes[layer] as number), start[layer + 1] as number];
  }

  #distance(one: number, next: number): number {
    const { kind } = this.#weave;
    const between = kind[one] === DUMMY && kind[next] === DUMMY ? this.#gap / 2 : this.#gap;
    return (this.#extents.right[one] as number) + between + (this.#extents.left[next] as number);
  }

  #pack(from: number, to: number): void {
    let offset = 0;
    for (let at = from; at < to; at++) {
      const item = this.#order.item[at] as number;
      if (at > from) offset += this.#distance(this.#order.item[at - 1] as number, item);
      this.x[item] = offset;
    }
    for (let at = from; at < to; at++) {
      const item = this.#order.item[at] as number;
      this.x[item] = (this.x[item] as number) - offset / 2;
    }
  }

  /**
   * Finds where an item would like to stand, and how much that matters: in line with the box next to it that leads
   * farthest, and where equal ways join, in line with the box they parted from.
   */
  #look(item: number, downwards: boolean, first: boolean): void {
    const [beyond, behind] = downwards ? [this.#above, this.#below] : [this.#below, this.#above];
    this.#survey(item, downwards ? this.#weave.up : this.#weave.down, beyond, behind);
    const boxes = this.#boxes;
    const passed = this.#weave.kind[item] === DUMMY;
    const gate = boxes > 1 ? (beyond.gate[item] as number) : -1;
    const leads = (this.#followed || boxes === 0) && 2 * (behind.far[item] as number) >= this.#longest;
    this.#weight = passed || boxes + this.#dummies === 0 ? YIELDING : leads ? 1 : ASIDE;
    if (gate >= 0) this.#wish = this.x[gate] as number;
    else if (boxes > 0 && (first || !passed)) this.#wish = this.#sum / boxes;
    else if (this.#dummies > 0) this.#wish = this.#passing / this.#dummies;
    else this.#wish = this.x[item] as number;
  }

  /** Adds up what stands next to an item, and finds whether the item leads as far as any other there. */
  #survey(item: number, near: Adjacency, beyond: Ways, behind: Ways): void {
    const { kind } = this.#weave;
    this.#boxes = this.#dummies = this.#sum = this.#passing = 0;
    this.#followed = false;
    for (let at = near.start[item] as number; at < (near.start[item + 1] as number); at++) {
      const other = near.item[at] as number;
      if (kind[other] === DUMMY) {
        this.#passing += this.x[other] as number;
        this.#dummies++;
      } else if (kind[other] !== LANE && beyond.far[other] === beyond.farthest[item]) {
        this.#sum += this.x[other] as number;
        this.#boxes++;
        this.#followed ||= behind.far[item] === behind.farthest[other];
      }
    }
  }

  /** How far an item may move to the left (side -1) or right (side 1) before it meets its neighbour. */
  #limit(item: number, side: -1 | 1): number {
    const [from, to] = this.#ends(this.#weave.layer[item] as number);
    const at = (this.#order.start[this.#weave.layer[item] as number] as number) + (this.#order.place[item] as number);
    const beside = at + side;
    if (beside < from || beside >= to) return side * Number.POSITIVE_INFINITY;
    const other = this.#order.item[beside] as number;
    const distance = side < 0 ? this.#distance(other, item) : this.#distance(item, other);
    return (this.x[other] as number) - side * distance;
  }
}

/** Least squares under given distances, by pooling those that would come too near (isotonic regression). */
class Fit {
  readonly #mean: Float64Array;
  readonly #weight: Float64Array;
  readonly #count: Int32Array;
  readonly #offset: Float64Array;
  #pools = 0;
  #items = 0;

  constructor(most: number) {
    this.#mean = new Float64Array(most);
    this.#weight = new Float64Array(most);
    this.#count = new Int32Array(most);
    this.#offset = new Float64Array(most);
  }

  clear(): void {
    this.#pools = 0;
    this.#items = 0;
  }

  add(wish: number, offset: number, weight: number): void {
    this.#offset[this.#items++] = offset;
    let [mean, heavy, count] = [wish - offset, weight, 1];
    while (this.#pools > 0 && (this.#mean[this.#pools - 1] as number) >= mean) {
      const last = --this.#pools;
      const other = this.#weight[last] as number;
      mean = (mean * heavy + (this.#mean[last] as number) * other) / (heavy + other);
      heavy += other;
      count += this.#count[last] as number;
    }
    this.#mean[this.#pools] = mean;
    this.#weight[this.#pools] = heavy;
    this.#count[this.#pools++] = count;
  }

  write(items: Int32Array, from: number, x: Float64Array): void {
    let at = 0;
    for (let pool = 0; pool < this.#pools; pool++) {
      for (const end = at + (this.#count[pool] as number); at < end; at++) {
        x[items[from + at] as number] = (this.#mean[pool] as number) + (this.#offset[at] as number);
      }
    }
  }
}
