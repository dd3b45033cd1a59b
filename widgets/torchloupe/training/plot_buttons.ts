/** What can be pressed on the plot: merged flags, folded rows, and the way to the latest step. */

import { html, on } from "../core/element";
import type { Say } from "../core/words";
import { count } from "./figures";
import { FLAG, flagTop, type Placed } from "./flags";
import { ROW } from "./plot_layout";
import type { Scene } from "./plot_scene";

export interface Presses {
  toggle(row: string): void;
  follow(): void;
}

/** Transparent buttons over flags and folded rows, which are painted, and a visible one for new steps. */
export class PlotButtons {
  readonly element = html("div", { class: "tl-plot-buttons" });
  readonly #latest = html("button", { type: "button", class: "tl-plot-latest" });
  readonly #flags = html("div", {});
  readonly #rows = html("div", {});
  #shown = "";

  constructor(private readonly presses: Presses) {
    on(this.#latest, "click", () => presses.follow());
    this.element.append(this.#flags, this.#rows, this.#latest);
  }

  show(scene: Scene, flags: readonly Placed[], missed: number, say: Say): void {
    const { layout } = scene;
    this.#latest.hidden = missed <= 0;
    if (missed > 0) {
      this.#latest.textContent = `▸ ${say("new_steps", { count: count(missed), n: missed })}`;
      this.#latest.style.right = `${layout.width - layout.right + 4}px`;
      this.#latest.style.top = `${(layout.panels[0]?.bottom ?? 0) - 26}px`;
    }
    const folded = scene.rows.flatMap((row, at) =>
      row.fold !== undefined ? [{ row, top: layout.rows[at]?.top ?? 0 }] : [],
    );
    const rows = flags.some(({ row }) => row === 1) ? 2 : 1;
    const shown = JSON.stringify([flags, folded, layout.left]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#flags.replaceChildren(...flags.map((flag) => flagButton(flag, flagTop(flag, rows))));
    this.#rows.replaceChildren(
      ...folded.map(({ row, top }) => {
        const style = `top:${top - 1}px;width:${layout.left - 4}px;height:${ROW}px`;
        const open = row.fold === "open";
        const button = html(
          "button",
          { type: "button", class: "tl-plot-fold", style, title: row.name, "aria-expanded": String(open) },
          row.name,
        );
        on(button, "click", () => this.presses.toggle(row.name));
        return button;
      }),
    );
  }
}

function flagButton(flag: Placed, top: number): HTMLElement {
  const words = flag.flags.map(({ words, step }) => `${count(step)}: ${words}`);
  const style = `left:${flag.left}px;top:${top}px;width:${flag.right - flag.left}px;height:${FLAG}px`;
  if (flag.flags.length === 1) return html("span", { class: "tl-plot-flag", style, title: words.join("\n") });
  const list = html("ul", { class: "tl-plot-changes" }, ...words.map((line) => html("li", {}, line)));
  return html(
    "div",
    { class: "tl-plot-flag", style },
    html("button", { type: "button", "aria-label": flag.text }),
    list,
  );
}
