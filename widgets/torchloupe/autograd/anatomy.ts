/** How large a box is and where its parts stand, in layout px. */

import type { Say } from "../core/words";
import type { Inks, Measure } from "./ink";
import type { Box, Chip } from "./tree";

/** Small graphs are drawn near, with code and values; large ones as rows with a tile of heat. */
export type Anatomy = "near" | "middle";

/** Graphs of at most so many nodes are drawn near. */
export const NEAR_NODES = 24;

export const NEAR = { w: 172, h: 48 } as const;
export const MIDDLE = { w: 252, h: 28 } as const;
/** Width of a row that shares its layer with many. */
const SLIM_W = 178;
export const STACK_H = 46;
/** Where the tiles of a stack begin. */
export const STRIP = { x: 10, y: 24 } as const;
export const HEADER_H = 34;
export const CHIP_H = 20;
export const SLOT = { w: 48, h: 32 } as const;
export const TOGGLE = 14;

const WELL_H = 106;
const WELL_SIDE = 196;
const MOST_SLOTS = 4;
const PITCH: readonly number[] = [0, 0, 124, 100, 84];
const WIDEST_NEAR = 236;
const MOST_CHIPS = 3;
/** Distance of the inputs of a node that get something when others get nothing, and of those others. */
const INPUT_PITCH = 200;
const UNUSED_PITCH = 130;
/** Where a search and the ways up and down leave their marks. */
const MARKS = 52;
const BROKEN_W = 272;

/** A chip beside its box; `x` counts from the right side of the body. */
export interface ChipPlace {
  readonly x: number;
  readonly w: number;
  readonly name: string;
  readonly detail: string;
  /** The leaf it stands for, or -1 when it stands for several. */
  readonly leaf: number;
  readonly shared: boolean;
}

/** A box without its place. */
export interface Body {
  readonly w: number;
  readonly h: number;
  readonly chips: readonly ChipPlace[];
  /** Room for what stands beyond the left and the right side of the body. */
  readonly left: number;
  readonly right: number;
  /** Where each arriving edge has a place of its own, from the centre of the body; empty where it has none. */
  readonly slots: readonly number[];
  /** Where inputs that get nothing stand, from the centre. */
  readonly unused: readonly number[];
  /** The line its edges keep, from the centre. */
  readonly axis: number;
}

/** The facts of a box that `Box` does not hold. */
export interface Facts {
  /** The code that made a node, and its forward value; both may be empty. */
  code(box: Box): { readonly fragment: string; readonly value: string };
  /** Edges that arrive at a node or leaf in the whole graph. */
  arriving(node: number): number;
  /** How many gradients a node takes, and which of them nothing sends. */
  unused(node: number): readonly number[];
  /** The saved tensor that keeps a node from running, if one does. */
  broken(node: number): unknown;
}

/** Sizes boxes for one anatomy. Fonts come from `inks`, so a new theme needs a new sizer. */
export class Sizer {
  constructor(
    readonly anatomy: Anatomy,
    private readonly inks: Pick<Inks, "ui" | "mono">,
    private readonly measure: Measure,
    private readonly say: Say,
    private readonly facts: Facts,
    /** Fold every run of chips into one: the page is narrow. */
    private readonly narrow: boolean,
  ) {}

  body(box: Box): Body {
    const chips = this.#chips(box);
    const last = chips.at(-1);
    const right = last === undefined ? 0 : last.x + last.w;
    const plain = { chips, left: 0, right, slots: [], unused: [], axis: 0 };
    if (this.anatomy === "middle") {
      const stack = box.kind === "stack" || box.kind === "fold";
      const sheets = stack ? 8 : 0;
      const room = { left: box.expandable ? MARKS : 0, right: Math.max(right, sheets) };
      return { ...plain, ...room, w: MIDDLE.w, h: stack ? STACK_H : MIDDLE.h };
    }
    if (box.kind === "leaf") {
      const edges = this.facts.arriving(box.node);
      if (edges > 1) return { ...plain, ...well(edges) };
    }
    const unused = box.kind === "node" ? this.facts.unused(box.node).length : 0;
    if (unused > 0) return { ...plain, ...partlyUsed(this.facts.arriving(box.node), unused) };
    return { ...plain, w: this.#nearWidth(box), h: NEAR.h };
  }

  /** The same body where room is dear; a stack keeps its tiles. */
  slim(body: Body): Body {
    return body.h === STACK_H ? body : { ...body, w: SLIM_W };
  }

  #nearWidth(box: Box): number {
    const { fragment, value } = this.facts.code(box);
    const bold = this.measure(box.title, `700 14px ${this.inks.ui}`);
    const title = bold + this.measure(box.suffix, `11px ${this.inks.ui}`);
    const code = this.measure(value === "" ? fragment : `${fragment} = ${value}`, `12px ${this.inks.mono}`);
    const button = box.expandable ? 22 : 0;
    const fitting = Math.min(Math.max(NEAR.w, 44 + Math.max(title, code) + 12 + button), WIDEST_NEAR);
    const broken = box.kind === "node" && this.facts.broken(box.node) !== undefined ? BROKEN_W : 0;
    return 4 * Math.ceil(Math.max(fitting, broken) / 4);
  }

  #chips(box: Box): ChipPlace[] {
    const count = box.chips.length + box.moreChips;
    const most = this.narrow ? 1 : MOST_CHIPS;
    if (count === 0 || box.open) return [];
    let x = box.kind === "stack" || box.kind === "fold" ? 24 : 16;
    const place = (name: string, detail: string, leaf: number, shared: boolean): ChipPlace => {
      const words = this.measure(name, `11.5px ${this.inks.ui}`);
      const extra = detail === "" ? 0 : 6 + this.measure(detail, `10.5px ${this.inks.ui}`);
      const chip = { x, w: Math.ceil(22 + words + extra + 11), name, detail, leaf, shared };
      x += chip.w + 6;
      return chip;
    };
    if (count > most || box.moreChips > 0) return [place(this.say("parameters", { n: count }), "", -1, false)];
    return box.chips.map((chip: Chip) => place(chip.name, chip.detail, chip.leaf, chip.shared));
  }
}

/** A node some of whose inputs get nothing: those stand at the right, the others under what sends to them. */
function partlyUsed(used: number, unused: number): Pick<Body, "w" | "h" | "slots" | "unused" | "axis"> {
  const span = INPUT_PITCH * Math.max(used - 1, 0);
  const w = span + NEAR.w + UNUSED_PITCH * unused;
  const first = (NEAR.w - w) / 2;
  return {
    w,
    h: NEAR.h,
    slots: Array.from({ length: used }, (_, place) => first + place * INPUT_PITCH),
    unused: Array.from({ length: unused }, (_, place) => first + span + (place + 1) * UNUSED_PITCH),
    axis: first + span / 2,
  };
}

function well(edges: number): { w: number; h: number; slots: number[] } {
  if (edges > MOST_SLOTS) return { w: 320, h: WELL_H, slots: [0] };
  const pitch = PITCH[edges] ?? 0;
  const slots = Array.from({ length: edges }, (_, place) => (place - (edges - 1) / 2) * pitch);
  return { w: pitch * (edges - 1) + WELL_SIDE, h: WELL_H, slots };
}
