/** From what was drawn to the items of the tree. */

import { MOST_ITEMS, type Spot } from "./overlay";
import type { Rect } from "./scene";
import type { Session } from "./session";
import type { Key } from "./tree";
import type { Zoom } from "./zoom";

/** Height of the part of a frame that stands for it. */
const HEADER = 30;

/** The boxes of the window as items in reading order; those nearest to its middle when they are too many. */
export function spots(seen: ReadonlyMap<Key, Rect>, session: Session, zoom: Zoom): readonly Spot[] {
  const near = nearest(seen, zoom);
  return [...near].flatMap(([key, rect]) => spot(key, rect, session, zoom) ?? []);
}

function nearest(seen: ReadonlyMap<Key, Rect>, zoom: Zoom): ReadonlyMap<Key, Rect> {
  if (seen.size <= MOST_ITEMS) return seen;
  const { y, h } = zoom.window;
  const away = (rect: Rect): number => Math.abs(rect.y + Math.min(rect.h, HEADER) / 2 - y - h / 2);
  const sorted = [...seen].sort(([, a], [, b]) => away(a) - away(b)).slice(0, MOST_ITEMS);
  const kept = new Set(sorted.map(([key]) => key));
  return new Map([...seen].filter(([key]) => kept.has(key)));
}

function spot(key: Key, rect: Rect, { tree, selected }: Session, { k, x, y }: Zoom): Spot | undefined {
  const parent = tree.parentOf(key);
  const box = tree.box(key);
  if (parent === undefined || box === undefined) return undefined;
  const { boxes } = tree.level(parent);
  const h = rect.h * k;
  return {
    key,
    rect: { x: rect.x * k + x, y: rect.y * k + y, w: rect.w * k, h: box.open ? Math.min(h, HEADER * k) : h },
    level: tree.trail(key).length + 1,
    position: 1 + boxes.findIndex((each) => each.key === key),
    siblings: boxes.length,
    expanded: box.expandable || box.open ? box.open : undefined,
    selected: selected === key,
  };
}
