/** How high the stage is, and where its window begins. */

import { MARGIN, type Rect, type Scene } from "./scene";
import type { Zoom } from "./zoom";

/** Tallest stage that follows its graph, in px: a small graph is shown whole. */
export const TALLEST = { near: 900, middle: 520 } as const;
const SHORTEST = 160;
const SMALLEST = { near: 0.5, middle: 0.85 } as const;

export class Framing {
  #height: number | undefined;

  constructor(
    private readonly element: HTMLElement,
    private readonly zoom: Zoom,
  ) {}

  /** Whether a person has set the height. */
  get fixed(): boolean {
    return this.#height !== undefined;
  }

  /** Fixes the height; undefined lets it follow the graph again. */
  setHeight(height: number | undefined): void {
    this.#height = height === undefined ? undefined : Math.max(height, SHORTEST);
  }

  /** Gives the stage its height, and the window the sizes of stage and picture. */
  measure(scene: Scene): void {
    const { zoom, element } = this;
    const following = Math.min(scene.height * this.homeScale(scene), TALLEST[scene.sizer.anatomy]);
    element.style.height = `${this.#height ?? Math.ceil(following)}px`;
    zoom.picture = { width: scene.width, height: scene.height };
    zoom.stage = { width: element.clientWidth, height: element.clientHeight };
    zoom.settle();
  }

  /** How large the picture is shown at first: its width whole, but never too small to read. */
  homeScale(scene: Scene): number {
    const largest = Number(getComputedStyle(this.element).getPropertyValue("--tl-scale")) || 1;
    const fitting = this.element.clientWidth / scene.width;
    return Math.min(largest, Math.max(fitting, SMALLEST[scene.sizer.anatomy]));
  }

  /** Whether the whole picture is seen as it was at first. */
  atHome(scene: Scene): boolean {
    return !this.zoom.overflows && Math.abs(this.zoom.k - this.homeScale(scene)) < 0.01;
  }

  /** The first view: the roots at the top, their way down in the middle. */
  goHome(scene: Scene): void {
    const { zoom } = this;
    zoom.k = this.homeScale(scene);
    zoom.y = 0;
    zoom.x = zoom.stage.width / 2 - (scene.root.axis + MARGIN.side) * zoom.k;
    zoom.settle();
  }

  /** Moves the window so that the middle of the upper side of a box stays where it was. */
  keep(from: Rect | undefined, to: Rect | undefined): void {
    if (from === undefined || to === undefined) return;
    const { k } = this.zoom;
    this.zoom.pan((from.x + from.w / 2 - to.x - to.w / 2) * k, (from.y - to.y) * k);
  }

  /** Makes the whole picture seen. */
  whole(): void {
    const { zoom } = this;
    const { stage, picture } = zoom;
    zoom.by(Math.min(stage.width / picture.width, stage.height / picture.height, 1) / zoom.k);
  }
}
