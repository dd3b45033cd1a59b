/** A canvas that is as sharp as the screen. */

import { html } from "../core/element";
import type { Pen } from "./ink";

export class Sheet {
  readonly element = html("canvas", { class: "tl-plot-sheet" });
  readonly #pen: CanvasRenderingContext2D;
  #size = "";

  constructor() {
    const pen = this.element.getContext("2d");
    if (pen === null) throw new Error("this browser has no canvas");
    this.#pen = pen;
  }

  /** An empty sheet of this size in layout px, and the pen to draw on it. */
  blank(width: number, height: number): Pen {
    const { element } = this;
    const ratio = window.devicePixelRatio || 1;
    const size = `${width} ${height} ${ratio}`;
    if (size !== this.#size) {
      this.#size = size;
      element.width = Math.round(width * ratio);
      element.height = Math.round(height * ratio);
      element.style.width = `${width}px`;
      element.style.height = `${height}px`;
    }
    this.#pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.#pen.clearRect(0, 0, width, height);
    this.#pen.globalAlpha = 1;
    this.#pen.setLineDash([]);
    return this.#pen;
  }
}
