/** The parts of the lens on the page, and how they share the room. */

import { toClipboard } from "../core/clipboard";
import { html } from "../core/element";
import type { Reply } from "../core/link";
import type { Choice } from "../core/menu";
import type { Say } from "../core/words";
import { Announcer } from "./announcer";
import { CardPanel } from "./card";
import { codeBlock, type Marked } from "./codeline";
import { Controls } from "./controls";
import { Driving } from "./driving";
import { explanationBlock } from "./explanation";
import { keepingFocus } from "./focus";
import { GraphTable } from "./graphtable";
import { Header, LARGE } from "./header";
import { Legend } from "./legend";
import { SearchBox } from "./searchbox";
import type { Session } from "./session";
import { Stage } from "./stage";
import { type Circumstances, States } from "./states";
import { Timeline } from "./timeline";
import type { Key } from "./tree";

/** Below this width the card stands under the picture. */
const NARROW = 640;
/** Below this one controls have no hints. */
const TINY = 440;
/** Below this one the colours stand beside the legend. */
const ROOMY = 1100;

export interface PanelDoors {
  /** Opens the way to a box, chooses and shows it. */
  show(key: Key | undefined): void;
  choices(): readonly Choice[];
  send(message: Reply): void;
  leaveSearch(): void;
}

/** What the page knows beside the session. */
export interface Surroundings extends Circumstances {
  /** Whether tables are still on their way. */
  readonly busy: boolean;
}

export class Panels {
  readonly root = html("div", { class: "torchloupe-lens torchloupe-autograd", tabindex: -1 });
  readonly driving: Driving;
  readonly header: Header;
  readonly stage: Stage;
  readonly card: CardPanel;
  readonly search: SearchBox;
  readonly table: GraphTable;
  readonly announcer: Announcer;
  /** Whether the record is shown as a table. */
  tabled = false;
  /** Whether a person asked for the search box. */
  searching = false;
  width = 0;
  readonly #controls: Controls;
  readonly #timeline: Timeline;
  readonly #legend: Legend;
  readonly #states: States;
  readonly #strips = html("div", { class: "tl-strips" });
  readonly #explained = html("div", { class: "tl-explained" });
  readonly #code = html("div", { class: "tl-code-room" });
  readonly #run = html("div", { class: "tl-run-room" });
  readonly #holder = html("div", { class: "tl-stage-holder" });
  readonly #beside = html("div", { class: "tl-beside" });
  readonly #main = html("div", { class: "tl-main" }, this.#holder, html("div", { class: "tl-side" }, this.#beside));
  readonly #below = html("div", { class: "tl-below" });
  #lost = false;
  #place = -1;
  #explanation = "";

