/** The buttons and the grip of the stage. */

import { html, on, svg } from "../core/element";
import type { Say } from "../core/words";

const STEP_BY = 1.3;
const GROW_BY = 40;
const PATHS = {
  zoom_in: "M3 8h10M8 3v10",
  zoom_out: "M3 8h10",
  fit: "M2.5 6v-3.5h3.5M10 2.5h3.5v3.5M13.5 10v3.5h-3.5M6 13.5h-3.5v-3.5",
} as const;

/** What the handles do. */
export interface Handled {
  zoomBy(factor: number): void;
  fit(): void;
  setHeight(height: number): void;
  height(): number;
}

export class Handles {
  readonly buttons: HTMLElement;
  readonly grip = html("div", { class: "tl-grip", role: "separator", "aria-orientation": "horizontal", tabindex: 0 });
  readonly #named: (readonly [HTMLElement, string])[] = [];

  constructor(
    private readonly say: Say,
    private readonly handled: Handled,
  ) {
    this.buttons = html(
      "div",
      { class: "tl-zoom", role: "group" },
      this.#button("zoom_in", () => handled.zoomBy(STEP_BY)),
      this.#button("zoom_out", () => handled.zoomBy(1 / STEP_BY)),
      this.#button("fit", () => handled.fit()),
    );
    this.#listen();
  }

  #button(id: keyof typeof PATHS, act: () => void): HTMLButtonElement {
    const sign = svg(
      "svg",
      { class: "tl-icon", viewBox: "0 0 16 16", width: 14, height: 14, "aria-hidden": "true" },
      svg("path", { d: PATHS[id] }),
    );
    const button = html("button", { type: "button" }, sign);
    on(button, "click", act);
    this.#named.push([button, id]);
    return button;
  }

  #listen(): void {
    const { grip, handled } = this;
    let from = 0;
    on(grip, "pointerdown", (event) => {
      from = event.clientY - handled.height();
      grip.setPointerCapture(event.pointerId);
    });
    on(grip, "pointermove", (event) => {
      if (grip.hasPointerCapture(event.pointerId)) handled.setHeight(event.clientY - from);
    });
    on(grip, "keydown", (event) => {
      const by = event.key === "ArrowDown" ? GROW_BY : event.key === "ArrowUp" ? -GROW_BY : 0;
      if (by === 0) return;
      event.preventDefault();
      event.stopPropagation();
      handled.setHeight(handled.height() + by);
    });
  }

  /** Words in the language of now. */
  write(): void {
    for (const [button, id] of this.#named) {
      const words = this.say(id);
      button.setAttribute("aria-label", words);
      button.title = words;
    }
    this.grip.setAttribute("aria-label", this.say("grip"));
    this.grip.setAttribute("aria-valuenow", String(Math.round(this.handled.height())));
  }
}
