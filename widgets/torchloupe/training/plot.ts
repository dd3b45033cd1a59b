/** The plot of a run: curves, flags and the strip of layers over one axis of steps. */

import { html } from "../core/element";
import type { Say } from "../core/words";
import { rightEnd } from "./axes";
import { type Hands, listen } from "./hands";
import { onTheme } from "./ink";
import type { PlotActions, PlotModel, Reading } from "./plot_model";
import { halfLifeOf, type Scene } from "./plot_scene";
import { snapped, stepped } from "./readings";
import { Surface } from "./surface";
import { Zoom } from "./zoom";

const EASE_MS = 120;
/** Half-lives of steps before the window that the average at its left edge still knows. */
const BEFORE = 5;
const CELL = 4;
const LEAST_WIDTH = 200;

/** Draws models into `element`; the window, the crosshair and what is folded belong to this plot alone. */
export class Plot {
  readonly element = html("div", { class: "tl-plot" });
  readonly #surface: Surface;
  readonly #zoom = new Zoom();
  readonly #ending = new AbortController();
  #model: PlotModel | undefined;
  #width = 0;
  #step: number | undefined;
  #pinned = false;
  #read = "";
  #wanted = "";
  #asked: "none" | "top" | "all" = "none";
  #ease: { readonly from: number; readonly to: number; readonly since: number } | undefined;

