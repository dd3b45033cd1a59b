/** The whole layout in a corner: bars drawn once, the window, and where hits and faults stand. */

import { html, on } from "../core/element";
import type { Inks } from "./ink";
import { heat } from "./paint_tile";
import type { Pen } from "./pen";
import type { Rect, Scene } from "./scene";
import type { Zoom } from "./zoom";

const WIDTH = 120;
const TALLEST = 176;
const SHORTEST = 80;
/** It is shown from this many stage heights on. */
const FROM = 3;
const TICK = 5;

export class Minimap {
  readonly element = html("canvas", { class: "tl-minimap", "aria-hidden": "true" });
  #bars: HTMLCanvasElement | undefined;
  #scale: { x: number; y: number } = { x: 1, y: 1 };
  #height = TALLEST;
  #mark = "";

  constructor(
    private readonly zoom: Zoom,
    private readonly moved: () => void,
  ) {
    this.element.hidden = true;
    const go = (event: PointerEvent): void => {
      const box = this.element.getBoundingClientRect();
      this.zoom.centre((event.clientX - box.left) / this.#scale.x, (event.clientY - box.top) / this.#scale.y);
      this.moved();
    };
    on(this.element, "pointerdown", (event) => {
      this.element.setPointerCapture(event.pointerId);
      go(event);
    });
    on(this.element, "pointermove", (event) => {
      if (this.element.hasPointerCapture(event.pointerId)) go(event);
    });
  }

  /** Forgets the bars unless they still show `mark`: the layout, the colours and what is found. */
  forget(mark: string): void {
    if (mark !== this.#mark) this.#bars = undefined;
    this.#mark = mark;
  }

  /** Draws the map over its bars; hidden while the picture is hardly larger than the stage. */
  draw(scene: Scene, pen: Pen, selected: Rect | undefined): void {
    const { zoom, element } = this;
    const { stage, picture } = zoom;
    element.hidden = picture.height * zoom.k < FROM * stage.height || stage.width < 360;
    if (element.hidden) return;
    const ratio = devicePixelRatio;
    this.#bars ??= this.#drawBars(scene, pen, ratio);
    element.width = this.#bars.width;
    element.height = this.#bars.height;
    element.style.width = `${WIDTH}px`;
    element.style.height = `${this.#height}px`;
    const ctx = element.getContext("2d");
    if (ctx === null) return;
    ctx.drawImage(this.#bars, 0, 0);
    ctx.scale(ratio, ratio);
    this.#drawWindow(ctx, pen.inks);
    if (selected !== undefined) {
      const { x, y, w, h } = this.#scaled(selected);
      ctx.fillStyle = pen.inks.here;
      ctx.fillRect(x - 1, y - 1, Math.max(w, 4) + 2, Math.max(h, 2) + 2);
    }
  }

  #scaled({ x, y, w, h }: Rect): Rect {
    const scale = this.#scale;
    return { x: x * scale.x, y: y * scale.y, w: w * scale.x, h: h * scale.y };
  }

  #drawWindow(ctx: CanvasRenderingContext2D, inks: Inks): void {
    const { x, y, w, h } = this.#scaled(this.zoom.window);
    const left = Math.max(x, 1);
    const top = Math.max(y, 1);
    const right = Math.min(x + w, WIDTH - 1);
    const bottom = Math.max(Math.min(y + h, this.#height - 1), top + 3);
    ctx.save();
    ctx.beginPath();
    ctx.rect(0, 0, WIDTH, this.#height);
    ctx.rect(left, top, right - left, bottom - top);
    ctx.globalAlpha = 0.1;
    ctx.fillStyle = inks.ink;
    ctx.fill("evenodd");
    ctx.restore();
    ctx.strokeStyle = inks.here;
    ctx.lineWidth = 1.6;
    ctx.strokeRect(left, top, right - left, bottom - top);
  }

  #drawBars(scene: Scene, pen: Pen, ratio: number): HTMLCanvasElement {
    const bars = document.createElement("canvas");
    this.#height = Math.min(TALLEST, Math.max(SHORTEST, (scene.height * WIDTH) / scene.width));
    this.#scale = { x: WIDTH / scene.width, y: this.#height / scene.height };
    bars.width = Math.round(WIDTH * ratio);
    bars.height = Math.round(this.#height * ratio);
    const ctx = bars.getContext("2d");
    if (ctx === null) return bars;
    ctx.scale(ratio, ratio);
    ctx.fillStyle = pen.inks.ground;
    ctx.fillRect(0, 0, WIDTH, this.#height);
    const ticks: number[] = [];
    let drawn = Number.NEGATIVE_INFINITY;
    scene.visit(
      { x: 0, y: 0, w: scene.width, h: scene.height },
      {
        box: (item, x, y) => {
          const { key } = item.box;
          const rect = this.#scaled({ x: x + item.x, y: y + item.y, w: item.w, h: item.h });
          if (pen.read.hitsIn(key) > 0) ticks.push(rect.y + rect.h / 2);
          const colour = heat(pen, pen.read.shade(key)) ?? pen.inks.frame;
          // Thousands of bars share a pixel row: what would not be seen is not drawn, but ink always is.
          if (rect.h < 0.5 && rect.y + rect.h - drawn < 0.5 && colour !== pen.inks.ink) return;
          drawn = rect.y + rect.h;
          ctx.fillStyle = colour;
          ctx.fillRect(rect.x, rect.y, Math.max(rect.w, 2), Math.max(rect.h, 1));
        },
      },
    );
    ctx.fillStyle = pen.inks.here;
    for (const y of ticks) ctx.fillRect(WIDTH - TICK, y - 0.5, TICK, 1.5);
    return bars;
  }
}
