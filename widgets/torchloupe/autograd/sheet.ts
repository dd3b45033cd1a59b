/** The canvas: draws a scene through a window, and keeps what moves between two drawings. */

import { html } from "../core/element";
import type { Say } from "../core/words";
import type { Inks, Measure } from "./ink";
import { FADE_MS, Glide, OUTLINE_MS, Run, reducedMotion, TRAVEL_MS } from "./motion";
import { Painting } from "./painting";
import { Pen } from "./pen";
import type { Line } from "./plot";
import type { Reading } from "./reading";
import type { Rect, Scene } from "./scene";
import type { Key } from "./tree";
import type { Zoom } from "./zoom";

/** Below this many screen px per layout px boxes are bars. */
const FAR = 0.35;
const HYSTERESIS = 0.1;
/** Share of the window that is drawn around it while boxes glide. */
const PEEK = 0.6;

export class Sheet {
  readonly canvas = html("canvas", { "aria-hidden": "true" });
  readonly #glide = new Glide();
  readonly #travel = new Run();
  readonly #fade = new Run();
  readonly #outline = new Run();
  #outlined: Key | undefined;
  #far = false;
  #seen: ReadonlyMap<Key, Rect> = new Map();
  #looks: ReadonlyMap<Line, number> = new Map();
  #fresh: ReadonlySet<Line> = new Set();

  constructor(
    private readonly read: Reading,
    private readonly say: Say,
    private readonly measure: Measure,
  ) {}

  /** Where each box and frame was drawn last, in layout px. */
  get seen(): ReadonlyMap<Key, Rect> {
    return this.#seen;
  }

  /** Boxes come to their new places from `before`. */
  glideFrom(before: ReadonlyMap<Key, Rect>, opening: boolean): void {
    this.#glide.start(before, opening);
  }

  /** Outlines a box for a moment: what glides says where motion is not wanted. */
  outline(key: Key | undefined): void {
    this.#outlined = key;
    this.#outline.start(OUTLINE_MS);
  }

  /** Gradients that are new in the next drawing travel along their lines, or are there at once. */
  step(travels: boolean): void {
    this.#fresh = new Set();
    if (travels) this.#travel.start(TRAVEL_MS);
    else this.#travel.end();
  }

  /** Draws; tells with what it drew, and whether something still moves. */
  draw(scene: Scene, inks: Inks, zoom: Zoom, lit: number): { readonly pen: Pen; readonly moving: boolean } | undefined {
    const ctx = this.#cleared(inks, zoom);
    if (ctx === undefined) return undefined;
    const { window, k } = zoom;
    const pen = new Pen(ctx, inks, this.measure, this.read, this.say, k, zoom.edge, window.x + window.w);
    const glide = this.#glide.run.at();
    const travel = this.#travel.at();
    const painting = new Painting(pen, scene, this.read, {
      window: glide === undefined ? window : around(window),
      glide: glide === undefined ? undefined : { of: this.#glide, share: glide },
      travel: travel === undefined ? undefined : { lines: this.#fresh, share: travel },
      far: this.#distance(k),
      outlined: this.#outline.at() === undefined ? undefined : this.#outlined,
      lit,
    });
    painting.paint();
    this.#seen = painting.seen;
    if (travel !== undefined && this.#fresh.size === 0) this.#fresh = arrived(this.#looks, painting.looks);
    this.#looks = painting.looks;
    return {
      pen,
      moving: [this.#glide.run, this.#travel, this.#fade, this.#outline].some((run) => run.at() !== undefined),
    };
  }

  /** The whole picture on a canvas of its own, at most so many px. */
  whole(scene: Scene, inks: Inks, most = 16_000_000): HTMLCanvasElement {
    const canvas = document.createElement("canvas");
    const { width, height } = scene;
    const k = Math.min(2, Math.sqrt(most / (width * height)));
    canvas.width = Math.ceil(width * k);
    canvas.height = Math.ceil(height * k);
    const ctx = canvas.getContext("2d");
    if (ctx === null) return canvas;
    ctx.fillStyle = inks.ground;
    ctx.fillRect(0, 0, canvas.width, canvas.height);
    ctx.scale(k, k);
    const pen = new Pen(ctx, inks, this.measure, this.read, this.say, Math.max(k, 1), 0, width);
    const still = { glide: undefined, travel: undefined, far: 0, outlined: undefined, lit: -1 };
    new Painting(pen, scene, this.read, { ...still, window: { x: 0, y: 0, w: width, h: height } }).paint();
    return canvas;
  }

  #cleared(inks: Inks, { stage, k, x, y }: Zoom): CanvasRenderingContext2D | undefined {
    const { canvas } = this;
    const ctx = canvas.getContext("2d");
    if (ctx === null || stage.width === 0) return undefined;
    const ratio = devicePixelRatio;
    const [wide, high] = [Math.round(stage.width * ratio), Math.round(stage.height * ratio)];
    if (canvas.width !== wide) canvas.width = wide;
    if (canvas.height !== high) canvas.height = high;
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.fillStyle = inks.ground;
    ctx.fillRect(0, 0, wide, high);
    ctx.setTransform(k * ratio, 0, 0, k * ratio, x * ratio, y * ratio);
    return ctx;
  }

  /** How far the far look has taken over; it switches with some slack so that zooming does not flicker. */
  #distance(k: number): number {
    const far = this.#far ? k < FAR * (1 + HYSTERESIS) : k < FAR;
    if (far !== this.#far) {
      this.#far = far;
      if (!reducedMotion()) this.#fade.start(FADE_MS);
    }
    const share = this.#fade.at() ?? 1;
    return far ? share : 1 - share;
  }
}

function around({ x, y, w, h }: Rect): Rect {
  return { x: x - w * PEEK, y: y - h * PEEK, w: w * (1 + 2 * PEEK), h: h * (1 + 2 * PEEK) };
}

/** Lines that say something now and did not before. */
function arrived(before: ReadonlyMap<Line, number>, now: ReadonlyMap<Line, number>): Set<Line> {
  const fresh = new Set<Line>();
  for (const [line, look] of now) if (look > 0 && before.get(line) === 0) fresh.add(line);
  return fresh;
}
