/** What a person can do to the lens beside its own controls: keys and the menu. */

import type { Reply } from "../core/link";
import type { Choice } from "../core/menu";
import type { Say } from "../core/words";
import type { Act } from "./controls";
import { type Format, saveCanvas } from "./export";
import { colours, entry, LARGE } from "./header";
import { type Deed, keyList } from "./keyboard";
import type { Panels } from "./panels";
import type { Session } from "./session";
import type { Key } from "./tree";

const LARGER = 1.25;

export interface DeedDoors {
  /** Asks for a drawing. */
  ask(): void;
  send(message: Reply): void;
  /** Whether the kernel is gone. */
  lost(): boolean;
}

export class Deeds {
  #keys: HTMLElement | undefined;
  readonly #plain: Readonly<Record<Exclude<Deed, "escape">, () => void>>;

  constructor(
    private readonly say: Say,
    private readonly session: Session,
    private readonly panels: Panels,
    private readonly doors: DeedDoors,
  ) {
    const { stage } = panels;
    this.#plain = {
      step: () => this.#press("step", false),
      step_fine: () => this.#press("step", true),
      back: () => this.#press("back", false),
      out: () => this.#press("out", false),
      here: () => this.#press("here", false),
      run: () => this.#press("run", false),
      stop: () => this.#press("stop", false),
      down: () => stage.walk("down"),
      up: () => stage.walk("up"),
      left: () => stage.walk("left"),
      right: () => stage.walk("right"),
      toggle: () => this.#toggle(),
      open_to: () => this.#goTo(session.currentHit ?? session.next),
      way_up: () => this.#light("up"),
      way_down: () => this.#light("down"),
      current: () => this.#goTo(session.engineNode >= 0 ? session.engineNode : session.nodeAt(session.place)),
      first_nan: () => this.#goTo(session.firstBad),
      home: () => this.#focusEnd(0),
      end: () => this.#focusEnd(-1),
      search: () => this.#search(),
      zoom_in: () => stage.zoomBy(LARGER),
      zoom_out: () => stage.zoomBy(1 / LARGER),
      fit: () => stage.fit(),
      colour: () => this.#recolour(),
      keys: () => this.#openKeys(),
    };
  }

  /** Does it; false for an Escape with nothing left to clear. */
  do(deed: Deed): boolean {
    if (deed === "escape") return this.#escape();
    this.#plain[deed]();
    return true;
  }

  /** Opens the way to a box, chooses and shows it; undefined chooses nothing. */
  show(key: Key | undefined): void {
    const { session } = this;
    const { stage, tabled, table } = this.panels;
    if (key === undefined) {
      session.select(undefined);
      return;
    }
    const node = key.startsWith("n") ? Number(key.slice(1)) : -1;
    const seen = node >= 0 ? session.openTo(node) : session.reveal(key);
    session.select(key);
    stage.update();
    stage.reveal(seen);
    if (tabled && node >= 0) table.reveal(node);
  }

  #goTo(node: number): void {
    if (node >= 0) this.show(`n${node}`);
  }

  /** Does what a control does, or says why not. */
  #press(act: Act, fine: boolean): void {
    const { driving, announcer } = this.panels;
    if (!driving.moves) return;
    const reason = driving.hindrances(this.doors.lost())[act];
    if (reason !== undefined) announcer.tell(reason);
    else driving.act(act, fine);
  }

  #toggle(): void {
    const { session } = this;
    const key = this.panels.stage.focused ?? session.selected;
    if (key === undefined) return;
    if (session.tree.box(key)?.expandable) session.toggle(key);
    else session.select(key);
  }

  #light(way: "up" | "down"): void {
    const { session } = this;
    session.lit = session.lit === way ? "both" : way;
    this.doors.ask();
  }

  #recolour(): void {
    const { session } = this;
    const choices = colours(session);
    session.colourBy(choices[(choices.indexOf(session.colour) + 1) % choices.length] ?? session.colour);
  }

  #focusEnd(at: 0 | -1): void {
    const key = this.session.tree.keys().at(at);
    if (key === undefined) return;
    this.session.select(key);
    this.panels.stage.focusKey(key);
  }

  #search(): void {
    const { panels } = this;
    panels.searching = true;
    panels.showSearch();
    panels.search.focus();
  }

  /** Leaves the search box for the graph. */
  leaveSearch(): void {
    this.panels.searching = false;
    this.#refocus();
    this.doors.ask();
  }

  #refocus(): void {
    const { stage, root } = this.panels;
    if (stage.focused === undefined) root.focus();
    else stage.focusKey(stage.focused);
  }

  /** Clears the most passing thing there is. */
  #escape(): boolean {
    const { session } = this;
    if (this.#keys !== undefined) this.closeKeys(true);
    else if (session.query !== "") session.search("");
    else if (session.selected !== undefined) session.select(undefined);
    else return false;
    this.doors.ask();
    return true;
  }

  /** The menu. */
  choices(): Choice[] {
    const { session, say, panels } = this;
    const { frame } = session;
    const ask = (format: Format) => (): void => this.doors.send({ type: "export", format });
    const large = frame.nodes > LARGE;
    const choices: (Choice | undefined)[] = [
      entry(say("fit"), "0", () => panels.stage.fit()),
      large ? entry(say("search"), "/", () => this.#search()) : undefined,
      large && frame.mode !== "look" ? entry(say("fit_colours"), "", () => session.fitAgain()) : undefined,
      large ? entry(say("collapse_all"), "", () => session.closeAll()) : undefined,
      frame.mode === "look"
        ? undefined
        : entry(say(session.follow ? "unfollow" : "follow"), "", () => {
            session.follow = !session.follow;
            this.doors.ask();
          }),
      entry(say(panels.tabled ? "as_picture" : "as_table"), "", () => {
        panels.tabled = !panels.tabled;
        this.doors.ask();
      }),
      ...(this.doors.lost()
        ? []
        : (["svg", "png", "dot"] as const).map((format) => entry(say(`save_${format}`), "", ask(format)))),
      entry(say("save_seen"), "", () => {
        const canvas = panels.stage.element.querySelector("canvas");
        if (canvas !== null) saveCanvas(canvas, frame.name);
      }),
      entry(say("keys"), "?", () => this.#openKeys()),
    ];
    return choices.filter((choice) => choice !== undefined);
  }

  #openKeys(): void {
    this.closeKeys(false);
    this.#keys = keyList(this.say);
    this.panels.root.append(this.#keys);
    this.#keys.focus();
  }

  /** Takes the list of keys away. */
  closeKeys(refocus: boolean): void {
    this.#keys?.remove();
    this.#keys = undefined;
    if (refocus) this.#refocus();
  }
}
