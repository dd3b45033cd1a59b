/** The graph on a canvas: draws the session, answers hands and keys, tells the view what was meant. */

import { html, on } from "../core/element";
import type { Say } from "../core/words";
import { type Anatomy, Sizer } from "./anatomy";
import { Framing, TALLEST } from "./framing";
import { Handles } from "./handles";
import { type Inks, measurer, onTheme, readInks } from "./ink";
import { spotOf } from "./keys";
import { Minimap } from "./minimap";
import { Pace, reducedMotion } from "./motion";
import { Overlay } from "./overlay";
import { Reading } from "./reading";
import { Rooted } from "./roots";
import { type Hit, Scene } from "./scene";
import type { Session } from "./session";
import { Sheet } from "./sheet";
import { Speech } from "./speech";
import { spots } from "./spots";
import type { Key, Tree } from "./tree";
import { type Direction, Walk } from "./walk";
import { hands, Zoom } from "./zoom";

/** What a person does to the graph; the view does it to the session and calls `update`. */
export interface StageActions {
  select(key: Key | undefined): void;
  toggle(key: Key): void;
}

const NARROW = 560;
const TWICE_MS = 400;
/** Items of the tree follow a moving picture when it rests this long. */
const REST_MS = 120;

export class Stage {
  readonly element = html("div", { class: "tl-graph" });
  readonly zoom = new Zoom();
  readonly #measure = measurer();
  readonly #read: Reading;
  readonly #speech: Speech;
  readonly #sheet: Sheet;
  readonly #overlay: Overlay;
  readonly #handles: Handles;
  readonly #minimap: Minimap;
  readonly #framing = new Framing(this.element, this.zoom);
  readonly #gone = new AbortController();
  readonly #pace = new Pace();
  #inks: Inks | undefined;
  #tree: Tree | undefined;
  #scene: Scene | undefined;
  #anatomy: Anatomy = "middle";
  #place = -1;
  #epoch = -1;
  #held: Key | undefined;
  #lit = -1;
  #moved = false;
  #asked = 0;
  /** The items are not those of the session. */
  #stale = false;
  #last: { readonly key: Key; readonly at: number } = { key: "", at: 0 };
  #rest: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly session: Session,
    private readonly say: Say,
    private readonly actions: StageActions,
  ) {
    this.#read = new Reading(session, say);
    this.#speech = new Speech(session, say);
    this.#sheet = new Sheet(this.#read, say, this.#measure);
    this.#overlay = new Overlay(say, (key) => this.#speech.box(key));
    this.#minimap = new Minimap(this.zoom, () => this.#shift());
    this.#handles = new Handles(say, {
      zoomBy: (factor) => this.zoomBy(factor),
      fit: () => this.fit(),
      setHeight: (height) => this.setHeight(height),
      height: () => this.zoom.stage.height,
    });
    const { buttons, grip } = this.#handles;
    this.element.append(this.#sheet.canvas, this.#overlay.element, buttons, this.#minimap.element, grip);
    this.#listen();
  }

  #listen(): void {
    const { signal } = this.#gone;
    hands(this.element, this.zoom, {
      moved: () => this.#shift(),
      pressed: (x, y, event) => this.#pressed(x, y, event),
      hovered: (x, y) => this.#point(this.#hit(x, y)),
      left: () => this.#point(undefined),
    });
    onTheme(() => this.#restyle(), signal);
    const observer = new ResizeObserver(() => this.resize());
    observer.observe(this.element);
    signal.addEventListener("abort", () => observer.disconnect());
    on(this.element, "focusin", ({ target }) => {
      const key = target instanceof HTMLElement ? target.dataset.key : undefined;
      if (key !== undefined) this.#held = key;
    });
  }

  /** Lets go of everything the stage listens to. */
  close(): void {
    this.#gone.abort();
    cancelAnimationFrame(this.#asked);
    clearTimeout(this.#rest);
    this.#asked = -1;
  }

  // What changed

  /** Draws the session as it is now; boxes glide to new places, gradients travel when one step was made. */
  update(): void {
    const { session } = this;
    this.#handles.write();
    const anew = this.#epoch !== session.frame.epoch || this.#scene === undefined;
    if (anew || this.#tree !== session.tree) {
      this.#tree = session.tree;
      this.#epoch = session.frame.epoch;
      this.#build(anew);
    } else if (this.#scene !== undefined) {
      this.#rearrange(this.#scene);
    }
    const stepped = session.place === this.#place + 1;
    this.#place = session.place;
    this.#sheet.step(stepped && this.#anatomy === "near" && this.#pace.slow() && !reducedMotion());
    const { tree, place, colour, query, frame } = session;
    this.#minimap.forget([frame.epoch, frame.rows.steps, tree.version, place, colour, query].join());
    this.#stale = true;
    this.#ask();
  }

  /** Lays everything out; `anew` also decides how the graph is drawn and where the window begins. */
  #build(anew: boolean): void {
    const inks = this.#ink();
    const narrow = this.element.clientWidth < NARROW;
    const { tree, frame } = this.session;
    const laidOut = (anatomy: Anatomy): Scene =>
      new Scene(new Rooted(tree, frame.roots), new Sizer(anatomy, inks, this.#measure, this.say, this.#read, narrow));
    if (anew) {
      this.#moved = false;
      this.#anatomy = this.#read.small ? "near" : "middle";
    }
    this.#scene = laidOut(this.#anatomy);
    if (anew && this.#anatomy === "near" && this.#scene.height > TALLEST.near) {
      this.#anatomy = "middle";
      this.#scene = laidOut("middle");
    }
    this.#framing.measure(this.#scene);
    if (!this.#moved) this.#framing.goHome(this.#scene);
  }

  /** Lays out what was opened or closed; the box that was meant stays where it is on the screen. */
  #rearrange(scene: Scene): void {
    const { root, open } = scene;
    scene.update();
    if (scene.root === root) return;
    const { seen } = this.#sheet;
    const { zoom } = this;
    const old = { x: zoom.x, y: zoom.y };
    const turned = [...scene.open].find((key) => !open.has(key)) ?? [...open].find((key) => !scene.open.has(key));
    const meant = [turned, this.#held, this.session.selected, ...seen.keys()];
    const anchor = meant.find((key) => key !== undefined && seen.has(key) && scene.find(key) !== undefined);
    this.#framing.measure(scene);
    if (anchor !== undefined) this.#framing.keep(seen.get(anchor), scene.find(anchor)?.rect);
    if (!this.#moved && !zoom.overflows) this.#framing.goHome(scene);
    if (reducedMotion()) {
      this.#sheet.outline(turned ?? anchor);
      return;
    }
    const [dx, dy] = [(old.x - zoom.x) / zoom.k, (old.y - zoom.y) / zoom.k];
    const before = [...seen].map(([key, rect]) => [key, { ...rect, x: rect.x + dx, y: rect.y + dy }] as const);
    this.#sheet.glideFrom(new Map(before), scene.open.size > open.size);
  }

  #ink(): Inks {
    this.#inks ??= readInks(this.element);
    return this.#inks;
  }

  #restyle(): void {
    this.#inks = undefined;
    this.#minimap.forget("");
    if (this.#scene !== undefined) this.#build(false);
    this.#ask();
  }

  // Size

  /** Takes the width it was given; its height follows the graph until a person sets it. */
  resize(): void {
    const { clientWidth: width, clientHeight: height } = this.element;
    const { stage } = this.zoom;
    if (width === 0 || this.#scene === undefined || (width === stage.width && height === stage.height)) return;
    if (width < NARROW !== stage.width < NARROW) this.#build(false);
    this.#framing.measure(this.#scene);
    if (!this.#moved) this.#framing.goHome(this.#scene);
    this.#draw();
    this.#placeItems();
  }

  /** Fixes the height, in px; undefined lets it follow the graph again. */
  setHeight(height: number | undefined): void {
    this.#framing.setHeight(height);
    if (this.#scene === undefined) return;
    this.#framing.measure(this.#scene);
    if (!this.#moved) this.#framing.goHome(this.#scene);
    this.#draw();
    this.#placeItems();
  }

  // Doors

  /** Shows the whole picture. */
  fit(): void {
    this.#framing.whole();
    this.#shift();
  }

  zoomBy(factor: number): void {
    this.zoom.by(factor);
    this.#shift();
  }

  /** The whole picture as it stands, for saving: not only what the window shows. */
  snapshot(): HTMLCanvasElement | undefined {
    return this.#scene && this.#sheet.whole(this.#scene, this.#ink());
  }

  /** Moves the window so that a box is seen. */
  reveal(key: Key): void {
    const found = this.#scene?.find(key);
    if (found === undefined) return;
    const { rect, item } = found;
    this.zoom.reveal(item.inner === undefined ? rect : { ...rect, h: Math.min(rect.h, 60) });
    if (this.zoom.overflows) this.#moved = true;
    this.#ask();
  }

  /** Shows a box and gives it the focus; `by` is said of the edge that led there. */
  focusKey(key: Key, by?: string): void {
    this.reveal(key);
    this.#held = key;
    this.#overlay.goTo(key, by);
    this.#draw();
    this.#placeItems();
    this.#overlay.focus(key);
  }

  /** The box that has the focus, or that Tab would come back to. */
  get focused(): Key | undefined {
    return this.#overlay.focused ?? this.#overlay.home;
  }

  /** Goes along an edge, or to a neighbour in the layer, and selects; returns the key it came to. */
  walk(direction: Direction): Key | undefined {
    const from = this.focused ?? this.session.selected;
    if (from === undefined || this.#scene === undefined) return undefined;
    const step = new Walk(this.session, this.#scene, this.#speech).from(from, direction);
    if (step === undefined) return undefined;
    this.actions.select(step.key);
    this.focusKey(step.key, step.by);
    return step.key;
  }

  // Hands

  #hit(x: number, y: number): Hit | undefined {
    const point = this.zoom.toLayout(x, y);
    return this.#scene?.hit(point.x, point.y, this.zoom.edge);
  }

  #pressed(x: number, y: number, event: PointerEvent): void {
    const hit = this.#hit(x, y);
    if (hit === undefined) {
      this.actions.select(undefined);
      return;
    }
    const { key, expandable } = hit.item.box;
    const twice = this.#last.key === key && event.timeStamp - this.#last.at < TWICE_MS;
    this.#last = { key, at: event.timeStamp };
    this.#held = key;
    if (hit.part === "toggle" || (twice && expandable && hit.part === "body")) this.actions.toggle(key);
    else if (hit.part === "tile") this.#openMember(hit);
    else if (hit.chip !== undefined && hit.chip.leaf >= 0) this.actions.select(`n${hit.chip.leaf}`);
    else this.actions.select(key);
    this.#overlay.goTo(this.#held ?? key, undefined);
    this.#draw();
    this.#placeItems();
    this.#overlay.focus(this.#held ?? key);
  }

  /** Unfolds the member whose tile was pressed, out of its stack. */
  #openMember({ item, member }: Hit): void {
    const { key } = item.box;
    const from = spotOf(key)?.members?.[0] ?? 0;
    const opened = this.session.membersOf(key)[member];
    this.session.open(key, from + member);
    if (opened === undefined) return;
    this.#held = opened;
    this.actions.select(opened);
  }

  #point(hit: Hit | undefined): void {
    const member = hit?.part === "tile" ? this.session.membersOf(hit.item.box.key)[hit.member] : undefined;
    this.element.title = member === undefined ? "" : this.session.tree.named(member).title;
    this.element.classList.toggle("tl-over", hit !== undefined);
    const key = hit?.item.box.key;
    const lit = hit?.chip?.shared === true ? hit.chip.leaf : -1;
    if (this.session.hovered === key && this.#lit === lit) return;
    this.session.hover(key);
    this.#lit = lit;
    this.#ask();
  }

  // Drawing

  /** A person moved the window. */
  #shift(): void {
    this.#moved = true;
    this.#ask();
  }

  #ask(): void {
    if (this.#asked !== 0) return;
    this.#asked = requestAnimationFrame(() => {
      this.#asked = 0;
      this.#draw();
    });
  }

  #draw(): void {
    const scene = this.#scene;
    if (scene === undefined) return;
    const drawn = this.#sheet.draw(scene, this.#ink(), this.zoom, this.#lit);
    if (drawn === undefined) return;
    const { selected } = this.session;
    this.#minimap.draw(scene, drawn.pen, selected === undefined ? undefined : scene.find(selected)?.rect);
    this.#showHandles(scene);
    if (drawn.moving) this.#ask();
    clearTimeout(this.#rest);
    if (this.#stale) this.#placeItems();
    else this.#rest = setTimeout(() => this.#placeItems(), REST_MS);
  }

  #showHandles(scene: Scene): void {
    const { buttons, grip } = this.#handles;
    const home = this.#framing.atHome(scene);
    buttons.hidden = home && this.#anatomy === "near";
    grip.hidden = home && !this.#framing.fixed;
    this.element.classList.toggle("tl-movable", this.zoom.overflows);
  }

  #placeItems(): void {
    this.#stale = false;
    this.#overlay.show(spots(this.#sheet.seen, this.session, this.zoom));
  }
}
