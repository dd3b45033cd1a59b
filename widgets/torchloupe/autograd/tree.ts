/** What is seen of a graph: open groups, closed boxes, and the strands between them. */

import { firstLevel } from "./first";
import type { Graph, Item } from "./graph";
import { keyOf, ROOT, spotOf } from "./keys";
import type { Box, Key, Level } from "./level";
import { Levels } from "./levels";
import { Openings } from "./openings";
import type { First } from "./state";
import { stackTitle, type Title, titleOf } from "./titles";

export type { Box, Chip, Key, Kind, Level, Strand } from "./level";

/** A tree with its graph; before the tables came there is only the first level. */
interface Grown {
  readonly graph: Graph;
  readonly openings: Openings;
  readonly levels: Levels;
}

export class Tree {
  readonly #grown: Grown | undefined;
  readonly #first: Level | undefined;
  /** What was opened before the tables came. */
  readonly #wanted: Key[] = [];
  readonly #places = new WeakMap<Level, ReadonlyMap<Key, Box>>();
  readonly #members = new Map<Key, readonly Key[]>();
  #version = 0;
  #drawn: { readonly version: number; readonly count: number } | undefined;

  constructor(from: Graph | Level) {
    if ("boxes" in from) {
      this.#first = from;
      return;
    }
    const openings = new Openings(from, (group) => {
      levels.forget(group);
      this.#version++;
    });
    const levels = new Levels(from, openings);
    this.#grown = { graph: from, openings, levels };
  }

  /** The tree before the tables came: one level. What is opened in it opens once another tree adopts it. */
  static fromFirst(first: First): Tree {
    return new Tree(firstLevel(first));
  }

  /** The graph, or undefined before the tables came. */
  get graph(): Graph | undefined {
    return this.#grown?.graph;
  }

  /** Grows with every change of what is seen. */
  get version(): number {
    return this.#version;
  }

