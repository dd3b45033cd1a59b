/** The course of a backward: how far the engine is, which place is looked at, and what has run there. */

import type { Gradients } from "./gradients";
import type { Frame } from "./state";

/** `plain`: nothing is run here, the graph is only looked at. */
export type State = "done" | "next" | "not_run" | "failed" | "partly" | "plain";

export interface Progress {
  readonly done: number;
  readonly of: number;
}

export class Running {
  /** Place looked at; undefined while one looks where the engine is. */
  #at: number | undefined;

  constructor(
    private readonly frame: () => Frame,
    private readonly gradients: () => Gradients | undefined,
  ) {}

  /** Steps done. The table of steps may end with a node that is about to run. */
  get engine(): number {
    const { phase, next, rows } = this.frame();
    const known = this.gradients();
    const begun = Math.min(known?.steps ?? Infinity, rows.steps);
    const own = phase === "waiting" ? (known?.stepOf(next) ?? begun) : 0;
    if (own > 0) return own - 1;
    return phase === "running" ? Math.max(begun - 1, 0) : begun;
  }

  get place(): number {
    return Math.min(this.#at ?? Infinity, this.engine);
  }

  /** Looks at a place; at the engine's own, it goes with the engine from now on. */
  moveTo(place: number): void {
    this.#at = place >= this.engine ? undefined : Math.max(Math.round(place), 0);
  }

  get lookingBack(): boolean {
    return this.place < this.engine;
  }

  /** Whether everything has run that will. */
  get #isComplete(): boolean {
    const { mode, phase } = this.frame();
    return mode !== "look" && (phase === "done" || phase === "freed");
  }

  /** Steps the whole backward has: all that ran when it is done, else as many as there are nodes. */
  get steps(): number {
    return this.#isComplete ? this.engine : this.frame().nodes;
  }

  nodeAt(step: number): number {
    const known = this.gradients();
    if (known === undefined || step < 1) return -1;
    const node = known.nodeAt(step);
    return node >= 0 || this.#endsBefore(step) ? node : (known.predicted().nodes[step - 1] ?? -1);
  }

  #endsBefore(step: number): boolean {
    return step > this.steps;
  }

  /** The step of a node, 1 for the first; predicted when it has not run; 0 when it never ran. */
  stepOf(node: number): number {
    const known = this.gradients();
    const step = known?.stepOf(node) ?? 0;
    if (known === undefined || step > 0) return step;
    const predicted = known.predicted().stepOf[node] ?? 0;
    return this.#endsBefore(predicted) ? 0 : predicted;
  }

  /** The node that runs next at the place looked at, or -1. */
  get next(): number {
    return this.lookingBack ? (this.gradients()?.nodeAt(this.place + 1) ?? -1) : this.engineNode;
  }

  /** The node the engine stands before, or -1. */
  get engineNode(): number {
    const { phase, next } = this.frame();
    return phase === "waiting" ? next : -1;
  }

  /** Nodes among `nodes` that have run at the place looked at. */
  progress(nodes: Int32Array): Progress {
    const known = this.gradients();
    const { place } = this;
    let done = 0;
    for (const node of nodes) {
      const step = known?.stepOf(node) ?? 0;
      if (step > 0 && step <= place) done++;
    }
    return { done, of: nodes.length };
  }

  /** The state of what holds `nodes`. */
  state(nodes: Int32Array, { done, of }: Progress): State {
    const { mode, failure, explanation, rows } = this.frame();
    const broken = [failure?.node, explanation?.node].find((node) => node !== undefined && node >= 0) ?? -1;
    if (broken >= 0 && !this.lookingBack && nodes.includes(broken)) return "failed";
    if (mode === "look") return "plain";
    const { next } = this;
    if (next >= 0 && nodes.includes(next)) return "next";
    if (done === of) return "done";
    if (this.#isComplete && !this.lookingBack) {
      const isWhole = (this.gradients()?.steps ?? 0) >= rows.steps;
      if (done > 0 || !isWhole) return "done";
    }
    return done === 0 ? "not_run" : "partly";
  }
}
