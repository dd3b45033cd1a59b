/** The top row: what this is, where the engine stands, how much is drawn, and the menu. */

import { html, on } from "../core/element";
import { type Choice, Menu } from "../core/menu";
import type { Say } from "../core/words";
import { grouped } from "./figures";
import { glyph } from "./glyph";
import type { Session } from "./session";
import type { Key } from "./tree";

export interface HeaderActions {
  choices(): readonly Choice[];
  colour(by: Session["colour"]): void;
  select(key: Key | undefined): void;
}

const COLOURS = ["norm", "bytes", "order"] as const;

/** What boxes can be coloured by: without a backward there are no gradients. */
export function colours(session: Session): readonly Session["colour"][] {
  return session.frame.mode === "look" ? COLOURS.slice(1) : COLOURS;
}

/** From this many nodes on the header counts them and offers colours. */
export const LARGE = 24;

/** A line of the menu with the key that does the same. */
export function entry(words: string, key: string, choose: () => void): Choice {
  const hint = html("kbd", { class: "tl-key" }, key);
  return { content: () => (key === "" ? [words] : [words, hint]), text: words, choose };
}

export class Header {
  readonly element = html("div", { class: "tl-head" });
  #menu: Menu | undefined;
  #language = "";

  constructor(
    private readonly say: Say,
    private readonly session: Session,
    private readonly actions: HeaderActions,
  ) {}

  closeMenu(): void {
    this.#menu?.close();
  }

  /** @param roomy whether the colours have room here; else they stand beside the legend */
  show(lost: boolean, roomy: boolean): void {
    const { frame } = this.session;
    const large = frame.nodes > LARGE;
    const parts: (HTMLElement | SVGElement | undefined)[] = [
      glyph("loupe"),
      html("b", {}, this.say("title")),
      this.#trail() ?? html("code", { class: "tl-name" }, frame.name),
      html("span", { class: "tl-gap" }),
      this.#chip(lost),
      large ? html("span", { class: "tl-count" }, this.#counts()) : undefined,
      large && roomy ? this.colours() : undefined,
      this.#menuElement(),
    ];
    const kept = this.#menu?.element;
    for (const child of [...this.element.childNodes]) if (child !== kept) child.remove();
    const present = parts.filter((part) => part !== undefined);
    // The menu stays where it is, so that an open list outlives a redraw.
    if (kept?.parentElement === this.element) kept.before(...present.slice(0, -1));
    else this.element.replaceChildren(...present);
  }

  #counts(): string {
    const { frame, tree } = this.session;
    return this.say("counts", { nodes: grouped(frame.nodes), drawn: grouped(tree.drawn), n: frame.nodes });
  }

  /** Where the selected box stands: every group around it can be chosen. */
  #trail(): HTMLElement | undefined {
    const { frame, tree, selected } = this.session;
    if (selected === undefined || frame.nodes <= LARGE) return undefined;
    const keys = [...tree.trail(selected), selected];
    const row = html("nav", { class: "tl-trail", "aria-label": this.say("trail") });
    const place = (words: string, key: Key | undefined, last: boolean): void => {
      const button = html("button", { type: "button", "aria-current": last ? "true" : undefined }, words);
      on(button, "click", () => this.actions.select(key));
      row.append(button);
    };
    place(frame.roots[0]?.name ?? frame.name, undefined, false);
    keys.forEach((key, at) => {
      row.append(html("span", { "aria-hidden": "true" }, "›"));
      place(tree.named(key).title, key, at === keys.length - 1);
    });
    return row;
  }

  #chip(lost: boolean): HTMLElement | undefined {
    const { frame, place, engine } = this.session;
    const of = this.session.steps;
    const chip = (kind: string, words: string): HTMLElement =>
      html("span", { class: `tl-chip tl-${kind}`, role: "status" }, html("i", { "aria-hidden": "true" }), words);
    if (lost) return chip("over", this.say("chip_gone"));
    if (frame.phase === "waiting" && this.session.lookingBack) {
      return chip("live tl-hollow", this.say("looking_back", { step: place + 1, engine: engine + 1 }));
    }
    if (frame.phase === "waiting") return chip("live", this.say("chip_waiting", { step: engine + 1, of }));
    if (frame.phase === "running" && frame.mode === "live")
      return chip("live", this.say("chip_running", { step: engine, of }));
    if (frame.phase === "stopped") return chip("over", this.say("chip_stopped", { step: engine + 1, of }));
    if (frame.phase === "failed") return chip("bad", this.say("chip_failed", { step: this.#failed(), of }));
    if (frame.phase === "freed" && frame.mode === "look") return chip("over", this.say("chip_freed"));
    if (frame.mode === "look" || frame.phase === "empty") return undefined;
    if (frame.mode === "live" && place === of) return chip("done", this.say("chip_done", { of }));
    if (place >= of) return chip("done", this.say("chip_replayed", { of }));
    return chip("live", this.say("chip_replay", { step: place + 1, of }));
  }

  /** The step that failed. An explanation knows the node; no step of ours ran before it. */
  #failed(): number {
    const { frame, engine } = this.session;
    const at = frame.mode === "look" ? (frame.explanation?.node ?? -1) : engine;
    return Math.max(at, 0) + 1;
  }

  /** The switch between colours. */
  colours(): HTMLElement {
    const choices = colours(this.session);
    const group = html("div", { class: "tl-switch", role: "radiogroup", "aria-label": this.say("colour_by") });
    for (const by of choices) {
      const chosen = this.session.colour === by;
      const words = this.say(`colour_${by}`);
      const attributes = {
        type: "button",
        role: "radio",
        "aria-checked": String(chosen),
        tabindex: chosen ? 0 : -1,
      } as const;
      const button = html("button", { ...attributes, "data-key": by }, words);
      on(button, "click", () => this.actions.colour(by));
      on(button, "keydown", (event) => {
        const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        this.actions.colour(choices[(choices.indexOf(by) + step + choices.length) % choices.length] ?? by);
      });
      group.append(button);
    }
    return group;
  }

  #menuElement(): HTMLElement {
    const label = this.say("menu");
    if (this.#menu === undefined || this.#language !== label) {
      this.#menu?.element.remove();
      this.#menu = new Menu([glyph("more")], () => this.actions.choices(), label);
      this.#menu.button.classList.add("tl-icon-button");
      this.#language = label;
    }
    return this.#menu.element;
  }
}
