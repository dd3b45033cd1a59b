/** What a screen reader is told while steps are made: one sentence a step, one every two seconds while it runs. */

import { html } from "../core/element";
import type { Say } from "../core/words";
import { LOOK } from "./looks";
import type { Session } from "./session";

const RUNNING_MS = 2000;
const PAUSE_MS = 150;
const MOST_SENT = 3;

export class Announcer {
  readonly element = html("div", {});
  readonly #polite = html("div", { class: "tl-speech", "aria-live": "polite", role: "status" });
  readonly #urgent = html("div", { class: "tl-speech", "aria-live": "assertive", role: "alert" });
  #timer: ReturnType<typeof setTimeout> | undefined;
  #at = 0;
  #place = 0;
  #began = false;
  #bad = false;

  constructor(
    private readonly say: Say,
    private readonly session: Session,
  ) {
    this.#place = session.place;
    this.element.append(this.#polite, this.#urgent);
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  /** Says `words` when nothing newer comes at once. */
  tell(words: string, pause = PAUSE_MS): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#at = Date.now();
      this.#polite.textContent = words;
    }, pause);
  }

  /** Tells what the last step did. */
  step(): void {
    const { session } = this;
    const { place } = session;
    const began = this.#began;
    this.#began = session.graph !== undefined;
    if (place === this.#place || !began) {
      this.#place = place;
      return;
    }
    const forward = place > this.#place;
    this.#place = place;
    if (session.firstBad >= 0 && !this.#bad) this.#urgent.textContent = this.say("nan_born");
    this.#bad = session.firstBad >= 0;
    const words = forward
      ? this.#done(place)
      : this.say("before_step", { step: place + 1, of: session.steps, title: this.#title(session.next) });
    const running = session.frame.phase === "running";
    this.tell(words, running ? Math.max(RUNNING_MS - (Date.now() - this.#at), PAUSE_MS) : PAUSE_MS);
  }

  #title(node: number): string {
    return node < 0 ? "" : this.session.tree.named(`n${node}`).title;
  }

  #done(step: number): string {
    const { session, say } = this;
    const { graph } = session;
    const node = session.nodeAt(step);
    const sentences = [say("step_done", { step, of: session.steps })];
    if (graph === undefined) return sentences.join(" ");
    for (const edge of graph.out(node).slice(0, MOST_SENT)) sentences.push(...this.#sent(node, edge));
    if (graph.leafOf(node) >= 0) {
      const { sentence } = session.gradSentence(node);
      sentences.push(`${this.#title(node)}.grad: ${say(sentence.id, sentence.args)}`);
    }
    return sentences.join(" ");
  }

  /** What went through an edge, and how many gradients its leaf has by now. */
  *#sent(node: number, edge: number): Iterable<string> {
    const { session, say } = this;
    const target = session.graph?.edges.target[edge] ?? -1;
    const flow = session.flow({ source: 0, target: 0, edges: [edge] });
    if (flow === undefined || flow.look === LOOK.notRun) return;
    yield say("sent", { title: this.#title(node), gradient: flow.text, name: this.#title(target) });
    if ((session.graph?.leafOf(target) ?? -1) < 0) return;
    const { arrived, of } = session.well(target);
    if (of > 1) yield say("arrived", { in: arrived, of });
  }
}