  constructor(
    private readonly say: Say,
    private readonly session: Session,
    doors: PanelDoors,
  ) {
    const { show } = doors;
    const go = (node: number): void => show(`n${node}`);
    this.driving = new Driving(say, session);
    const colour = (by: Session["colour"]): void => session.colourBy(by);
    this.header = new Header(say, session, { choices: () => doors.choices(), colour, select: show });
    this.announcer = new Announcer(say, session);
    this.#controls = new Controls(
      say,
      (act, fine) => this.driving.act(act, fine),
      (reason) => this.announcer.tell(reason),
    );
    this.#timeline = new Timeline(say, session, (place) => {
      this.driving.rest();
      session.moveTo(place);
    });
    const select = (key: Key | undefined): void => session.select(key);
    this.stage = new Stage(session, say, { select, toggle: (key) => session.toggle(key) });
    this.card = new CardPanel(say, session, { select: show, send: doors.send, close: () => session.select(undefined) });
    this.#legend = new Legend(say, session);
    this.search = new SearchBox(say, session, go, () => doors.leaveSearch());
    this.table = new GraphTable(say, session, show);
    const run = (): void => {
      this.root.dispatchEvent(new CustomEvent("torchloupe-run-cell", { bubbles: true }));
    };
    this.#states = new States(say, session, { go, run });
    this.root.append(
      this.header.element,
      this.#strips,
      this.#explained,
      this.#run,
      this.#main,
      this.#below,
      this.announcer.element,
    );
  }

  close(): void {
    for (const part of [this.stage, this.card, this.announcer]) part.close();
    this.driving.rest();
  }

  /** Draws everything as it is now. */
  draw(now: Surroundings): void {
    if (this.width > 0) keepingFocus(this.root, () => this.#draw(now));
  }

  #draw(now: Surroundings): void {
    const large = this.session.frame.nodes > LARGE;
    const empty = this.#states.empty();
    this.#lost = now.lost;
    const classes = {
      "tl-narrow": this.width < NARROW,
      "tl-tiny": this.width < TINY,
      "tl-stale": now.lost,
      "tl-large": large,
    };
    for (const [name, on] of Object.entries(classes)) this.root.classList.toggle(name, on);
    this.root.setAttribute("aria-busy", String(now.busy));
    this.header.show(now.lost, this.width >= ROOMY);
    this.#strips.replaceChildren(...this.#states.strips(now));
    this.#drawExplanation();
    this.#drawRun();
    this.#main.hidden = empty !== undefined;
    if (empty === undefined) this.#drawMain(large);
    this.#drawBelow(large, empty);
    this.announcer.step();
  }

  /** Drawn again only when it, or the language, is another: what was unfolded stays so. */
  #drawExplanation(): void {
    const { explanation } = this.session.frame;
    const name = explanation === null ? "" : this.say("title") + JSON.stringify(explanation);
    if (name === this.#explanation) return;
    this.#explanation = name;
    const copy = (text: string): void => void toClipboard(text, this.#explained);
    this.#explained.replaceChildren(
      ...(explanation === null ? [] : [explanationBlock(explanation, this.say, { copy })]),
    );
  }

  #drawRun(): void {
    const { moves } = this.driving;
    this.#run.hidden = !moves;
    if (!moves) return;
    this.#controls.show(this.driving.hindrances(this.#lost));
    const code = codeBlock(this.session.frame.code, this.#marked());
    this.#code.replaceChildren(...(code === undefined ? [] : [code]));
    if (this.#controls.element.parentElement !== this.#run)
      this.#run.replaceChildren(this.#code, this.#controls.element, this.#timeline.element);
    this.#timeline.show();
  }

  /** The code of the next node; of a leaf its name wherever it stands. */
  #marked(): Marked | undefined {
    const session = this.session;
    const { next } = session;
    if (next < 0) return undefined;
    const leaf = (session.graph?.leafOf(next) ?? -1) >= 0;
    const fragment = leaf ? session.tree.named(`n${next}`).title : session.code(next).fragment;
    return { fragment, everywhere: leaf };
  }

  #drawMain(large: boolean): void {
    const { session, stage } = this;
    const shown = this.tabled ? this.table.element : stage.element;
    if (shown.parentElement !== this.#holder) this.#holder.replaceChildren(shown);
    if (this.tabled) this.table.show();
    else stage.update();
    const moved = session.place !== this.#place && this.#place >= 0;
    this.#place = session.place;
    if (moved && session.follow && session.next >= 0) stage.reveal(session.tree.boxOf(session.next));
    this.#drawBeside(large);
  }

  /** Shows the search box at once, so that it can be focused. */
  showSearch(): void {
    this.#drawBeside(this.session.frame.nodes > LARGE);
  }

  #drawBeside(large: boolean): void {
    const searching = (large && this.width >= NARROW) || this.searching || this.session.query !== "";
    if (searching) this.search.show();
    this.card.show(this.#lost);
    const birth = this.#states.birth();
    const parts = [searching ? this.search.element : undefined, birth, this.card.element];
    const wanted = parts.filter((part) => part !== undefined);
    const beside = this.#beside;
    for (const child of [...beside.children]) if (!wanted.some((part) => part === child)) child.remove();
    // What stands where it should is not moved: a field would lose its focus.
    wanted.forEach((part, at) => {
      if (beside.children[at] !== part) beside.insertBefore(part, beside.children[at] ?? null);
    });
  }

  #drawBelow(large: boolean, empty: HTMLElement | undefined): void {
    const notes = this.#states.notes();
    this.#legend.show(large, this.width < ROOMY ? this.header.colours() : undefined);
    this.#below.replaceChildren(
      ...(empty === undefined ? [] : [empty]),
      ...(notes === undefined ? [] : [notes]),
      ...(empty === undefined ? [this.#legend.element] : []),
    );
  }
}
