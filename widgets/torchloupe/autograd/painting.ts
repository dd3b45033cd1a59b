/** One picture on the canvas: what the window shows, back to front. */

import { LOOK } from "./looks";
import type { Glide } from "./motion";
import { type Portrait, paintFar, paintFrame, paintMiddle, paintNear, paintStack } from "./paint_box";
import { paintChips } from "./paint_chip";
import {
  paintBirth,
  paintFailure,
  paintHits,
  paintNext,
  paintProgress,
  paintRing,
  paintRoots,
  paintWay,
  paintWiring,
} from "./paint_marks";
import { type Pill, paintPills } from "./paint_pill";
import { paintGrown, paintStrand, paintUnused, type StrandLook } from "./paint_strand";
import { paintWell } from "./paint_well";
import type { Pen } from "./pen";
import type { Item, Line, Plot } from "./plot";
import type { Reading } from "./reading";
import { type Path, stretched } from "./route";
import type { Rect, Scene } from "./scene";
import type { Key } from "./tree";

/** What decides a picture beside the scene and the session. */
export interface Moment {
  readonly window: Rect;
  /** How far boxes are on their way to their places. */
  readonly glide: { readonly of: Glide; readonly share: number } | undefined;
  /** Lines whose gradient is on its way, and how far. */
  readonly travel: { readonly lines: ReadonlySet<Line>; readonly share: number } | undefined;
  /** How far the far look has replaced the near one, 0 to 1. */
  readonly far: number;
  /** The box that is outlined because it was opened or closed without motion. */
  readonly outlined: Key | undefined;
  /** The leaf whose chips are pointed at, or -1. */
  readonly lit: number;
}

const DIM = 0.4;
/** Paints one frame; returns where each box and frame was drawn, in layout px. */
export class Painting {
  readonly seen = new Map<Key, Rect>();
  /** What each line that was drawn said. */
  readonly looks = new Map<Line, number>();
  readonly #pills: Pill[] = [];
  readonly #late: (() => void)[] = [];
  readonly #near: boolean;

  constructor(
    private readonly pen: Pen,
    private readonly scene: Scene,
    private readonly read: Reading,
    private readonly moment: Moment,
  ) {
    this.#near = scene.sizer.anatomy === "near";
  }

  paint(): void {
    this.scene.visit(this.moment.window, {
      frame: (item, x, y, depth) => this.#frame(item, x, y, depth),
      line: (line, x, y, plot) => this.#line(line, x, y, plot),
      box: (item, x, y, _depth, plot) => this.#box(item, x, y, plot),
    });
    if (this.pen.k >= 0.35) paintRoots(this.pen, this.scene, this.read);
    for (const late of this.#late) late();
    if (this.#near && this.moment.far < 1) paintPills(this.pen, this.#pills);
  }

  /** Where a box is drawn now. */
  #rect(item: Item, x: number, y: number): Rect {
    const to = { x: x + item.x, y: y + item.y, w: item.w, h: item.h };
    const { glide } = this.moment;
    const rect = glide === undefined ? to : glide.of.rect(item.box.key, to, glide.share);
    this.seen.set(item.box.key, rect);
    return rect;
  }

  #alpha(key: Key): number {
    const { glide } = this.moment;
    const solid = glide === undefined ? 1 : glide.of.solid(key, glide.share);
    return solid * (this.read.ways.dims(key) ? DIM : 1);
  }

