/** What the plot is drawn on: two sheets, the buttons over them, and the same in words. */

import { html } from "../core/element";
import type { Say } from "../core/words";
import { type Placed, placeFlags } from "./flags";
import { type Inks, type Pen, readInks } from "./ink";
import { widthOf } from "./measure";
import { paintOverlay } from "./overlay";
import { paint } from "./painting";
import { PlotButtons, type Presses } from "./plot_buttons";
import type { PlotModel, Reading } from "./plot_model";
import { type Scene, sceneOf } from "./plot_scene";
import { description, joined, spokenReading } from "./plot_speech";
import { readingAt } from "./readings";
import { Sheet } from "./sheet";
import { StripTable } from "./strip_table";
import { SvgPen } from "./svg_pen";
import type { Zoom } from "./zoom";

let surfaces = 0;

export class Surface {
  /** What the pointer and the keyboard act on. */
  readonly stage = html("div", { class: "tl-plot-stage", role: "img", tabindex: 0 });
  readonly #base = new Sheet();
  readonly #top = new Sheet();
  readonly #band = html("div", { class: "tl-plot-band", hidden: true });
  readonly #words = html("p", { class: "tl-speech", id: `tl-plot-words-${++surfaces}` });
  readonly #spoken = html("p", { class: "tl-speech", "aria-live": "polite" });
  readonly #table = new StripTable();
  readonly #buttons: PlotButtons;
  readonly #opened = new Set<string>();
  #inks: Inks | undefined;
  #scene: Scene | undefined;

  /** @param presses what the buttons do; folding rows is the surface's own matter, and told afterwards */
  constructor(
    private readonly element: HTMLElement,
    private readonly say: Say,
    presses: Presses,
  ) {
    this.#buttons = new PlotButtons({
      ...presses,
      toggle: (row) => {
        if (!this.#opened.delete(row)) this.#opened.add(row);
        presses.toggle(row);
      },
    });
    this.stage.setAttribute("aria-describedby", this.#words.id);
    this.stage.append(this.#base.element, this.#top.element, this.#band);
    element.append(this.stage, this.#buttons.element, this.#words, this.#spoken, this.#table.element);
  }

  /** The moment that is drawn. */
  get scene(): Scene | undefined {
    return this.#scene;
  }

  /** Reads the colours anew before the next drawing. */
  fade(): void {
    this.#inks = undefined;
  }

  /** Draws the steps of the window up to `right`. */
  paint(model: PlotModel, width: number, zoom: Zoom, right: number): Scene {
    this.#inks ??= readInks(this.element);
    const scene = sceneOf(model, width, zoom.left, right, this.#opened);
    this.#scene = scene;
    const pen = this.#base.blank(scene.layout.width, scene.layout.height);
    const flags = this.#flags(pen, this.#inks, scene);
    paint(pen, this.#inks, scene, flags, this.say);
    this.#buttons.show(scene, flags, zoom.missed, this.say);
    this.#table.show(model.strip, this.say);
    const words = description(scene, this.say);
    if (this.#words.textContent !== words) this.#words.textContent = words;
    const names = model.panels.map(({ quantity }) => quantity);
    this.stage.setAttribute("aria-label", this.say("plot_name", { quantities: joined(names, this.say) }));
    return scene;
  }

  /** Draws the crosshair; what is there, or at the newest step. */
  point(step: number | undefined, pinned: boolean): Reading | undefined {
    const scene = this.#scene;
    if (scene === undefined || this.#inks === undefined) return undefined;
    const reading = readingAt(scene, step, pinned);
    const pen = this.#top.blank(scene.layout.width, scene.layout.height);
    paintOverlay(pen, this.#inks, scene, reading, this.say);
    return reading;
  }

  /** Says what is at a step. */
  tell(step: number): void {
    const scene = this.#scene;
    if (scene) this.#spoken.textContent = spokenReading(scene.model, readingAt(scene, step, true), this.say);
  }

  /** Whether a place is over the curves or the strip. */
  over(x: number, y: number): boolean {
    const { layout } = this.#scene ?? {};
    if (layout === undefined) return false;
    return x >= layout.left && x <= layout.right && y >= (layout.panels[0]?.top ?? 0) && y <= layout.axis + 4;
  }

  /** Shows the window that is being drawn. */
  band(from: number, to: number): void {
    const layout = this.#scene?.layout;
    if (layout === undefined) return;
    const left = Math.max(Math.min(from, to), layout.left);
    const right = Math.min(Math.max(from, to), layout.right);
    const top = layout.panels[0]?.top ?? 0;
    this.#band.style.cssText = `left:${left}px;width:${right - left}px;top:${top}px;height:${layout.axis - top}px`;
    this.#band.hidden = false;
  }

  unband(): void {
    this.#band.hidden = true;
  }

  /** The picture as it stands, on paper. */
  picture(): HTMLCanvasElement {
    const { width, height } = this.#base.element;
    const canvas = html("canvas", { width, height });
    const pen = canvas.getContext("2d");
    if (pen === null) throw new Error("this browser has no canvas");
    pen.fillStyle = this.#inks?.paper ?? "Canvas";
    pen.fillRect(0, 0, width, height);
    pen.drawImage(this.#base.element, 0, 0);
    pen.drawImage(this.#top.element, 0, 0);
    return canvas;
  }

  /** The same picture as SVG; the crosshair is in it while it is shown. Empty before the first drawing. */
  svg(step: number | undefined, pinned: boolean): string {
    const ruler = html("canvas").getContext("2d");
    const scene = this.#scene;
    if (ruler === null || scene === undefined || this.#inks === undefined) return "";
    const pen = new SvgPen(ruler, `${this.#words.id}-clip`);
    paint(pen, this.#inks, scene, this.#flags(pen, this.#inks, scene), this.say);
    paintOverlay(pen, this.#inks, scene, readingAt(scene, step, pinned), this.say);
    const title = this.stage.getAttribute("aria-label") ?? "";
    return pen.document(
      scene.layout.width,
      scene.layout.height,
      this.#inks.paper,
      title,
      this.#words.textContent ?? "",
    );
  }

  #flags(pen: Pen, inks: Inks, { layout, model, x }: Scene): Placed[] {
    pen.font = `11px ${inks.ui}`;
    const width = (text: string): number => widthOf(pen, text);
    const seen = model.flags.filter(({ step }) => x(step) >= layout.left - 1 && x(step) <= layout.right + 1);
    const text = ({ words, short }: PlotModel["flags"][number]): string => (layout.narrow ? short : words);
    return placeFlags(seen, x, layout.right, width, text, (n) => this.say("changes", { n }));
  }
}
