/** Everything that can be drawn, where it stands: plots nested in plots, found by key, by point or by window. */

import { CHIP_H, type ChipPlace, type Sizer, STACK_H, STRIP, TOGGLE } from "./anatomy";
import { ROOT } from "./keys";
import { type Item, type Line, type Plot, plot } from "./plot";
import { boundsOf } from "./route";
import type { Key, Level } from "./tree";

/** A rectangle in layout px. */
export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** What a window shows, outermost first; `x` and `y` are the corner of the plot that holds it. */
export interface Visitor {
  /** An open group that is seen, before its content. */
  frame?(item: Item, x: number, y: number, depth: number): void;
  line?(line: Line, x: number, y: number, plot: Plot): void;
  /** A closed box that is seen. */
  box?(item: Item, x: number, y: number, depth: number, plot: Plot): void;
}

export interface Hit {
  readonly item: Item;
  readonly part: "body" | "toggle" | "header" | "chip" | "tile";
  readonly chip: ChipPlace | undefined;
  /** Which member of a stack the tile belongs to. */
  readonly member: number;
}

/** The part of a tree that a scene reads. */
export interface Groups {
  level(key: Key): Level;
  /** Another number means that something else is seen. */
  readonly version: number;
  parentOf(key: Key): Key | undefined;
}

interface Built {
  readonly level: Level;
  readonly inner: readonly (Plot | undefined)[];
  readonly plot: Plot;
  readonly places: ReadonlyMap<Key, Item>;
}

/** Room around the outermost plot; names of roots stand above it. */
export const MARGIN = { side: 20, top: 30, bottom: 20 } as const;
const BEYOND = 48;
const HEADER_W = 180;

export class Scene {
  #built = new Map<Key, Built>();
  #root: Plot | undefined;
  #version: number | undefined;

  constructor(
    private readonly tree: Groups,
    readonly sizer: Sizer,
  ) {
    this.update();
  }