  #frame(item: Item, x: number, y: number, depth: number): void {
    const { ctx } = this.pen;
    const { key } = item.box;
    const rect = this.#rect(item, x, y);
    ctx.globalAlpha = this.moment.glide === undefined ? 1 : this.moment.glide.of.solid(key, this.moment.glide.share);
    paintFrame(this.pen, { ...item, w: rect.w, h: rect.h }, rect.x, rect.y, depth, this.read.selected === key);
    ctx.globalAlpha = 1;
    if (this.moment.outlined === key) this.#late.push(() => paintRing(this.pen, rect, true));
  }

  // Lines

  #line(line: Line, x: number, y: number, plot: Plot): void {
    const { pen, moment } = this;
    const { ctx } = pen;
    const path = this.#placed(line, x, y, plot);
    const travelling = moment.travel?.lines.has(line) === true;
    const flow = this.read.flow(line.strand);
    this.looks.set(line, flow?.look ?? LOOK.notRun);
    const { ways } = this.read;
    const lit = ways.holds(line.strand, plot);
    const alpha = this.#lineAlpha(line, plot) * (ways.shown && !lit ? DIM : 1);
    if (alpha === 0) return;
    const as = this.#as(flow?.look ?? LOOK.notRun, line, lit);
    const look: StrandLook = { as: travelling ? "coming" : as, head: line.head, near: this.#near };
    const paint = (): void => {
      ctx.globalAlpha = alpha;
      ctx.save();
      ctx.translate(x, y);
      if (moment.far < 1) paintStrand(pen, path, look);
      else paintStrand(pen, path, { as: as === "lit" || as === LOOK.bad ? as : "plain", head: false, near: false });
      if (travelling) paintGrown(pen, path, as, moment.travel?.share ?? 1);
      ctx.restore();
      ctx.globalAlpha = 1;
    };
    if (as === "lit" || as === LOOK.bad || this.#besideNext(line, plot)) this.#late.unshift(paint);
    else paint();
    this.#input(line, path, x, y, alpha);
    const said = flow !== undefined && flow.look !== LOOK.notRun;
    if (!said && as !== "coming") return;
    const on = travelling ? moment.travel?.share : undefined;
    this.#pills.push({ path, x, y, alpha, look: said ? flow.look : undefined, text: said ? flow.text : "?", on });
  }

  /** The number of the input at the end of a line, where a node has several. */
  #input(line: Line, path: Path, x: number, y: number, alpha: number): void {
    const input = this.#near && line.head ? this.read.inputOf(line.strand) : undefined;
    if (input === undefined || this.moment.far > 0) return;
    const { pen } = this;
    this.#late.push(() => {
      pen.ctx.globalAlpha = alpha;
      pen.text(String(input), x + (path.at(-2) ?? 0) + 9, y + (path.at(-1) ?? 0) - 9, pen.ui(10), pen.inks.ink2);
      pen.ctx.globalAlpha = 1;
    });
  }

  /** Whether a line touches the halo of the box that runs next, which must not cover it. */
  #besideNext({ source, target }: Line, { items }: Plot): boolean {
    const next = (index: number): boolean => {
      const key = items[index]?.box.key;
      return key !== undefined && this.read.state(key) === "next";
    };
    return next(source) || next(target);
  }

  #as(look: number, line: Line, lit: boolean): StrandLook["as"] {
    if (lit) return "lit";
    if (look !== LOOK.notRun) return look;
    if (this.read.still) return "plain";
    return this.read.coming(line.strand) ? "coming" : LOOK.notRun;
  }

  #lineAlpha({ source, target }: Line, plot: Plot): number {
    const { glide } = this.moment;
    if (glide === undefined) return 1;
    const solid = (index: number): number => {
      const key = plot.items[index]?.box.key;
      return key === undefined ? 1 : glide.of.solid(key, glide.share);
    };
    return Math.min(solid(source), solid(target));
  }

  /** The path between where its boxes are now. */
  #placed(line: Line, x: number, y: number, plot: Plot): Path {
    const { glide } = this.moment;
    if (glide === undefined) return line.path;
    const shift = (index: number, low: boolean): [number, number] => {
      const item = plot.items[index];
      if (item === undefined) return [0, 0];
      const to = { x: x + item.x, y: y + item.y, w: item.w, h: item.h };
      const now = glide.of.rect(item.box.key, to, glide.share);
      return [now.x + now.w / 2 - to.x - to.w / 2, low ? now.y + now.h - to.y - to.h : now.y - to.y];
    };
    return stretched(line.path, shift(line.source, true), shift(line.target, false));
  }

  // Boxes

  #box(item: Item, x: number, y: number, plot: Plot): void {
    const { pen, moment, read } = this;
    const { ctx } = pen;
    const { key } = item.box;
    const rect = this.#rect(item, x, y);
    const shown = rect.w === item.w && rect.h === item.h ? item : { ...item, w: rect.w, h: rect.h };
    const selected = read.selected === key;
    const portrait: Portrait = { item: shown, x: rect.x, y: rect.y, state: read.state(key), selected };
    const alpha = this.#alpha(key);
    if (alpha === 0) return;
    if (moment.far > 0) {
      ctx.globalAlpha = alpha * moment.far;
      paintFar(pen, portrait);
    }
    if (moment.far < 1) {
      ctx.globalAlpha = alpha * (1 - moment.far);
      this.#whole(portrait, plot);
      paintChips(pen, shown, rect.x, rect.y, moment.lit, alpha * (1 - moment.far), neighbour(item, plot, x));
    }
    ctx.globalAlpha = 1;
    const ringed = selected || moment.outlined === key;
    if (ringed || read.hovered === key) this.#late.push(() => paintRing(pen, rect, ringed));
    if (moment.far < 1) this.#marks(portrait);
  }

  #whole(portrait: Portrait, plot: Plot): void {
    const { pen, read } = this;
    const { box, body } = portrait.item;
    if (box.kind === "stack" || box.kind === "fold") paintStack(pen, portrait);
    else if (box.kind === "leaf" && body.slots.length > 0)
      paintWell(pen, portrait, arriving(portrait.item, plot), this.#hidden());
    else if (this.#near) paintNear(pen, portrait, read);
    else paintMiddle(pen, portrait, read);
    if (box.kind === "node") paintWiring(pen, portrait, this.read.wiring(box.node));
  }

  #hidden(): ReadonlySet<Line> {
    return this.moment.travel?.lines ?? new Set();
  }

  #marks(portrait: Portrait): void {
    const { pen, read } = this;
    const { item, x, y, state } = portrait;
    const { key } = item.box;
    if (state === "next" || state === "engine") paintNext(pen, portrait, this.#near);
    if (item.box.node < 0) paintProgress(pen, portrait, read.progress(key));
    if (state === "failed") paintFailure(pen, portrait, read.broken(item.box.node));
    const hits = read.hitsIn(key);
    const badge = hits > 0 ? paintHits(pen, x, y + item.h / 2, hits) : 0;
    const way = read.ways.of(key);
    if (way !== undefined) paintWay(pen, x - 9 - badge, y + item.h / 2, way === "up");
    if (read.born === key) this.#late.push(() => paintBirth(pen, portrait, this.moment.window));
    if (!this.#near || item.box.kind !== "node") return;
    const unused = read.unused(item.box.node);
    item.body.unused.forEach((offset, rank) => {
      paintUnused(pen, x + item.w / 2 + offset, y, pen.say("output_unused", { n: unused[rank] ?? 0 }));
    });
  }
}

/** Where the next box at the right begins. */
function neighbour(item: Item, { items }: Plot, x: number): number {
  const beside = items.filter((other) => other.x > item.x && other.y < item.y + item.h && item.y < other.y + other.h);
  return x + beside.reduce((least, other) => Math.min(least, other.x - other.body.left), Infinity);
}

/** The lines that end in a well, from left to right. */
function arriving({ box }: Item, { items, lines }: Plot): Line[] {
  const index = items.findIndex((item) => item.box.key === box.key);
  const ends = lines.filter(({ target }) => target === index);
  return ends.sort((a, b) => (a.path[a.path.length - 2] ?? 0) - (b.path[b.path.length - 2] ?? 0));
}
