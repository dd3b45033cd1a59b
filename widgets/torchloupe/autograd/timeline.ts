/** The steps of a backward: a badge each when they are few, else a strip of columns; drag to scrub. */

import { html, on } from "../core/element";
import type { Say } from "../core/words";
import { grouped } from "./figures";
import type { Session } from "./session";
import type { Key } from "./tree";

/** Up to this many steps get a badge each. */
export const MOST_BADGES = 12;
const STRIP_H = 14;
const LETTER_W = 6.5;
/** Place of a fold among the kinds of groups. */
const FOLD = 5;

interface Run {
  readonly from: number;
  to: number;
  readonly unit: Key;
  readonly outermost: Key;
}

export class Timeline {
  readonly element = html("div", {
    class: "tl-timeline",
    role: "slider",
    tabindex: 0,
    "aria-orientation": "horizontal",
  });
  readonly #canvas = html("canvas", { class: "tl-columns", "aria-hidden": "true" });
  #names = "";

  constructor(
    private readonly say: Say,
    private readonly session: Session,
    /** Calls for another place, 0 to the number of steps. */
    private readonly moveTo: (place: number) => void,
  ) {
    let held = false;
    const scrub = (event: PointerEvent): void => this.moveTo(this.#placeAt(event.clientX));
    on(this.element, "pointerdown", (event) => {
      if (event.button !== 0) return;
      held = true;
      this.element.setPointerCapture(event.pointerId);
      scrub(event);
    });
    on(this.element, "pointermove", (event) => {
      if (held) scrub(event);
    });
    for (const end of ["pointerup", "pointercancel"] as const) on(this.element, end, () => (held = false));
    on(this.element, "keydown", (event) => this.#onKey(event));
  }

  /** The place just before the step that stands at `x` of the screen; the right end is the end of the backward. */
  #placeAt(x: number): number {
    const { steps } = this.session;
    const box = this.element.getBoundingClientRect();
    if (steps <= MOST_BADGES) {
      const badges = [...this.element.querySelectorAll(".tl-stop")];
      const away = badges.map((badge) => {
        const { left, width } = badge.getBoundingClientRect();
        return Math.abs(left + width / 2 - x);
      });
      return away.indexOf(Math.min(...away));
    }
    const { paddingLeft, paddingRight } = getComputedStyle(this.element);
    const [left, right] = [box.left + Number.parseFloat(paddingLeft), box.right - Number.parseFloat(paddingRight)];
    const share = (x - left) / Math.max(right - left, 1);
    return Math.min(Math.max(Math.round(share * steps), 0), steps);
  }

  #onKey(event: KeyboardEvent): void {
    const { place, steps } = this.session;
    const to = { ArrowLeft: place - 1, ArrowRight: place + 1, Home: 0, End: steps }[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    this.moveTo(Math.max(to, 0));
    event.preventDefault();
    event.stopPropagation();
  }

  show(): void {
    const { element, session } = this;
    const { place, steps } = session;
    element.classList.toggle("tl-few", steps <= MOST_BADGES);
    element.setAttribute("aria-label", this.say("timeline"));
    element.setAttribute("aria-valuemin", "0");
    element.setAttribute("aria-valuemax", String(steps));
    element.setAttribute("aria-valuenow", String(place));
    const node = session.next;
    const title = node < 0 ? "" : session.tree.named(`n${node}`).title;
    const words =
      place >= steps
        ? this.say("all_done", { of: steps })
        : this.say("before_step", { step: place + 1, of: steps, title });
    element.setAttribute("aria-valuetext", words);
    if (steps <= MOST_BADGES) this.#badges();
    else this.#strip();
  }

  #badges(): void {
    const { session } = this;
    const { place, engine, steps } = session;
    const gaps = Math.max(steps - 1, 1);
    this.element.style.setProperty("--gaps", String(gaps));
    const stops = Array.from({ length: steps }, (_, at) => {
      const state = at < place ? "done" : at === place ? "next" : "waiting";
      const here = session.lookingBack && at === engine ? " tl-engine" : "";
      const node = session.nodeAt(at + 1);
      const label = node < 0 ? "" : session.tree.named(`n${node}`).title;
      const stop = html("span", {
        class: `tl-stop tl-is-${state}${here}${session.lookingBack && at === place ? " tl-hollow" : ""}`,
      });
      stop.append(html("b", {}, String(at + 1)), html("span", {}, label));
      stop.style.left = `calc(14px + (100% - 56px) * ${at / gaps})`;
      return stop;
    });
    this.element.replaceChildren(...stops);
  }