  /** Opens what was to be opened in a tree without a graph. */
  adopt(other: Tree): void {
    for (const key of other.#wanted) this.open(key);
  }

  /** The visible children of an open group and the strands between them; the same object until they change. */
  level(key: Key): Level {
    if (this.#first !== undefined) return this.#first;
    const group = ~(spotOf(key)?.item ?? ~0);
    return this.#made.levels.level(group);
  }

  get #made(): Grown {
    if (this.#grown === undefined) throw new Error("a tree has a graph or a first level");
    return this.#grown;
  }

  /** Opens a box and what is around it; of a fold or stack its first member, or the member `index` of the fold. */
  open(key: Key, index?: number): void {
    const spot = spotOf(key);
    if (this.#grown === undefined) this.#wanted.push(key);
    else if (spot !== undefined && spot.item < 0) this.#grown.openings.open(~spot.item, index ?? spot.members?.[0]);
  }

  /** Closes a group; of a stack, its fold. */
  close(key: Key): void {
    const spot = spotOf(key);
    if (spot !== undefined && spot.item < 0) this.#grown?.openings.close(~spot.item);
  }

  toggle(key: Key): void {
    if (this.box(key)?.open) this.close(key);
    else this.open(key);
  }

  closeAll(): void {
    this.#grown?.openings.closeAll();
  }

  /** Opens every group around a node; returns the key of its box. */
  openTo(node: number): Key {
    return this.reveal(keyOf(node));
  }

  /** Opens the groups around a box, not the box itself; returns the key it is seen by. */
  reveal(key: Key): Key {
    const item = this.#item(key);
    if (item !== undefined) this.#grown?.openings.uncover(item);
    return this.visible(key);
  }

  /** The visible box that holds a node; a parameter is held by its first consumer. */
  boxOf(node: number): Key {
    return this.visible(keyOf(node));
  }

  /** The visible box that stands for any key: itself when it is seen, else what it hides in. */
  visible(key: Key): Key {
    const item = this.#item(key);
    if (this.#grown === undefined || item === undefined) return this.box(key)?.key ?? ROOT;
    return this.#grown.openings.visible(item);
  }

  /** The item that shows where a key is: of a stack its first member, of a parameter its first consumer. */
  #item(key: Key): Item | undefined {
    const spot = spotOf(key);
    const graph = this.graph;
    if (graph === undefined || spot === undefined) return undefined;
    const item = spot.members === undefined ? spot.item : (graph.childrenOf(~spot.item)[spot.members[0]] ?? spot.item);
    return item < 0 ? item : graph.home(item);
  }

  /** The group around a box. */
  parentOf(key: Key): Key | undefined {
    const spot = spotOf(key);
    if (spot === undefined || key === ROOT) return undefined;
    if (this.graph === undefined) return ROOT;
    return keyOf(spot.members === undefined ? ~this.graph.parentOf(spot.item) : spot.item);
  }

  /** A visible box, open or closed. */
  box(key: Key): Box | undefined {
    const parent = this.parentOf(key);
    if (parent === undefined || !this.#isOpen(parent)) return undefined;
    const level = this.level(parent);
    let places = this.#places.get(level);
    if (places === undefined) {
      places = new Map(level.boxes.map((box) => [box.key, box]));
      this.#places.set(level, places);
    }
    return places.get(key);
  }

  #isOpen(key: Key): boolean {
    const item = spotOf(key)?.item;
    if (this.#grown === undefined || item === undefined) return key === ROOT;
    return this.#grown.openings.isOpen(~item) && this.#grown.openings.visible(item) === key;
  }

  /** How many closed boxes are seen. */
  get drawn(): number {
    if (this.#drawn?.version !== this.#version) {
      this.#drawn = { version: this.#version, count: this.#boxes().filter(({ open }) => !open).length };
    }
    return this.#drawn.count;
  }

  /** The keys of all visible boxes in reading order, an open group before its content. */
  keys(): Key[] {
    return this.#boxes().map(({ key }) => key);
  }

  #boxes(key: Key = ROOT): Box[] {
    return this.level(key).boxes.flatMap((box) => (box.open ? [box, ...this.#boxes(box.key)] : [box]));
  }

  /** Members of a fold or stack as keys, whether they are seen or not. */
  membersOf(key: Key): readonly Key[] {
    const known = this.#members.get(key);
    const spot = spotOf(key);
    if (known !== undefined || this.graph === undefined || spot === undefined || spot.item >= 0) return known ?? [];
    const members = this.graph.childrenOf(~spot.item);
    const [from, to] = spot.members ?? [0, members.length - 1];
    const made = Array.from(members.subarray(from, to + 1), keyOf);
    this.#members.set(key, made);
    return made;
  }

  /** Places in the reading order that a box covers: the first, and the one after the last. */
  range(key: Key): readonly [number, number] {
    const spot = spotOf(key);
    const graph = this.graph;
    if (graph === undefined || spot === undefined) return [0, 0];
    if (spot.members === undefined) return graph.range(spot.item);
    const members = graph.childrenOf(~spot.item);
    const [from, to] = spot.members;
    return [graph.range(members[from] ?? 0)[0], graph.range(members[to] ?? 0)[1]];
  }

  /** Visible boxes the gradient comes from or goes to, across levels, in reading order. */
  neighbours(key: Key): { readonly up: readonly Key[]; readonly down: readonly Key[] } {
    const graph = this.graph;
    if (graph === undefined) return this.#nearFirst(key);
    const range = this.range(key);
    return {
      up: this.#beyond(graph, range, (node) => graph.into(node), graph.edges.source),
      down: this.#beyond(graph, range, (node) => graph.out(node), graph.edges.target),
    };
  }

  #beyond(
    graph: Graph,
    [from, to]: readonly [number, number],
    along: (node: number) => Int32Array,
    end: Int32Array,
  ): Key[] {
    const found = new Set<number>();
    for (let at = from; at < to; at++) {
      for (const edge of along(graph.order[at] ?? 0)) {
        const place = graph.position[end[edge] ?? 0] ?? -1;
        if (place >= 0 && (place < from || place >= to)) found.add(place);
      }
    }
    const ordered = [...found].sort((a, b) => a - b).map((place) => this.boxOf(graph.order[place] ?? 0));
    return [...new Set(ordered)];
  }

  #nearFirst(key: Key): { up: Key[]; down: Key[] } {
    const { boxes, strands } = this.level(ROOT);
    const keyAt = (index: number): Key[] => boxes.slice(index, index + 1).map((box) => box.key);
    return {
      up: strands.filter(({ target }) => boxes[target]?.key === key).flatMap(({ source }) => keyAt(source)),
      down: strands.filter(({ source }) => boxes[source]?.key === key).flatMap(({ target }) => keyAt(target)),
    };
  }

  /** Keys of the groups around a box, outermost first, without the root. */
  trail(key: Key): readonly Key[] {
    const around: Key[] = [];
    for (let each = this.parentOf(key); each !== undefined && each !== ROOT; each = this.parentOf(each))
      around.push(each);
    return around.reverse();
  }

  /** Title and suffix of any key, seen or not. */
  named(key: Key): Title {
    const spot = spotOf(key);
    if (this.graph === undefined || spot === undefined) return this.box(key) ?? { title: key, suffix: "" };
    const { item, members } = spot;
    return members === undefined ? titleOf(this.graph, item) : stackTitle(this.graph, ~item, ...members);
  }
}
