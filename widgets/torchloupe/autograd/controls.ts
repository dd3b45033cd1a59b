/** Back, Step, Step out of module, Run to here, Run and Stop; live they move the engine, in a replay the place. */

import { html, on } from "../core/element";
import type { Say } from "../core/words";
import { type GlyphName, glyph } from "./glyph";

export const ACTS = ["back", "step", "out", "here", "run", "stop"] as const;
export type Act = (typeof ACTS)[number];

/** Why a control does nothing now, worded; undefined when it does something. */
export type Hindrances = Readonly<Record<Act, string | undefined>>;

const GLYPHS: Readonly<Record<Act, GlyphName>> = {
  back: "back",
  step: "step",
  out: "out",
  here: "here",
  run: "run",
  stop: "stop",
};

export class Controls {
  readonly element = html("div", { class: "tl-controls", role: "toolbar" });
  readonly #buttons = new Map<Act, HTMLButtonElement>();

  constructor(
    private readonly say: Say,
    /** Called for a control that does something, with whether Alt was held. */
    private readonly act: (act: Act, fine: boolean) => void,
    /** Called for one that does nothing, with the reason. */
    private readonly refuse: (reason: string) => void,
  ) {
    for (const name of ACTS) {
      const button = html("button", { type: "button", class: `tl-control tl-act-${name}` });
      on(button, "click", (event) => {
        const reason = button.getAttribute("aria-disabled") === "true" ? button.title : undefined;
        if (reason === undefined) this.act(name, event.altKey);
        else this.refuse(reason);
      });
      this.#buttons.set(name, button);
      this.element.append(button);
    }
  }

  show(hindrances: Hindrances): void {
    this.element.setAttribute("aria-label", this.say("controls"));
    for (const [name, button] of this.#buttons) {
      const words = this.say(`act_${name}`);
      const reason = hindrances[name];
      if (button.dataset.words !== words) {
        button.dataset.words = words;
        button.replaceChildren(glyph(GLYPHS[name]), html("span", {}, words));
        if (name === "step")
          button.append(html("kbd", { class: "tl-key", "aria-hidden": "true" }, this.say("key_space")));
      }
      // A disabled control keeps its place and its focus, and says why.
      button.setAttribute("aria-disabled", String(reason !== undefined));
      button.title = reason ?? "";
    }
  }
}