  // The strip

  #strip(): void {
    if (this.#canvas.parentElement !== this.element)
      this.element.replaceChildren(this.#canvas, html("div", { class: "tl-spans" }));
    const { place, engine, steps, lookingBack } = this.session;
    const share = (at: number): string => `${(100 * at) / Math.max(steps, 1)}%`;
    const spans = this.element.lastElementChild as HTMLElement;
    const width = this.#canvas.clientWidth;
    const runs = this.#runs(Math.max(width, 1));
    this.#draw(width, runs);
    const named = runs.filter(({ outermost }, at) => outermost !== runs[at - 1]?.outermost);
    const names = named.map(({ from, outermost }, at) => {
      const to = named[at + 1]?.from ?? width;
      const name = this.session.tree.named(outermost).title;
      const span = html("span", {}, to - from > name.length * LETTER_W + 8 ? name : "");
      span.style.left = `${from}px`;
      span.style.width = `${to - from}px`;
      return span;
    });
    const at = html("i", { class: lookingBack ? "tl-marker tl-hollow" : "tl-marker" });
    at.style.left = share(place);
    const ahead = lookingBack ? html("i", { class: "tl-marker" }) : undefined;
    if (ahead) ahead.style.left = share(engine);
    const said = html("em", {}, `${grouped(place)} / ${grouped(steps)}`);
    spans.replaceChildren(...names, ...(ahead ? [ahead] : []), at, said);
  }

  /** Columns that stand in one unit, and the outermost box it is in. */
  #runs(width: number): Run[] {
    const { session } = this;
    const runs: Run[] = [];
    for (let column = 0; column < width; column++) {
      const node = session.nodeAt(1 + Math.min(Math.floor((column * session.steps) / width), session.steps - 1));
      const box = session.tree.boxOf(node);
      const outermost = session.tree.trail(box)[0] ?? box;
      const unit = this.#unit(node) ?? outermost;
      const last = runs.at(-1);
      if (last?.unit === unit && last.outermost === outermost) last.to = column + 1;
      else runs.push({ from: column, to: column + 1, unit, outermost });
    }
    return runs;
  }

  /** The member of a fold, or the outermost group, that a node stands in; a parameter goes with its consumer. */
  #unit(node: number): Key | undefined {
    const { graph } = this.session;
    if (graph === undefined) return undefined;
    const { parent, kind } = graph.groups;
    const held = graph.leafOf(node) >= 0 ? (graph.edges.source[graph.into(node)[0] ?? -1] ?? node) : node;
    let group = graph.nodes.group[held] ?? 0;
    if (group <= 0) return undefined;
    while (parent[group] !== 0 && kind[parent[group] ?? 0] !== FOLD) group = parent[group] ?? 0;
    return `g${group}`;
  }

  #draw(width: number, runs: readonly Run[]): void {
    const { place, engine, steps } = this.session;
    const ratio = window.devicePixelRatio;
    const style = getComputedStyle(this.element);
    const ink = (name: string): string => style.getPropertyValue(name).trim();
    const names = [width, ratio, place, engine, steps, ink("--tl-done"), runs.length].join();
    if (width === 0 || names === this.#names) return;
    this.#names = names;
    this.#canvas.width = Math.round(width * ratio);
    this.#canvas.height = Math.round(STRIP_H * ratio);
    const context = this.#canvas.getContext("2d");
    if (context === null) return;
    context.scale(ratio, ratio);
    const paint = (from: number, to: number, colour: string, alpha: number): void => {
      context.globalAlpha = alpha;
      context.fillStyle = colour;
      context.fillRect(from, 0, Math.max(to - from, 0), STRIP_H);
    };
    const done = (width * place) / Math.max(steps, 1);
    runs.forEach(({ from, to }, at) => {
      paint(from, Math.min(to, done), ink("--tl-done"), at % 2 === 0 ? 0.9 : 0.62);
      paint(Math.max(from, done), to, ink("--tl-edge"), at % 2 === 0 ? 0.42 : 0.22);
    });
  }
}
