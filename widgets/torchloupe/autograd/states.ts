/** What stands where the picture is not all there is: strips above it, sentences instead of it. */

import { html, on } from "../core/element";
import type { Arguments, Say } from "../core/words";
import { grouped } from "./figures";
import { LARGE } from "./header";
import type { Session } from "./session";
import type { Failure, Sentence } from "./state";

/** The one note that stands above the picture. */
const REBOUND = "note.rebound";

export interface StateActions {
  go(node: number): void;
  run(): void;
}

/** What the page knows beside the frame. */
export interface Circumstances {
  /** The kernel has ended. */
  readonly lost: boolean;
  /** When this view last heard from it, as hours and minutes. */
  readonly heard: string;
  /** The kernel never answered while its cell runs. */
  readonly deaf: boolean;
  /** Whether the host can run the cell again. */
  readonly runnable: boolean;
}

export class States {
  constructor(
    private readonly say: Say,
    private readonly session: Session,
    private readonly actions: StateActions,
  ) {}

  #worded({ id, args }: Sentence): string {
    return this.say(id, args as Arguments);
  }

  /** Instead of the picture when there is no graph; undefined when there is one. */
  empty(): HTMLElement | undefined {
    const { frame } = this.session;
    if (frame.why_empty === null) return undefined;
    const lines = [html("p", { class: "tl-why" }, this.#worded(frame.why_empty))];
    if (frame.way_out !== null) lines.push(html("p", { class: "tl-quiet" }, this.#worded(frame.way_out)));
    if (frame.others.length > 0) {
      lines.push(
        html("p", { class: "tl-quiet" }, `${this.say("others")}: `, html("code", {}, frame.others.join(", "))),
      );
    }
    return html("div", { class: "tl-empty" }, ...lines);
  }

  /** Strips above the picture, most important first. */
  strips(now: Circumstances): HTMLElement[] {
    const { session, say } = this;
    const { frame } = session;
    const strips: HTMLElement[] = [];
    if (now.lost) strips.push(this.#gone(now));
    else if (now.deaf && (frame.phase === "waiting" || frame.phase === "running"))
      strips.push(strip("", say("host_is_deaf")));
    if (frame.failure !== null && frame.explanation === null) strips.push(this.#failure(frame.failure));
    if (frame.phase === "stopped")
      strips.push(strip("", say("stopped", { step: session.engine + 1 }), say("stopped_price")));
    if (frame.phase === "freed") strips.push(strip("", say("freed"), say("freed_way")));
    for (const note of frame.notes) if (note.id === REBOUND) strips.push(strip("", this.#worded(note)));
    return strips;
  }

  #gone({ heard, runnable }: Circumstances): HTMLElement {
    const { say } = this;
    const run = runnable ? this.#button(say("run_cell"), () => this.actions.run(), "tl-primary-button") : undefined;
    return strip("", say("kernel_gone", { time: heard }), runnable ? undefined : say("run_again"), run);
  }

  #failure(failure: Failure): HTMLElement {
    const { say, session } = this;
    const go = failure.node >= 0 ? this.#button(say("show_node"), () => this.actions.go(failure.node)) : undefined;
    const made = strip(
      "tl-red",
      this.#worded(failure.heading),
      failure.detail === null ? undefined : this.#worded(failure.detail),
      go,
    );
    made.setAttribute("role", session.frame.phase === "failed" ? "alert" : "status");
    const said = html("details", {}, html("summary", {}, say("pytorch_said")), html("pre", {}, failure.error));
    if (failure.traceback !== "") said.append(html("pre", {}, failure.traceback));
    made.append(said);
    return made;
  }

  #button(words: string, act: () => void, kind = "tl-button"): HTMLElement {
    const button = html("button", { type: "button", class: kind }, words);
    on(button, "click", act);
    return button;
  }

  /** Where the first NaN was born, over the card. */
  birth(): HTMLElement | undefined {
    const { session, say } = this;
    const node = session.firstBad;
    if (node < 0) return undefined;
    const scope = session.graph?.string(session.graph.nodes.scope[node] ?? -1) ?? "";
    const { title, suffix } = session.tree.named(`n${node}`);
    const name = scope === "" ? `${title}${suffix}` : scope;
    const step = { step: grouped(session.stepOf(node)), of: grouped(session.steps) };
    const button = this.#button(say("show_node"), () => this.actions.go(node));
    return html(
      "div",
      { class: "tl-birth" },
      html("h3", {}, say("first_nan", step)),
      html("p", {}, say("first_nan_detail", { name })),
      button,
    );
  }

  /** What is true of the gradients, in words. */
  notes(): HTMLElement | undefined {
    const { session } = this;
    const { frame } = session;
    const told = [
      ...frame.notes.filter(({ id }) => id !== REBOUND),
      ...(frame.nodes > LARGE ? session.sentences() : []),
    ];
    if (told.length === 0) return undefined;
    return html("div", { class: "tl-notes" }, ...told.map((note) => html("p", {}, this.#worded(note))));
  }
}

function strip(kind: string, first: string, second?: string, button?: HTMLElement): HTMLElement {
  const words = html("div", {}, html("b", {}, first));
  if (second !== undefined) words.append(" ", html("span", {}, second));
  return html("div", { class: `tl-strip ${kind}`, role: "status" }, words, button);
}
