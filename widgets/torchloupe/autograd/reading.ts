/** What the picture asks of the session, box by box and line by line. */

import type { Arguments, Say } from "../core/words";
import type { Facts } from "./anatomy";
import { ROOT } from "./keys";
import { type Flow, type Gradient, LOOK, plain } from "./looks";
import type { Line, Plot } from "./plot";
import { rootOf } from "./roots";
import type { Shade } from "./scale";
import type { Session, State } from "./session";
import type { Box, Key, Strand } from "./tree";
import { asked, Ways } from "./ways";

/** A graph of so few nodes is drawn near, whatever it holds. */
const FEW = 8;
/** Without modules, so many still are. */
const SOME = 24;
const HOOKED = 1;
const KINDS = ["operation", "leaf", "custom", "checkpoint", "compiled"] as const;

/** State of a box on the picture. Looking back, one box is looked at and the engine stands before another. */
export type Stand = State | "looked" | "engine";

/** What is fastened to a node. */
export interface Wiring {
  readonly hooks: boolean;
  readonly checkpoint: boolean;
  readonly compiled: boolean;
}

/** The name of a root over its line. */
export interface RootLabel {
  /** Place of its line in the plot. */
  readonly place: number;
  readonly name: string;
  readonly value: string;
}

/** A saved tensor that is not what it was. */
export interface Broken {
  readonly slot: string;
  readonly expected: number;
  readonly found: number;
}

/** The looks of a few members of a fold. */
export interface Column {
  readonly least: Shade | undefined;
  readonly middle: Shade | undefined;
  readonly most: Shade | undefined;
}

const NO_WIRING: Wiring = { hooks: false, checkpoint: false, compiled: false };

export class Reading implements Facts {
  readonly ways: Ways;
  readonly #shades = new Map<Key, Shade | undefined>();
  readonly #tiles = new Map<Key, string>();
  readonly #states = new Map<Key, Stand>();
  readonly #parameters = new Map<Key, Shade | undefined>();
  readonly #strips = new Map<Key, readonly Column[]>();

  constructor(
    private readonly session: Session,
    private readonly say: Say,
  ) {
    this.ways = new Ways(session, () => this.small);
    session.onChange((change) => {
      if (change !== "selection") this.#forget();
    });
  }

