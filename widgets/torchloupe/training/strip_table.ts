/** The strip as a table off the screen: layer, newest value, what is wrong. */

import { html } from "../core/element";
import type { Say } from "../core/words";
import { scientific } from "./figures";
import type { Strip } from "./plot_model";

export class StripTable {
  readonly element = html("table", { class: "tl-speech" });
  #shown = "";

  /** Shows the layers of a strip; nothing is touched while its words are the same. */
  show(strip: Strip | undefined, say: Say): void {
    const heads = ["layer", "newest", "verdict"].map((id) => say(id));
    const caption = say(strip?.measure === "ratio" ? "ratio_heading" : "norm_heading");
    const rows = (strip?.layers ?? []).map(({ name, newest, trouble }) => [
      name,
      Number.isNaN(newest) ? "" : scientific(newest),
      trouble?.words ?? "",
    ]);
    const shown = JSON.stringify([caption, heads, rows]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.element.hidden = strip === undefined;
    this.element.replaceChildren(
      html("caption", {}, caption),
      html("thead", {}, html("tr", {}, ...heads.map((head) => html("th", { scope: "col" }, head)))),
      html("tbody", {}, ...rows.map(tableRow)),
    );
  }
}

function tableRow([name = "", ...cells]: readonly string[]): HTMLTableRowElement {
  return html("tr", {}, html("th", { scope: "row" }, name), ...cells.map((cell) => html("td", {}, cell)));
}