  /** Lays out again what changed: a level that is another object, and the levels around it. */
  update(): void {
    if (this.tree.version === this.#version) return;
    this.#version = this.tree.version;
    const before = this.#built;
    this.#built = new Map();
    this.#root = this.#build(ROOT, before);
  }

  #build(key: Key, before: ReadonlyMap<Key, Built>): Plot {
    const level = this.tree.level(key);
    const inner = level.boxes.map((box) => (box.open ? this.#build(box.key, before) : undefined));
    const known = before.get(key);
    const same = known?.level === level && inner.every((each, index) => each === known.inner[index]);
    const built = same ? known : this.#lay(key, level, inner);
    this.#built.set(key, built);
    return built.plot;
  }

  #lay(key: Key, level: Level, inner: readonly (Plot | undefined)[]): Built {
    const made = plot(level, this.sizer, inner, key === ROOT);
    return { level, inner, plot: made, places: new Map(made.items.map((item) => [item.box.key, item])) };
  }

  get root(): Plot {
    if (this.#root === undefined) throw new Error("a scene has a root");
    return this.#root;
  }

  get width(): number {
    return this.root.width + 2 * MARGIN.side;
  }

  get height(): number {
    return this.root.height + MARGIN.top + MARGIN.bottom;
  }

  /** Keys of all open groups. */
  get open(): ReadonlySet<Key> {
    return new Set(this.#built.keys());
  }

  /** The box of a key and the rectangle it stands in. */
  find(key: Key): { readonly item: Item; readonly rect: Rect } | undefined {
    const parent = this.tree.parentOf(key);
    const item = parent === undefined ? undefined : this.#built.get(parent)?.places.get(key);
    if (parent === undefined || item === undefined) return undefined;
    const corner = this.#corner(parent);
    return corner && { item, rect: { x: corner.x + item.x, y: corner.y + item.y, w: item.w, h: item.h } };
  }

  plotOf(key: Key): Plot | undefined {
    return this.#built.get(key)?.plot;
  }

  #corner(key: Key): { x: number; y: number } | undefined {
    if (key === ROOT) return { x: MARGIN.side, y: MARGIN.top };
    const frame = this.find(key);
    return frame && { x: frame.rect.x + inset(frame.item), y: frame.rect.y };
  }

  /** Visits what meets `window`. */
  visit(window: Rect, visitor: Visitor): void {
    this.#visit(this.root, MARGIN.side, MARGIN.top, 0, window, visitor);
  }

  #visit(within: Plot, x: number, y: number, depth: number, window: Rect, visitor: Visitor): void {
    const seen = within.items.filter((item) => meets(item, x, y, window));
    for (const item of seen) if (item.inner !== undefined) visitor.frame?.(item, x, y, depth);
    if (visitor.line !== undefined) {
      for (const line of within.lines) if (crosses(line, x, y, window)) visitor.line(line, x, y, within);
    }
    for (const item of seen) {
      if (item.inner === undefined) visitor.box?.(item, x, y, depth, within);
      else this.#visit(item.inner, x + item.x + inset(item), y + item.y, depth + 1, window, visitor);
    }
  }

  /** What stands at a point; `edge` is the left end of what is seen, where headers stay. */
  hit(x: number, y: number, edge: number): Hit | undefined {
    let found: Hit | undefined;
    const look = (item: Item, left: number, top: number): void => {
      found = within(item, x - left - item.x, y - top - item.y, edge - left - item.x) ?? found;
    };
    this.visit({ x: x - 1, y: y - 1, w: 2, h: 2 }, { frame: look, box: look });
    return found;
  }
}

/** What part of an item stands at a point, counted from its corner, if any does. */
function within(item: Item, x: number, y: number, edge: number): Hit | undefined {
  const { inner, body, w, h } = item;
  const beside = inner === undefined && Math.abs(y - h / 2) <= CHIP_H / 2 ? x - w : Number.NaN;
  const chip = body.chips.find((each) => beside >= each.x && beside <= each.x + each.w);
  if (chip !== undefined) return { item, part: "chip", chip, member: -1 };
  if (x < 0 || y < 0 || x > w || y > h) return undefined;
  const toggle = toggleOf(item);
  const shift = inner === undefined ? 0 : headerShift(item, 0, edge);
  const near = toggle && Math.max(Math.abs(x - shift - toggle.x), Math.abs(y - toggle.y)) < TOGGLE;
  const member = near || inner !== undefined ? -1 : tileAt(item, x, y);
  const part = near ? "toggle" : inner !== undefined ? "header" : member >= 0 ? "tile" : "body";
  return { item, part, chip: undefined, member };
}

/** The member whose tile stands at a point of a stack, or -1. */
function tileAt({ box, w, h }: Item, x: number, y: number): number {
  if (box.members < 2 || h !== STACK_H || y < STRIP.y || x < STRIP.x || x >= w - STRIP.x) return -1;
  return Math.floor(((x - STRIP.x) / (w - 2 * STRIP.x)) * box.members);
}

/** From the left side of a frame to its plot. */
export function inset(frame: Item): number {
  return frame.inner === undefined ? 0 : (frame.w - frame.inner.width) / 2;
}

/** How far the header of a frame at `x` moves right so that it is seen. */
export function headerShift({ w }: Item, x: number, edge: number): number {
  return Math.min(Math.max(edge - x, 0), Math.max(w - HEADER_W, 0));
}

/** The middle of the button that opens or closes a box, from the corner of the box. */
export function toggleOf({ box, inner, w, h }: Item): { readonly x: number; readonly y: number } | undefined {
  if (inner !== undefined) return { x: 17, y: 17 };
  if (!box.expandable) return undefined;
  return { x: w - 14, y: box.kind === "stack" || box.kind === "fold" ? 15 : h / 2 };
}

function meets(item: Item, x: number, y: number, window: Rect): boolean {
  const left = x + item.x - BEYOND;
  const top = y + item.y - BEYOND;
  return (
    left < window.x + window.w &&
    left + item.w + item.body.right + 2 * BEYOND > window.x &&
    top < window.y + window.h &&
    top + item.h + 2 * BEYOND > window.y
  );
}

const bounds = new WeakMap<Line, ReturnType<typeof boundsOf>>();

function crosses(line: Line, x: number, y: number, window: Rect): boolean {
  let box = bounds.get(line);
  if (box === undefined) {
    box = boundsOf(line.path);
    bounds.set(line, box);
  }
  const room = BEYOND / 2;
  return (
    x + box.left - room < window.x + window.w &&
    x + box.right + room > window.x &&
    y + box.top - room < window.y + window.h &&
    y + box.bottom + room > window.y
  );
}
