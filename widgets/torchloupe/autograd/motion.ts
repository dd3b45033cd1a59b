/** What moves: boxes to their new places, a view to another distance, pills along their edges. */

import type { Rect } from "./scene";
import type { Key } from "./tree";

export const OPENING_MS = 180;
export const CLOSING_MS = 140;
export const TRAVEL_MS = 220;
export const FADE_MS = 120;
export const OUTLINE_MS = 600;
/** New boxes fade in during the last part of an opening. */
const FADE_IN_FROM = 1 - 80 / OPENING_MS;
/** Steps faster than this do not travel. */
const HASTE_MS = 250;

export function reducedMotion(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** One run from 0 to 1 in `duration`; a new one ends the old at once. */
export class Run {
  #from = Number.NEGATIVE_INFINITY;
  #duration = 1;

  start(duration: number, now = performance.now()): void {
    this.#from = now;
    this.#duration = duration;
  }

  end(): void {
    this.#from = Number.NEGATIVE_INFINITY;
  }

  /** How far it is, or undefined when it has ended. */
  at(now = performance.now()): number | undefined {
    const share = (now - this.#from) / this.#duration;
    return share < 1 ? Math.max(share, 0) : undefined;
  }
}

export function easeOut(share: number): number {
  return 1 - (1 - share) ** 3;
}

/** Boxes on their way from where they were. Rectangles are in layout px of the new picture. */
export class Glide {
  #before: ReadonlyMap<Key, Rect> = new Map();
  readonly run = new Run();

  start(before: ReadonlyMap<Key, Rect>, opening: boolean): void {
    this.#before = before;
    this.run.start(opening ? OPENING_MS : CLOSING_MS);
  }

  /** Where a box is now. */
  rect(key: Key, to: Rect, share: number): Rect {
    const from = this.#before.get(key);
    if (from === undefined) return to;
    const rest = 1 - easeOut(share);
    const between = (a: number, b: number): number => b + (a - b) * rest;
    return { x: between(from.x, to.x), y: between(from.y, to.y), w: between(from.w, to.w), h: between(from.h, to.h) };
  }

  /** How solid a box is now. */
  solid(key: Key, share: number): number {
    return this.#before.has(key) ? 1 : Math.max((share - FADE_IN_FROM) / (1 - FADE_IN_FROM), 0);
  }
}

/** Tells whether steps come slowly enough for their pills to travel. */
export class Pace {
  #last = Number.NEGATIVE_INFINITY;

  slow(now = performance.now()): boolean {
    const slow = now - this.#last >= HASTE_MS;
    this.#last = now;
    return slow;
  }
}