  constructor(
    say: Say,
    private readonly actions: PlotActions,
  ) {
    this.#surface = new Surface(this.element, say, {
      toggle: () => this.#ask("all"),
      follow: () => this.follow(true),
    });
    const { signal } = this.#ending;
    listen(this.#surface.stage, this.#hands(), signal);
    const repaint = (): void => {
      this.#surface.fade();
      this.#ask("all");
    };
    onTheme(repaint, signal);
    const sizes = new ResizeObserver(([entry]) => this.#resize(entry?.contentRect.width ?? 0));
    sizes.observe(this.element);
    signal.addEventListener("abort", () => sizes.disconnect());
  }

  /** Shows a model; it is drawn with the next frame of the screen. */
  draw(model: PlotModel): void {
    const before = this.#zoom.right;
    this.#model = model;
    this.#zoom.grow(model.latest, rightEnd(model.latest, model.finished, model.total));
    const seen = this.#surface.scene;
    const moved = this.#zoom.following && seen !== undefined && this.#zoom.right !== before;
    if (moved && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this.#ease = { from: seen.right, to: this.#zoom.right, since: performance.now() };
    }
    this.#ask("all");
  }

  /** Stops listening and drawing. */
  close(): void {
    this.#ending.abort();
  }

  get following(): boolean {
    return this.#zoom.following;
  }

  /** Whether any step is out of view. */
  get zoomed(): boolean {
    return !this.#zoom.whole;
  }

  /** The half-life of the smoothing in steps. */
  get halfLife(): number {
    return this.#model === undefined ? 1 : halfLifeOf(this.#model, this.#zoom.left, this.#zoom.right);
  }

  /** The step under the crosshair. */
  get step(): number | undefined {
    return this.#step;
  }

  /** Follows the latest step, or stays where it is. */
  follow(on: boolean): void {
    this.#moving(() => this.#zoom.follow(on));
  }

  /** Shows the whole run. */
  reset(): void {
    this.#moving(() => this.#zoom.reset());
  }

  /** Moves the crosshair by so many steps, from the newest one when there is none, and says what is there. */
  move(by: number): void {
    const { scene } = this.#surface;
    if (scene !== undefined) this.moveTo(stepped(scene, this.#step ?? scene.model.latest, by));
  }

  /** Puts the crosshair on a step, pins it and brings it into view. */
  moveTo(step: number): void {
    const { scene } = this.#surface;
    if (scene === undefined || scene.model.latest < 0) return;
    const at = Math.min(Math.max(snapped(scene, step), 0), scene.model.latest);
    this.#moving(() => this.#zoom.reach(at));
    this.#point(at, true);
    this.#surface.tell(at);
  }

  /** Lets the crosshair go; whether there was one. */
  release(): boolean {
    const had = this.#step !== undefined;
    this.#point(undefined, false);
    return had;
  }

  /** The picture as it stands, on paper. */
  picture(): HTMLCanvasElement {
    return this.#surface.picture();
  }

  /** The picture as it stands, as one SVG document. */
  svg(): string {
    return this.#surface.svg(this.#step, this.#pinned);
  }

  #hands(): Hands {
    const scene = (): Scene | undefined => this.#surface.scene;
    return {
      over: (x, y) => this.#surface.over(x, y),
      point: (x) => {
        this.#surface.stage.classList.toggle("tl-over", x !== undefined);
        if (!this.#pinned) this.#point(x === undefined ? undefined : this.#stepAt(x), false);
      },
      pin: (x) => {
        const step = this.#stepAt(x);
        this.#point(step, !(this.#pinned && step === this.#step));
        this.#surface.stage.focus({ preventScroll: true });
      },
      band: (from, to) => this.#surface.band(from, to),
      quit: () => this.#surface.unband(),
      zoom: (from, to) => {
        const now = scene();
        if (now) this.#moving(() => this.#zoom.show(now.step(from), now.step(to)));
      },
      pan: (by) => {
        const now = scene();
        if (now) this.#moving(() => this.#zoom.pan(now.step(0) - now.step(by)));
      },
      zoomBy: (factor, x) => {
        const now = scene();
        if (now) this.#moving(() => this.#zoom.by(factor, now.step(x)));
      },
      reset: () => {
        this.#point(undefined, false);
        this.reset();
      },
    };
  }

  #stepAt(x: number): number | undefined {
    const { scene } = this.#surface;
    return scene === undefined || scene.model.latest < 0 ? undefined : snapped(scene, scene.step(x));
  }

  #point(step: number | undefined, pinned: boolean): void {
    this.#pinned = pinned && step !== undefined;
    this.#step = step;
    this.#ask("top");
  }

  /** Changes the window, tells when following ends or begins, and draws. */
  #moving(change: () => void): void {
    const before = this.#zoom.following;
    change();
    this.#ease = undefined;
    if (this.#zoom.following !== before) this.actions.following(this.#zoom.following);
    this.#ask("all");
  }

  #resize(width: number): void {
    if (Math.round(width) === this.#width) return;
    this.#width = Math.round(width);
    this.#ask("all");
  }

  #ask(what: "top" | "all"): void {
    if (this.#asked === "none") requestAnimationFrame(() => this.#frame());
    if (this.#asked !== "all") this.#asked = what;
  }

  #frame(): void {
    const asked = this.#asked;
    this.#asked = "none";
    if (this.#model === undefined || this.#width < LEAST_WIDTH || this.#ending.signal.aborted) return;
    if (asked === "all" || this.#surface.scene === undefined) {
      this.#want(this.#surface.paint(this.#model, this.#width, this.#zoom, this.#easedRight()));
    }
    this.#tell(this.#surface.point(this.#step, this.#pinned));
  }

  #tell(reading: Reading | undefined): void {
    const read = JSON.stringify(reading);
    if (reading === undefined || read === this.#read) return;
    this.#read = read;
    this.actions.read(reading);
  }

  #easedRight(): number {
    const ease = this.#ease;
    const { right } = this.#zoom;
    if (ease === undefined) return right;
    const share = (performance.now() - ease.since) / EASE_MS;
    if (share >= 1) {
      this.#ease = undefined;
      return right;
    }
    this.#ask("all");
    return ease.from + (ease.to - ease.from) * (1 - (1 - share) ** 2);
  }

  #want(scene: Scene): void {
    const { left, right } = this.#zoom;
    const wide = scene.layout.right - scene.layout.left;
    const before = Math.min(left, BEFORE * halfLifeOf(scene.model, left, right), right - left);
    const columns = Math.ceil(wide * (1 + before / (right - left)));
    const want = { left: left - before, right, columns, cells: Math.ceil(columns / CELL) };
    const wanted = JSON.stringify(want);
    if (wanted === this.#wanted) return;
    this.#wanted = wanted;
    this.actions.want(want);
  }
}
