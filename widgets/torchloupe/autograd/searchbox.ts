/** Search: how many hits there are, in which places, and the way from one to the next. */

import { html, on } from "../core/element";
import type { Say } from "../core/words";
import { grouped } from "./figures";
import { glyph } from "./glyph";
import type { Session } from "./session";

const MOST_PLACES = 40;

export class SearchBox {
  readonly element = html("div", { class: "tl-search", role: "search" });
  readonly #input = html("input", { type: "text", spellcheck: "false", autocomplete: "off" });
  readonly #count = html("span", { class: "tl-quiet", role: "status" });
  readonly #places = html("ul", { class: "tl-places" });
  readonly #hint = html("p", { class: "tl-quiet tl-hint" });

  constructor(
    private readonly say: Say,
    private readonly session: Session,
    /** Shows a node that was found. */
    private readonly go: (node: number) => void,
    /** Called when the box is left. */
    private readonly leave: () => void,
  ) {
    const field = html("label", { class: "tl-search-field" }, glyph("loupe"), this.#input, this.#count);
    this.element.append(field, this.#places, this.#hint);
    on(this.#input, "input", () => session.search(this.#input.value.trim()));
    on(this.#input, "keydown", (event) => this.#onKey(event));
  }

  focus(): void {
    this.#input.focus();
    this.#input.select();
  }

  #onKey(event: KeyboardEvent): void {
    if (event.key === "Enter") {
      const node = event.shiftKey ? this.session.previousHit() : this.session.nextHit();
      if (node !== undefined) this.go(node);
    } else if (event.key === "Escape") {
      if (this.#input.value === "") this.leave();
      this.#input.value = "";
      this.session.search("");
    } else if (event.key === "ArrowDown" && this.#places.firstElementChild !== null) {
      this.#places.querySelector("button")?.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  show(): void {
    const { say, session } = this;
    const { found, query } = session;
    const label = say("search");
    this.#input.setAttribute("aria-label", label);
    this.#input.placeholder = label;
    const typed = this.#input.value.trim();
    if (query === "" && document.activeElement !== this.#input) this.#input.value = "";
    // Typed before the graph was there.
    else if (typed !== query && session.graph !== undefined) session.search(typed);
    this.#count.textContent = query === "" ? "" : say("hits", { n: found.total === 1 ? 1 : grouped(found.total) });
    const current = session.currentHit;
    const items = found.places.slice(0, MOST_PLACES).map((place) => {
      const own = current !== undefined && place.nodes.includes(current);
      const button = html(
        "button",
        { type: "button", "aria-current": own ? "true" : undefined },
        html("code", {}, place.name),
      );
      if (place.count > 1) button.append(html("span", { class: "tl-quiet" }, `× ${grouped(place.count)}`));
      on(button, "click", () => this.#goTo(place.nodes));
      return html("li", {}, button);
    });
    const focused = [...this.#places.children].findIndex((item) => item.contains(document.activeElement));
    this.#places.replaceChildren(...items);
    if (focused >= 0) this.#places.querySelectorAll("button")[focused]?.focus();
    this.#hint.hidden = found.total === 0;
    const key = (name: string): HTMLElement => html("kbd", { class: "tl-key" }, name);
    this.#hint.replaceChildren(
      key("↵"),
      ` ${say("next_hit")} `,
      key("⇧ ↵"),
      ` ${say("previous_hit")} `,
      key("Esc"),
      ` ${say("clear")}`,
    );
  }

  /** The first hit of a place, or the one after the current when that is there already. */
  #goTo(nodes: Int32Array): void {
    const at = nodes.indexOf(this.session.currentHit ?? -1);
    const node = nodes[(at + 1) % nodes.length];
    if (node !== undefined) this.go(node);
  }
}
