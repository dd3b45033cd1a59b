/** What a box or a strand says at the place looked at: its state, its gradient, its words. */

import { Course } from "./course";
import { keyOf, spotOf } from "./keys";
import type { Key, Strand } from "./level";
import { type Flow, type Gradient, gradient, type Look, plain } from "./looks";
import type { Progress, State } from "./running";
import type { Frame, Sentence } from "./state";
import { trends } from "./trends";
import { EMPTY, type Well, wellOf } from "./well";

/** What the first picture says of a box. */
interface Said {
  readonly gradient: Gradient;
  readonly text: string;
}

export abstract class Arrivals extends Course {
  #flows = new WeakMap<Strand, Flow>();
  readonly #progress = new Map<Key, Progress>();
  readonly #states = new Map<Key, State>();
  #sentences: readonly Sentence[] | undefined;
  #first: { readonly frame: Frame; readonly said: ReadonlyMap<Key, Said> } | undefined;

  protected moved(): void {
    this.#flows = new WeakMap();
    this.#progress.clear();
    this.#states.clear();
    this.#sentences = undefined;
  }

  /** What the first picture says of its boxes. */
  protected get first(): ReadonlyMap<Key, Said> {
    const { frame } = this;
    if (this.#first?.frame !== frame) {
      const said = frame.first.boxes.map(({ kind, id, look, norm, value, text }): [Key, Said] => [
        keyOf(kind === "node" || kind === "leaf" ? id : ~id),
        { gradient: gradient(look as Look, norm ?? Number.NaN, value), text },
      ]);
      this.#first = { frame, said: new Map(said) };
    }
    return this.#first.said;
  }

  /** The nodes a key covers; of a parameter itself. */
  protected nodesOf(key: Key): Int32Array {
    const node = spotOf(key)?.item ?? -1;
    if (this.graph === undefined) return Int32Array.of(...(node >= 0 ? [node] : []));
    if (node >= 0 && this.graph.isChip(node)) return Int32Array.of(node);
    return this.graph.order.subarray(...this.tree.range(key));
  }

  state(key: Key): State {
    const state = this.#states.get(key) ?? this.running.state(this.nodesOf(key), this.progress(key));
    this.#states.set(key, state);
    return state;
  }

  /** Nodes done and nodes in all inside a box at `place`. */
  progress(key: Key): Progress {
    const known = this.#progress.get(key);
    if (known !== undefined) return known;
    const made = this.running.progress(this.nodesOf(key));
    this.#progress.set(key, made);
    return made;
  }

  /** The gradient that had arrived at a box at `place`; of a group at its first node. */
  arrival(key: Key): Gradient | undefined {
    const node = this.nodesOf(key)[0];
    const come = node === undefined ? undefined : this.known?.gradients.arrival(node, this.place);
    if (come !== undefined || this.lookingBack) return come;
    const { arrivals } = this.frame.rows;
    const rows = this.known === undefined ? -1 : this.tables.table("arrivals").length;
    return rows < arrivals ? this.first.get(key)?.gradient : undefined;
  }

  flow(strand: Strand): Flow | undefined {
    const known = this.#flows.get(strand);
    if (known !== undefined || this.known === undefined) return known;
    const made = this.known.gradients.throughAll(strand.edges, this.place);
    this.#flows.set(strand, made);
    return made;
  }

  /** Whether the next step sends something through a strand. */
  coming({ edges }: Strand): boolean {
    const { next } = this;
    const source = this.graph?.edges.source;
    return (
      next >= 0 && source !== undefined && Array.prototype.some.call(edges, (edge: number) => source[edge] === next)
    );
  }

  /** Step number of a node as text; empty for a group. */
  badge(key: Key): string {
    const node = spotOf(key)?.item ?? -1;
    const step = node < 0 ? 0 : this.stepOf(node);
    return step === 0 ? "" : String(step);
  }

  /** Members of a fold or stack as keys. */
  membersOf(key: Key): readonly Key[] {
    return this.tree.membersOf(key);
  }

  /** Slots, sum and `.grad` of a leaf at `place`. */
  well(node: number): Well {
    return this.known === undefined ? EMPTY : wellOf(this.known.graph, this.known.gradients, node, this.place);
  }

  /** The sum in a leaf so far as text, when it is known. */
  gathered(node: number): string | undefined {
    return this.well(node).sum;
  }

  /** `.grad` of a leaf at `place` as text; undefined for None. */
  grad(node: number): string | undefined {
    return this.well(node).grad;
  }

  /** What `.grad` of a leaf is at `place`, to be worded, and whether this backward wrote it. */
  gradSentence(node: number): { readonly sentence: Sentence; readonly written: boolean } {
    return this.well(node);
  }

  /** Forward value of a node or leaf as text, or empty. */
  forward(node: number): string {
    return plain(this.graph?.string(this.graph.nodes.value[node] ?? -1) ?? "");
  }

  /** The code that made a node and its forward value. */
  code(node: number): { readonly fragment: string; readonly value: string } {
    const fragment = this.graph?.string(this.graph.nodes.text[node] ?? -1) ?? this.first.get(keyOf(node))?.text ?? "";
    return { fragment, value: this.forward(node) };
  }

  /** Edges that arrive at a node. */
  arriving(node: number): number {
    return this.graph?.into(node).length ?? 0;
  }

  /** Which inputs of a node nothing sends to. */
  unused(node: number): readonly number[] {
    return this.graph?.unused(node) ?? [];
  }

  /** Trends and unequal siblings at `place`, most striking first, to be worded. */
  sentences(): readonly Sentence[] {
    if (this.known === undefined) return [];
    const { graph, gradients } = this.known;
    const { place } = this;
    this.#sentences ??= trends(graph, {
      at: (node) => gradients.normAt(node, place),
      through: (edge) => gradients.normThrough(edge, place),
    });
    return this.#sentences;
  }

  /** The node where the first NaN or infinity was born, when `place` has passed it; or -1. */
  get firstBad(): number {
    const node = this.frame.first_bad;
    if (node < 0 || !this.lookingBack) return node;
    const step = this.known?.gradients.stepOf(node) ?? 0;
    return step > 0 && step <= this.place ? node : -1;
  }
}
