/** The two rows on top: the line of code and what it did, and the operations to try. */

import { html, on } from "../core/element";
import { icon } from "../core/icon";
import { type Choice, Menu } from "../core/menu";
import type { Say } from "../core/words";
import { hueClass, short } from "./axis";
import { badge, codeLine, copyButton, editableLine } from "./code";
import type { Frame, MenuEntry, TensorState } from "./state";

export interface Actions {
  apply(operation: string, args: readonly string[], tensor: number): void;
  edit(index: number, text: string): void;
  actOn(tensor: number): void;
  undo(): void;
  redo(): void;
}

const FAMILIES = ["reorder", "reshape", "pick", "repeat", "copy"] as const;

export class Bar {
  readonly element = html("div", { class: "tl-bar" });
  readonly #invalid = html("div", { class: "tl-invalid", role: "alert" });
  #menus: Menu[] = [];

  constructor(
    private readonly say: Say,
    private readonly actions: Actions,
  ) {}

  /** Draws both rows; `narrow` folds the families into one menu. */
  show(frame: Frame, narrow: boolean, stale: boolean): void {
    const focus = this.#focused();
    this.#invalid.textContent = "";
    this.#menus = [];
    const rows: HTMLElement[] = [this.#codeRow(frame, narrow, stale), this.#invalid];
    if (!stale && frame.menu.length > 0) rows.push(this.#operationRow(frame, narrow));
    this.element.replaceChildren(...rows);
    if (focus !== undefined) this.element.querySelector<HTMLElement>(focus)?.focus();
  }

  /** Says why an edited number was not taken. */
  showInvalid(words: string): void {
    this.#invalid.textContent = words;
  }

  closeMenus(): void {
    for (const menu of this.#menus) menu.close();
  }

  /** A selector that finds the focused control again after a redraw. */
  #focused(): string | undefined {
    const active = document.activeElement;
    if (!(active instanceof HTMLElement) || !this.element.contains(active)) return undefined;
    const label = active.dataset.key ?? active.getAttribute("aria-label");
    if (label === null) return undefined;
    return active.dataset.key ? `[data-key="${CSS.escape(label)}"]` : `[aria-label="${CSS.escape(label)}"]`;
  }

  #codeRow(frame: Frame, narrow: boolean, stale: boolean): HTMLElement {
    const { step } = frame;
    const row = html("div", { class: "tl-code-row" });
    const field = html("div", { class: "tl-field" });
    if (step === null) {
      field.append(this.#rootsLine(frame.tensors));
      row.append(field, html("span", { class: "tl-price" }, this.#rootsFact(frame.tensors)));
    } else {
      const label = (at: number): string => this.#argumentLabel(frame, at);
      const line = stale ? codeLine(step.tokens) : editableLine(step.tokens, step.arguments, label, this.actions.edit);
      field.append(
        line,
        copyButton(() => frame.script, this.say("copy_line"), this.say("copied")),
      );
      row.append(field, badge(step.outcome, this.say));
      if (!narrow || step.outcome === "refused")
        row.append(html("span", { class: "tl-price" }, this.say(step.price.id, step.price.args)));
    }
    if (!stale) row.append(this.#history(frame, narrow));
    return row;
  }

  #argumentLabel(frame: Frame, at: number): string {
    const argument = frame.step?.arguments[at];
    const number = { number: at + 1 };
    if (argument === undefined || argument.low === null || argument.high === null) return this.say("argument", number);
    return this.say("argument_between", { ...number, low: argument.low, high: argument.high });
  }

  #rootsLine(tensors: readonly TensorState[]): HTMLElement {
    const line = html("code", { class: "tl-code" });
    tensors.forEach((tensor, at) => {
      if (at > 0) line.append(", ");
      line.append(html("span", { class: `${hueClass(tensor.id)} tl-hue-text tl-bold` }, short(tensor.name, 24)));
    });
    return line;
  }

  #rootsFact(tensors: readonly TensorState[]): string {
    const storages = new Set(tensors.filter((tensor) => tensor.storage >= 0).map((tensor) => tensor.storage));
    if (tensors.length < 2 || storages.size === 0) return this.say("try");
    return storages.size === 1
      ? this.say("one_storage", { count: tensors.length })
      : this.say("storages", { count: storages.size });
  }

  #history(frame: Frame, narrow: boolean): HTMLElement {
    const button = (name: "undo" | "redo", enabled: boolean): HTMLButtonElement => {
      const label = this.say(name);
      const made = html("button", {
        type: "button",
        class: "tl-quiet-button",
        "data-key": name,
        "aria-label": label,
        disabled: !enabled,
      });
      made.append(icon(name));
      if (!narrow && name === "undo") made.append(label);
      on(made, "click", () => this.actions[name]());
      return made;
    };
    const parts = [...(frame.can_redo ? [button("redo", true)] : []), button("undo", frame.can_undo)];
    return html("span", { class: "tl-history" }, ...parts.reverse());
  }

  #operationRow(frame: Frame, narrow: boolean): HTMLElement {
    const row = html("div", { class: "tl-operation-row", role: "toolbar", "aria-label": this.say("operations") });
    const families = narrow ? [undefined] : FAMILIES;
    for (const family of families) {
      const entries = frame.menu.filter((entry) => family === undefined || entry.family === family);
      if (entries.length === 0) continue;
      const words = this.say(family === undefined ? "operation" : `family_${family}`);
      const menu = new Menu([words], () => entries.map((entry) => this.#choice(entry, frame.active)));
      menu.button.dataset.key = family ?? "operation";
      this.#menus.push(menu);
      row.append(menu.element);
    }
    row.append(this.#actsOn(frame));
    return row;
  }

  #choice(entry: MenuEntry, tensor: number): Choice {
    return {
      content: () => [html("code", { class: "tl-code" }, entry.label), badge(entry.outcome, this.say)],
      text: entry.label.replace(/^[.\w]*\./, ""),
      choose: () => this.actions.apply(entry.operation, entry.arguments, tensor),
    };
  }

  #actsOn(frame: Frame): HTMLElement {
    const tag = (id: number): HTMLElement => {
      const name = frame.tensors.find((tensor) => tensor.id === id)?.name ?? "";
      return html("span", { class: `tl-tag ${hueClass(id)}`, title: name }, short(name, 16));
    };
    const box = html("span", { class: "tl-acts-on" }, this.say("acts_on"));
    if (frame.candidates.length < 2) {
      box.append(tag(frame.active));
      return box;
    }
    const choices = (): Choice[] =>
      frame.candidates.map((id) => ({
        content: () => [tag(id)],
        text: frame.tensors.find((tensor) => tensor.id === id)?.name ?? "",
        choose: () => this.actions.actOn(id),
      }));
    const menu = new Menu([tag(frame.active)], choices, this.say("acts_on"));
    menu.button.dataset.key = "acts-on";
    this.#menus.push(menu);
    box.append(menu.element);
    return box;
  }
}
