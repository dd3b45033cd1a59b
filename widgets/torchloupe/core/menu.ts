/** A menu under a button: arrows, Home, End, type-ahead, Enter, Escape; one open at a time. */

import { html, on } from "./element";
import { icon } from "./icon";

export interface Choice {
  /** What is seen, built anew each time the menu opens. */
  readonly content: () => (Node | string)[];
  /** What type-ahead matches. */
  readonly text: string;
  readonly choose: () => void;
}

export class Menu {
  readonly button: HTMLButtonElement;
  readonly #holder: HTMLElement;
  #list: HTMLElement | undefined;
  #typed = "";
  #typedAt = 0;

  /**
   * @param content of the button
   * @param choices read when the menu opens
   */
  constructor(
    content: (Node | string)[],
    private readonly choices: () => readonly Choice[],
    label?: string,
  ) {
    this.button = html("button", { type: "button", class: "tl-menu-button", "aria-haspopup": "menu" });
    this.button.setAttribute("aria-expanded", "false");
    if (label !== undefined) this.button.setAttribute("aria-label", label);
    this.button.append(...content, icon("down"));
    on(this.button, "click", () => (this.#list ? this.close() : this.#open(0)));
    on(this.button, "keydown", (event) => this.#onButtonKey(event));
    this.#holder = html("span", { class: "tl-menu" }, this.button);
  }

  get element(): HTMLElement {
    return this.#holder;
  }

  close(refocus = false): void {
    const list = this.#list;
    // Removing the list moves the focus out of it, which closes the menu again.
    this.#list = undefined;
    list?.remove();
    this.button.setAttribute("aria-expanded", "false");
    if (refocus) this.button.focus();
  }

  #open(at: number): void {
    const choices = this.choices();
    const items = choices.map((choice) => {
      const item = html("button", { type: "button", role: "menuitem", tabindex: -1, class: "tl-menu-item" });
      item.append(...choice.content());
      on(item, "click", () => {
        this.close(true);
        choice.choose();
      });
      on(item, "pointermove", () => item.focus());
      return item;
    });
    const list = html("div", { role: "menu", class: "tl-menu-list" }, ...items);
    on(list, "keydown", (event) => this.#onKey(event, items, choices));
    on(list, "focusout", (event) => {
      if (!(event.relatedTarget instanceof Node && this.#holder.contains(event.relatedTarget))) this.close();
    });
    this.#list = list;
    this.#holder.append(list);
    this.button.setAttribute("aria-expanded", "true");
    items.at(at)?.focus();
    this.#keepInside(list);
  }

  /** Moves the list left when it would leave the lens on the right. */
  #keepInside(list: HTMLElement): void {
    const lens = this.#holder.closest(".torchloupe-lens");
    if (lens === null) return;
    const overflow = list.getBoundingClientRect().right - lens.getBoundingClientRect().right + 8;
    if (overflow > 0) list.style.left = `${-overflow}px`;
  }

  #onButtonKey(event: KeyboardEvent): void {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    this.#open(event.key === "ArrowDown" ? 0 : -1);
  }

  #onKey(event: KeyboardEvent, items: readonly HTMLElement[], choices: readonly Choice[]): void {
    const at = items.findIndex((item) => item.contains(document.activeElement));
    const to = (index: number): void => items[(index + items.length) % items.length]?.focus();
    if (event.key === "ArrowDown") to(at + 1);
    else if (event.key === "ArrowUp") to(at - 1);
    else if (event.key === "Home") to(0);
    else if (event.key === "End") to(-1);
    else if (event.key === "Escape") this.close(true);
    else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && event.key !== " ") {
      to(this.#match(event.key, at, choices));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #match(key: string, at: number, choices: readonly Choice[]): number {
    const now = performance.now();
    this.#typed = now - this.#typedAt > 700 ? key : this.#typed + key;
    this.#typedAt = now;
    const start = this.#typed.length === 1 ? at + 1 : at;
    for (let step = 0; step < choices.length; step++) {
      const index = (start + step) % choices.length;
      if (choices[index]?.text.toLowerCase().startsWith(this.#typed.toLowerCase())) return index;
    }
    return at;
  }
}
