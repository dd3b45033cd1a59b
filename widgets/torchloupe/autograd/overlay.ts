/** What a screen reader and the Tab key meet: at most 64 tree items, each over its box. */

import { html } from "../core/element";
import type { Say } from "../core/words";
import type { Rect } from "./scene";
import type { Key } from "./tree";

/** No more items than this are in the page at once. */
export const MOST_ITEMS = 64;

/** A box as an item of the tree. */
export interface Spot {
  readonly key: Key;
  /** On the screen, from the corner of the stage. */
  readonly rect: Rect;
  readonly level: number;
  readonly position: number;
  readonly siblings: number;
  /** Undefined for what cannot be opened. */
  readonly expanded: boolean | undefined;
  readonly selected: boolean;
}

export class Overlay {
  readonly #tree = html("div", { role: "tree", class: "tl-tree" });
  readonly element = html("div", { role: "application", class: "tl-overlay" }, this.#tree);
  readonly #items = new Map<Key, HTMLElement>();
  #home: Key | undefined;
  #reached: { key: Key; by: string } | undefined;

  constructor(
    private readonly say: Say,
    /** The name of a box, asked for only when its item is made or changes. */
    private readonly nameOf: (key: Key) => string,
  ) {}

  /** Shows `spots`, in reading order. The focused item stays even when it is not among them. */
  show(spots: readonly Spot[]): void {
    this.element.setAttribute("aria-roledescription", this.say("graph"));
    this.#tree.setAttribute("aria-label", this.say("graph"));
    const focused = this.focused;
    const wanted = new Set(spots.map(({ key }) => key));
    for (const [key, item] of this.#items) {
      if (wanted.has(key) || key === focused) continue;
      item.remove();
      this.#items.delete(key);
    }
    if (this.#home === undefined || !wanted.has(this.#home)) {
      this.#home = focused ?? spots.find(({ selected }) => selected)?.key ?? spots[0]?.key;
    }
    let before: Element | null = this.#tree.firstElementChild;
    for (const spot of spots) {
      const item = this.#item(spot);
      if (item === before) before = item.nextElementSibling;
      else this.#tree.insertBefore(item, before);
    }
    // An item that was moved in the page has lost the focus.
    if (focused !== undefined && this.focused !== focused) this.focus(focused);
  }

  #item(spot: Spot): HTMLElement {
    let item = this.#items.get(spot.key);
    if (item === undefined) {
      item = html("div", { role: "treeitem", class: "tl-item", "data-key": spot.key });
      this.#items.set(spot.key, item);
    }
    const { x, y, w, h } = spot.rect;
    item.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
    item.style.width = `${Math.round(w)}px`;
    item.style.height = `${Math.round(h)}px`;
    const name = this.nameOf(spot.key);
    const reached = this.#reached?.key === spot.key ? `${this.#reached.by}. ` : "";
    write(item, "aria-label", reached + name);
    write(item, "aria-level", String(spot.level));
    write(item, "aria-posinset", String(spot.position));
    write(item, "aria-setsize", String(spot.siblings));
    write(item, "aria-expanded", spot.expanded === undefined ? undefined : String(spot.expanded));
    write(item, "aria-selected", String(spot.selected));
    write(item, "tabindex", spot.key === this.#home ? "0" : "-1");
    return item;
  }

  /** The key of the item that has the focus. */
  get focused(): Key | undefined {
    const { activeElement } = document;
    if (!(activeElement instanceof HTMLElement) || !this.#tree.contains(activeElement)) return undefined;
    return activeElement.dataset.key;
  }

  /** The item that Tab comes back to. */
  get home(): Key | undefined {
    return this.#home;
  }

  /** Makes `key` the item that Tab comes back to, from the next `show` on; `by` tells the edge that led there. */
  goTo(key: Key, by: string | undefined): void {
    this.#home = key;
    this.#reached = by === undefined ? undefined : { key, by };
  }

  /** Moves the focus to `key`, if its item is there. */
  focus(key: Key): void {
    this.#items.get(key)?.focus({ preventScroll: true });
  }
}

function write(element: HTMLElement, name: string, value: string | undefined): void {
  if (value === undefined) element.removeAttribute(name);
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}
