/** One backward as it comes from the kernel: its graph, how far it is, which place is looked at, what is open. */

import type { Reply } from "../core/link";
import type { Tables } from "../core/tables";
import { Gradients } from "./gradients";
import { Graph, type TableName } from "./graph";
import type { Key } from "./level";
import { Running } from "./running";
import { Search } from "./search";
import type { Frame, Rows } from "./state";
import { Tree } from "./tree";

export type Change = "frame" | "tables" | "tree" | "place" | "selection" | "colour" | "search";

/** What a graph is made of; the tables that grow while it is run come after them. */
const PARTS = ["strings", "groups", "nodes", "edges", "leaves"] as const;
/** In graphs of at most so many nodes modules open when the engine enters them. */
const FOLLOWED = 64;

/** What there is once the graph has come. */
interface Grown {
  readonly graph: Graph;
  readonly gradients: Gradients;
  readonly search: Search;
}

export abstract class Course {
  #frame: Frame;
  #tree: Tree;
  #grown: Grown | undefined;
  #followed = -1;
  /** Rows the graph needs: those of the first frame of its record. What is added later belongs to steps. */
  #needed: Rows;
  /** Whether modules open when the engine enters them. */
  follow: boolean;
  protected readonly running: Running;
  readonly #listeners = new Set<(change: Change) => void>();

  constructor(
    frame: Frame,
    protected readonly tables: Pick<Tables<TableName>, "table">,
    readonly send: (message: Reply) => void,
  ) {
    this.#frame = frame;
    this.#needed = frame.rows;
    this.#tree = Tree.fromFirst(frame.first);
    this.running = new Running(
      () => this.#frame,
      () => this.#grown?.gradients,
    );
    this.follow = frame.nodes <= FOLLOWED;
  }

  /** Another record came: what was said of the last one is void. */
  protected abstract anew(): void;
  /** The place, or what is known about it, is another. */
  protected abstract moved(): void;
  /** Other boxes are seen. */
  protected abstract replanted(): void;

  get frame(): Frame {
    return this.#frame;
  }

  get tree(): Tree {
    return this.#tree;
  }

  /** Undefined before the tables of the graph came. */
  get graph(): Graph | undefined {
    return this.#grown?.graph;
  }

  protected get known(): Grown | undefined {
    return this.#grown;
  }

  /** Takes the next frame. Call it after `tables.want`. */
  accept(frame: Frame): void {
    const another = frame.epoch !== this.#frame.epoch;
    this.#frame = frame;
    if (another) {
      this.#grown = undefined;
      this.#needed = frame.rows;
      this.#tree = Tree.fromFirst(frame.first);
      this.running.moveTo(Infinity);
      this.follow = frame.nodes <= FOLLOWED;
      this.#followed = -1;
      this.anew();
    }
    this.grow();
    this.tell("frame");
  }

  /** Rows came: call it from the `grown` of the tables. */
  grown(): void {
    if (this.grow()) this.tell("tables");
  }

  protected grow(): boolean {
    const begun = this.#grown === undefined && this.#begin();
    const came = this.#grown?.gradients.grow() ?? false;
    this.#followEngine();
    this.moved();
    return begun || came;
  }

  #begin(): boolean {
    const lacks = PARTS.some((name) => this.tables.table(name).length < this.#needed[name]);
    if (this.#needed.nodes === 0 || lacks) return false;
    const graph = new Graph(this.tables);
    const gradients = new Gradients(this.tables, graph.nodes.count, graph.edges.count);
    this.#grown = { graph, gradients, search: new Search(graph) };
    const tree = new Tree(graph);
    tree.adopt(this.#tree);
    this.#tree = tree;
    return true;
  }

  #followEngine(): void {
    const node = this.running.engineNode;
    if (node === this.#followed || this.#grown === undefined) return;
    this.#followed = node;
    if (this.follow && node >= 0) this.#tree.openTo(node);
  }

  /** Calls `listener` after each change; returns what takes it away. */
  onChange(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  protected tell(change: Change): void {
    for (const listener of this.#listeners) listener(change);
  }

  // The course of the backward

  /** Steps looked at, at most `engine`. */
  get place(): number {
    return this.running.place;
  }

  /** Steps done. */
  get engine(): number {
    return this.running.engine;
  }

  /** Steps the whole backward has, as far as it is known. */
  get steps(): number {
    return this.running.steps;
  }

  /** Looks at another place; from the engine's own on it goes with the engine. */
  moveTo(place: number): void {
    this.running.moveTo(place);
    this.moved();
    this.tell("place");
  }

  /** Whether an earlier place than the engine's is looked at. */
  get lookingBack(): boolean {
    return this.running.lookingBack;
  }

  /** The node that runs next at `place`, or -1. */
  get next(): number {
    return this.running.next;
  }

  /** The node the engine stands before, wherever one looks; or -1. */
  get engineNode(): number {
    return this.running.engineNode;
  }

  /** The node of step `step`, 1 for the first; predicted when it has not run; -1 when there is none. */
  nodeAt(step: number): number {
    return this.running.nodeAt(step);
  }

  /** The step of a node, 1 for the first; predicted when it has not run; 0 when it never ran. */
  stepOf(node: number): number {
    return this.running.stepOf(node);
  }

  /** The place before the next drawn box begins to run, or before this one or the last began. */
  placeOfBox(direction: 1 | -1): number {
    const { place, steps } = this;
    const graph = this.graph;
    if (graph === undefined) return place;
    const at = (step: number): number => graph.position[this.nodeAt(step)] ?? -1;
    let step = direction > 0 ? place + 1 : place;
    while (step >= 1 && step <= steps && at(step) < 0) step += direction;
    const node = this.nodeAt(step);
    const [from, to] = node < 0 ? [0, 0] : this.#tree.range(this.#tree.boxOf(node));
    const inside = (each: number): boolean => at(each) < 0 || (at(each) >= from && at(each) < to);
    while (step >= 1 && step <= steps && inside(step)) step += direction;
    return direction > 0 ? Math.min(step - 1, steps) : Math.max(step, 0);
  }

  // What is open

  open(key: Key, index?: number): void {
    this.#tree.open(key, index);
    this.#changed();
  }

  close(key: Key): void {
    this.#tree.close(key);
    this.#changed();
  }

  toggle(key: Key): void {
    this.#tree.toggle(key);
    this.#changed();
  }

  closeAll(): void {
    this.#tree.closeAll();
    this.#changed();
  }

  openTo(node: number): Key {
    const key = this.#tree.openTo(node);
    this.#changed();
    return key;
  }

  reveal(key: Key): Key {
    const seen = this.#tree.reveal(key);
    this.#changed();
    return seen;
  }

  #changed(): void {
    this.replanted();
    this.tell("tree");
  }
}