  #forget(): void {
    for (const kept of [this.#shades, this.#tiles, this.#states, this.#parameters, this.#strips]) kept.clear();
  }

  /** Whether the graph is small enough to be drawn near. */
  get small(): boolean {
    const { nodes, first } = this.session.frame;
    const flat = first.boxes.every(({ kind }) => kind === "node" || kind === "leaf");
    return nodes <= FEW || (flat && nodes <= SOME);
  }

  /** Whether nothing is run here. */
  get still(): boolean {
    return this.session.frame.mode === "look";
  }

  get selected(): Key | undefined {
    return this.session.selected;
  }

  get hovered(): Key | undefined {
    return this.session.hovered;
  }

  // Boxes

  code(box: Box): { readonly fragment: string; readonly value: string } {
    return this.session.code(box.node);
  }

  arriving(node: number): number {
    const { graph, tree } = this.session;
    if (graph !== undefined) return this.session.arriving(node);
    const { boxes, strands } = tree.level(ROOT);
    const into = strands.filter(({ target }) => boxes[target]?.node === node);
    return into.reduce((sum, { edges }) => sum + edges.length, 0);
  }

  unused(node: number): readonly number[] {
    return this.session.unused(node);
  }

  broken(node: number): Broken | undefined {
    const { explanation } = this.session.frame;
    return explanation !== null && explanation.node >= 0 && explanation.node === node ? explanation : undefined;
  }

  state(key: Key): Stand {
    return asked(this.#states, key, () => this.#stand(key));
  }

  /** Looking back, the box that was next is only looked at: the engine stands elsewhere. */
  #stand(key: Key): Stand {
    const { session } = this;
    const state = session.state(key);
    if (!session.lookingBack || session.frame.phase !== "waiting") return state;
    if (session.engineNode >= 0 && session.tree.boxOf(session.engineNode) === key) return "engine";
    return state === "next" ? "looked" : state;
  }

  shade(key: Key): Shade | undefined {
    return asked(this.#shades, key, () => this.session.shade(key));
  }

  tile(key: Key): string {
    return asked(this.#tiles, key, () => this.session.tile(key));
  }

  badge(key: Key): string {
    return this.session.badge(key);
  }

  membersOf(key: Key): readonly Key[] {
    return this.session.membersOf(key);
  }

  hitsIn(key: Key): number {
    return this.session.query === "" ? 0 : this.session.hitsIn(key);
  }

  /** Nodes done inside a box, as a share. */
  progress(key: Key): number {
    const { done, of } = this.session.progress(key);
    return of === 0 ? 0 : done / of;
  }

  /** The strongest look among the parameters whose gradients leave a box: a NaN hides behind no sum. */
  parameters(key: Key): Shade | undefined {
    return asked(this.#parameters, key, () => this.#strongest(key));
  }

  #strongest(key: Key): Shade | undefined {
    const { graph, tree } = this.session;
    if (graph === undefined) return undefined;
    let most: Shade | undefined;
    for (const node of graph.order.subarray(...tree.range(key))) {
      for (const edge of graph.out(node)) {
        const leaf = graph.edges.target[edge] ?? -1;
        if (graph.isChip(leaf)) most = stronger(most, this.shade(`n${leaf}`));
      }
      if (most === "nan") break;
    }
    return most;
  }

  /** The members of a fold in so many columns, each as its least, middle and greatest look. */
  strip(key: Key, columns: number): readonly Column[] {
    return asked(this.#strips, key, () => {
      const members = this.membersOf(key);
      return Array.from({ length: columns }, (_, column) => {
        const from = Math.floor((column * members.length) / columns);
        const to = Math.max(Math.floor(((column + 1) * members.length) / columns), from + 1);
        const shades = members.slice(from, to).map((member) => this.session.shade(member));
        const sorted = shades.sort((a, b) => STRENGTH.indexOf(a) - STRENGTH.indexOf(b));
        return { least: sorted[0], middle: sorted[sorted.length >> 1], most: sorted.at(-1) };
      });
    });
  }

  grad(node: number): string | undefined {
    return this.session.grad(node);
  }

  gradSentence(node: number): { readonly words: string; readonly written: boolean } {
    const { sentence, written } = this.session.gradSentence(node);
    return { words: this.say(sentence.id, sentence.args as Arguments), written };
  }

  gathered(node: number): string | undefined {
    return this.session.gathered(node);
  }

  forward(node: number): string {
    return this.session.forward(node);
  }

  wiring(node: number): Wiring {
    const nodes = this.session.graph?.nodes;
    if (nodes === undefined) return NO_WIRING;
    const kind = KINDS[nodes.kind[node] ?? 0];
    return {
      hooks: ((nodes.flags[node] ?? 0) & HOOKED) !== 0,
      checkpoint: kind === "checkpoint",
      compiled: kind === "compiled",
    };
  }

  /** The box in which the first NaN was born, once the place has passed it. */
  get born(): Key | undefined {
    const node = this.session.firstBad;
    return node < 0 ? undefined : this.session.tree.boxOf(node);
  }

  // Lines

  /** What came through a line; for the line of a root the gradient the backward started with. */
  flow(strand: Strand): Flow | undefined {
    const root = rootOf(strand);
    if (root === undefined) return this.session.flow(strand);
    const gradient = this.#start(root);
    return gradient && { ...gradient, count: gradient.look === LOOK.notRun ? 0 : 1 };
  }

  #start(root: number): Gradient | undefined {
    const node = this.session.frame.roots[root]?.node ?? -1;
    return node < 0 ? undefined : this.session.arrival(`n${node}`);
  }

  /** Which input of a node a line arrives at, when the node has several. */
  inputOf({ edges }: Strand): number | undefined {
    const { graph } = this.session;
    const edge = edges[0] ?? -1;
    if (graph === undefined || edge < 0 || edges.length > 1) return undefined;
    const several = (graph.nodes.inputs[graph.edges.target[edge] ?? -1] ?? 1) > 1;
    return several ? graph.edges.input[edge] : undefined;
  }

  coming(strand: Strand): boolean {
    return rootOf(strand) === undefined && this.session.coming(strand);
  }

  roots(plot: Plot): RootLabel[] {
    return plot.lines.flatMap((line: Line, place) => {
      const index = rootOf(line.strand);
      const root = index === undefined ? undefined : this.session.frame.roots[index];
      if (index === undefined || root === undefined) return [];
      return [{ place, name: root.name, value: plain(root.value) }];
    });
  }
}

const STRENGTH: readonly (Shade | undefined)[] = [
  undefined,
  "none",
  "zero",
  "below",
  0,
  1,
  2,
  3,
  4,
  5,
  6,
  "above",
  "nan",
];

function stronger(a: Shade | undefined, b: Shade | undefined): Shade | undefined {
  return STRENGTH.indexOf(b) > STRENGTH.indexOf(a) ? b : a;
}
