/** Moving through a backward: live the engine is asked, in a replay only the place moves. */

import type { Say } from "../core/words";
import type { Act, Hindrances } from "./controls";
import type { Session } from "./session";

/** Larger graphs are stepped box by box. */
const FINE = 64;
const PLAY_MS = 350;
const PLAY_FRAMES = 48;

export class Driving {
  #playing: ReturnType<typeof setInterval> | undefined;

  constructor(
    private readonly say: Say,
    private readonly session: Session,
  ) {}

  /** Whether an engine stands behind the steps; else they are a record. */
  get live(): boolean {
    const { mode, phase } = this.session.frame;
    return mode === "live" && (phase === "waiting" || phase === "running");
  }

  get playing(): boolean {
    return this.#playing !== undefined;
  }

  /** Whether there is anything to step through. */
  get moves(): boolean {
    const { frame, steps } = this.session;
    return frame.mode !== "look" && frame.why_empty === null && steps > 0;
  }

  /** Ends a play. */
  rest(): void {
    clearInterval(this.#playing);
    this.#playing = undefined;
  }

  /** Does what a control says; `fine` steps one node in a graph that is stepped by boxes. */
  act(act: Act, fine: boolean): void {
    if (this.hindrances(false)[act] !== undefined) return;
    const { session } = this;
    if (act !== "run") this.rest();
    if (act === "back") session.moveTo(this.#coarse(fine) ? session.placeOfBox(-1) : session.place - 1);
    else if (this.live) this.#ask(act, fine);
    else if (act === "step") session.moveTo(this.#coarse(fine) ? session.placeOfBox(1) : session.place + 1);
    else if (act === "out") session.moveTo(this.#placeOutside());
    else if (act === "here") session.moveTo(session.stepOf(this.#target()) - 1);
    else if (act === "run") this.#play();
  }

  #ask(act: Act, fine: boolean): void {
    const { session } = this;
    if (act === "stop") session.send({ type: "stop" });
    else if (session.lookingBack) session.moveTo(session.engine);
    else if (act === "out") session.send({ type: "step_out" });
    else if (act === "here") session.send({ type: "run_to", node: this.#target() });
    else if (act === "run") session.send({ type: "run" });
    else this.#askStep(fine);
  }

  #askStep(fine: boolean): void {
    const { session } = this;
    if (!this.#coarse(fine)) {
      session.send({ type: "step" });
      return;
    }
    const place = session.placeOfBox(1);
    if (place >= session.steps) session.send({ type: "run" });
    else session.send({ type: "run_to", node: session.nodeAt(place + 1) });
  }

  #coarse(fine: boolean): boolean {
    return !fine && this.session.frame.nodes > FINE;
  }

  /** The selected node, or the first of the selected box that has not run; -1 without one. */
  #target(): number {
    const { selected, steps, place, tree } = this.session;
    if (selected === undefined) return -1;
    if (selected.startsWith("n")) return Number(selected.slice(1));
    for (let step = place + 1; step <= steps; step++) {
      const node = this.session.nodeAt(step);
      const box = tree.boxOf(node);
      if (box === selected || tree.trail(box).includes(selected)) return node;
    }
    return -1;
  }

  /** The place before the first node outside the module of the next one. */
  #placeOutside(): number {
    const { session } = this;
    const scope = this.#scopeOf(session.next);
    let place = session.place;
    while (place < session.steps && inside(this.#scopeOf(session.nodeAt(place + 1)), scope)) place++;
    return place;
  }

  #scopeOf(node: number): string | undefined {
    const { graph } = this.session;
    if (graph === undefined || node < 0) return "";
    return graph.leafOf(node) >= 0 ? undefined : graph.string(graph.nodes.scope[node] ?? -1);
  }

  /** Runs through the record, in a few seconds however long it is. */
  #play(): void {
    const { session } = this;
    if (this.playing) {
      this.rest();
      return;
    }
    if (session.place >= session.steps) session.moveTo(0);
    const by = Math.max(Math.ceil((session.steps - session.place) / PLAY_FRAMES), 1);
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
      session.moveTo(session.steps);
      return;
    }
    this.#playing = setInterval(() => {
      if (session.place + by >= session.steps) this.rest();
      session.moveTo(Math.min(session.place + by, session.steps));
    }, PLAY_MS);
  }

  /** Why each control does nothing now. */
  hindrances(lost: boolean): Hindrances {
    const { session, say } = this;
    const { frame, place, steps } = session;
    const asks = this.live && lost ? say("no_kernel") : undefined;
    const busy = this.live && frame.phase === "running" ? say("no_running") : undefined;
    const over = place >= steps && !this.live ? say("no_more") : undefined;
    const waits = asks ?? busy ?? over;
    return {
      back: place <= 0 ? say("no_earlier") : undefined,
      step: waits,
      out: waits ?? this.#noModule(),
      here: asks ?? busy ?? this.#noTarget(),
      run: this.playing || !this.live ? undefined : waits,
      stop: this.live ? asks : this.playing ? undefined : say("no_engine"),
    };
  }

  #noModule(): string | undefined {
    const { session, say } = this;
    if (this.live ? session.frame.leaves_module : this.#scopeOf(session.next)) return undefined;
    const { fragment } = session.next < 0 ? { fragment: "" } : session.code(session.next);
    return fragment === "" ? say("no_module") : say("no_module_around", { code: fragment });
  }

  #noTarget(): string | undefined {
    const { session, say } = this;
    if (session.selected === undefined) return say("no_selection");
    const step = session.stepOf(this.#target());
    if (step <= 0) return say("never_runs");
    return this.live && step <= session.engine ? say("ran_before", { step }) : undefined;
  }
}

/** Whether a module path lies in another; a leaf (undefined) belongs to the node before it. */
function inside(path: string | undefined, scope: string | undefined): boolean {
  return path === undefined || scope === undefined || path === scope || path.startsWith(`${scope}.`);
}
