/** What stands under the picture: lines of code that follow from what is shown, with their price. */

import { html, on } from "../core/element";
import type { Say } from "../core/words";
import type { Actions } from "./bar";
import { badge, codeLine, copyButton } from "./code";
import type { Advice, Way } from "./state";

/** Draws one heading and its lines. */
export function adviceBlock(advice: Advice, say: Say, actions: Actions, live: boolean): HTMLElement {
  const heading = html("h4", { class: "tl-heading" }, say(advice.heading.id, advice.heading.args));
  const rows = advice.ways.map((way) => wayRow(way, say, actions, live));
  return html("section", { class: "tl-advice" }, heading, ...rows);
}

function wayRow(way: Way, say: Say, actions: Actions, live: boolean): HTMLElement {
  const line = way.tokens.map((token) => token.text).join("");
  const row = html(
    "div",
    { class: "tl-way" },
    html("div", { class: "tl-field" }, codeLine(way.tokens)),
    badge(way.outcome, say),
  );
  row.append(html("span", { class: "tl-price" }, say(way.price.id, way.price.args)));
  if (live && way.operation !== "") {
    const button = html(
      "button",
      { type: "button", class: "tl-button", "aria-label": say("try_line", { line }) },
      say("try_button"),
    );
    on(button, "click", () => actions.apply(way.operation, way.arguments, way.tensor));
    row.append(button);
  }
  row.append(copyButton(() => line, say("copy_line"), say("copied")));
  return row;
}
