/** What a screen reader says of a box, and of an edge that was followed. */

import type { Say } from "../core/words";
import { type Gradient, LOOK } from "./looks";
import type { Session } from "./session";
import type { Box, Key } from "./tree";

const MOST_NAMES = 4;

export class Speech {
  constructor(
    private readonly session: Session,
    private readonly say: Say,
  ) {}

  /** "PowBackward0, x**2, step 4 of 5, next to run. Gradient in: 1. Goes to: x." */
  box(key: Key): string {
    const { session, say } = this;
    const box = session.tree.box(key);
    if (box === undefined) return key;
    const comma = say("comma");
    const parts = [...this.#who(box)];
    const state = session.state(key);
    if (state !== "plain") parts.push(say(`state_${state}`));
    const sentences = [parts.join(comma)];
    const arrival = session.arrival(key);
    if (arrival !== undefined && arrival.look !== LOOK.notRun)
      sentences.push(say("gradient_in", { gradient: this.#gradient(arrival) }));
    if (box.kind === "leaf") sentences.push(`${box.title}.grad: ${session.grad(box.node) ?? "None"}`);
    const { down } = session.tree.neighbours(key);
    const names = down.slice(0, MOST_NAMES).map((to) => session.tree.named(to).title);
    if (names.length > 0) sentences.push(say("goes_to", { names: names.join(comma) }));
    const hits = session.query === "" ? 0 : session.hitsIn(key);
    if (hits > 0) sentences.push(say("hits", { n: hits }));
    return sentences.join(say("stop_mark"));
  }

  *#who(box: Box): Iterable<string> {
    const { session, say } = this;
    if (box.kind === "node") {
      yield `${box.title}${box.suffix}`;
      const { fragment } = session.code(box.node);
      if (fragment !== "") yield fragment;
      yield say("step_of", { step: session.stepOf(box.node), of: session.steps });
    } else if (box.kind === "leaf") {
      yield `${box.title}${say("comma")}AccumulateGrad`;
      yield say("step_of", { step: session.stepOf(box.node), of: session.steps });
    } else {
      yield box.title;
      if (box.suffix !== "") yield box.suffix;
      if (box.members > 1) yield say("identical", { n: box.members });
      yield say("nodes", { n: box.count });
      if (box.members > 1) yield* this.#range(box.key);
    }
  }

  /** Least and greatest norm in a fold: what its tiles show. */
  *#range(key: Key): Iterable<string> {
    const arrivals = this.session.membersOf(key).map((member) => this.session.arrival(member));
    const known = arrivals.filter((each): each is Gradient => each?.look === LOOK.value && Number.isFinite(each.norm));
    const sorted = known.sort((a, b) => a.norm - b.norm);
    const [low, high] = [sorted[0], sorted.at(-1)];
    if (low !== undefined && high !== undefined) yield this.say("norms", { low: low.text, high: high.text });
  }

  /** "to x, gradient 4", "to w, none, unused". */
  edge(to: Key, flow: Gradient | undefined): string {
    const name = this.session.tree.named(to).title;
    const look = flow?.look ?? LOOK.notRun;
    if (look === LOOK.zero) return this.say("to_zero", { name });
    if (look === LOOK.none) return this.say("to_none", { name });
    if (look === LOOK.notRun) return this.say(this.session.frame.mode === "look" ? "to" : "to_not_run", { name });
    return this.say("to_value", { name, gradient: flow?.text ?? "" });
  }

  #gradient({ look, text }: Gradient): string {
    return look === LOOK.none ? "None" : look === LOOK.zero ? "0" : text;
  }
}
