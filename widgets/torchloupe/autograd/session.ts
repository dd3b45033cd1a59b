/** What one person sees of a backward: the place they look at, what is selected, coloured and found. */

import type { Reply } from "../core/link";
import type { Tables } from "../core/tables";
import { Arrivals } from "./arrivals";
import { Colouring, type Subject, tileOf } from "./colouring";
import type { TableName } from "./graph";
import { spotOf } from "./keys";
import type { Key } from "./level";
import { NOT_RUN, number } from "./looks";
import { type Reached, Side } from "./reach";
import type { Colour, Scale, Shade } from "./scale";
import { type Found, NOTHING } from "./search";
import type { Frame } from "./state";

export type { Change } from "./course";
export type { Reached } from "./reach";
export type { State } from "./running";
export type { Colour } from "./scale";

interface Sides {
  readonly key: Key;
  readonly up: Side;
  readonly down: Side;
}

export class Session extends Arrivals {
  #selected: Key | undefined;
  #hovered: Key | undefined;
  #lit: "both" | "up" | "down" = "both";
  #sides: Sides | undefined;
  #colour: Colour = "norm";
  #colouring = new Colouring();
  /** What is coloured of each key at this place: a picture asks for thousands of members at a time. */
  readonly #subjects = new Map<Key, Subject>();

  constructor(frame: Frame, tables: Pick<Tables<TableName>, "table">, send: (message: Reply) => void) {
    super(frame, tables, send);
    this.grow();
  }

  protected anew(): void {
    this.#selected = this.#hovered = this.#sides = undefined;
    this.#colouring = new Colouring();
  }

  protected override moved(): void {
    super.moved();
    this.#subjects.clear();
  }

  protected override grow(): boolean {
    const had = this.graph;
    const came = super.grow();
    const norms = this.known?.gradients ?? { least: Infinity, most: 0 };
    this.#colouring.growNorms(norms.least, norms.most);
    if (this.known === undefined) {
      for (const { gradient } of this.first.values())
        if (gradient.norm > 0) this.#colouring.growNorms(gradient.norm, gradient.norm);
    }
    if (this.graph !== had) this.#sides = undefined;
    return came;
  }

  /** What is selected is always seen. */
  protected replanted(): void {
    const key = this.#selected;
    const node = key === undefined ? -1 : (spotOf(key)?.item ?? -1);
    const chip = node >= 0 && this.graph?.isChip(node) === true;
    if (key !== undefined && !chip && this.tree.box(key) === undefined) this.#selected = this.tree.visible(key);
  }

  get selected(): Key | undefined {
    return this.#selected;
  }

  select(key: Key | undefined): void {
    if (key === this.#selected) return;
    this.#selected = key;
    this.tell("selection");
  }

  get hovered(): Key | undefined {
    return this.#hovered;
  }

  hover(key: Key | undefined): void {
    if (key === this.#hovered) return;
    this.#hovered = key;
    this.tell("selection");
  }

  /** Which ways are lit from the selected box. */
  get lit(): "both" | "up" | "down" {
    return this.#lit;
  }

  set lit(ways: "both" | "up" | "down") {
    this.#lit = ways;
    this.tell("selection");
  }

  /** What lies between the root and a box. */
  upstream(key: Key): Reached {
    return this.#reach(key)?.up.count ?? { nodes: 0, parameters: 0 };
  }

  /** What lies between a box and the leaves. */
  downstream(key: Key): Reached {
    return this.#reach(key)?.down.count ?? { nodes: 0, parameters: 0 };
  }

  /** Whether a box holds something upstream of the selected box; false without selection. */
  isUp(key: Key): boolean {
    return this.#meets(key, "up");
  }

  isDown(key: Key): boolean {
    return this.#meets(key, "down");
  }

  #meets(key: Key, way: "up" | "down"): boolean {
    const side = this.#selected === undefined ? undefined : this.#reach(this.#selected)?.[way];
    if (side === undefined || key === this.#selected) return false;
    const node = spotOf(key)?.item ?? -1;
    return node >= 0 ? side.has(node) : side.meets(...this.tree.range(key));
  }

  #reach(key: Key): Sides | undefined {
    const { graph } = this;
    if (graph === undefined) return undefined;
    if (this.#sides?.key !== key) {
      const starts = Array.from(this.nodesOf(key));
      this.#sides = { key, up: new Side(graph, starts, false), down: new Side(graph, starts, true) };
    }
    return this.#sides;
  }

  // Colours

  get colour(): Colour {
    return this.#colour;
  }

  colourBy(colour: Colour): void {
    this.#colour = colour;
    this.#subjects.clear();
    this.#fitLinear();
    this.tell("colour");
  }

  /** The colour of a box; undefined when there is nothing to colour. */
  shade(key: Key): Shade | undefined {
    return this.#colouring.shade(this.#colour, this.#subject(key));
  }

  /** What the tile of a box says. */
  tile(key: Key): string {
    return tileOf(this.#colour, this.#subject(key), number);
  }

  #subject(key: Key): Subject {
    const subject = this.#subjects.get(key) ?? this.#subjectOf(key);
    this.#subjects.set(key, subject);
    return subject;
  }

  #subjectOf(key: Key): Subject {
    const by = this.#colour;
    const first = this.nodesOf(key)[0];
    return {
      gradient: by === "norm" ? this.arrival(key) : NOT_RUN,
      bytes: by === "bytes" ? this.#bytes(key) : 0,
      step: by === "order" && first !== undefined ? this.stepOf(first) : 0,
    };
  }

  #bytes(key: Key): number {
    const bytes = this.graph?.nodes.bytes;
    return this.nodesOf(key).reduce((sum, node) => sum + (bytes?.[node] ?? 0), 0);
  }

  scale(): Scale {
    return this.#colouring.scale(this.#colour);
  }

  /** Fits the scale to what is there now. */
  fitAgain(): void {
    const known = this.known?.gradients;
    if (known !== undefined) this.#colouring.fitNorms(known.least, known.most);
    this.#fitLinear();
    this.tell("colour");
  }

  #fitLinear(): void {
    this.#colouring.fitOrder(this.steps);
    const shown = this.#colour === "bytes" ? this.tree.keys().filter((key) => !this.tree.box(key)?.open) : [];
    if (shown.length > 0) this.#colouring.fitBytes(shown.reduce((most, key) => Math.max(most, this.#bytes(key)), 0));
  }

  // Search

  get query(): string {
    return this.found.query;
  }

  get found(): Found {
    return this.known?.search.found ?? NOTHING;
  }

  /** Searches; an empty query clears. Before the tables came nothing is found. */
  search(query: string): Found {
    this.known?.search.find(query.trim());
    this.tell("search");
    return this.found;
  }

  /** Hits inside a box; those of the visible closed boxes add up to the total. */
  hitsIn(key: Key): number {
    return this.known?.search.between(...this.tree.range(key)) ?? 0;
  }

  /** The next hit in the order of execution as a node; it becomes `currentHit`. */
  nextHit(): number | undefined {
    return this.#hit(this.known?.search.next());
  }

  previousHit(): number | undefined {
    return this.#hit(this.known?.search.previous());
  }

  #hit(node: number | undefined): number | undefined {
    if (node !== undefined) this.tell("search");
    return node;
  }

  get currentHit(): number | undefined {
    return this.known?.search.current;
  }
}
