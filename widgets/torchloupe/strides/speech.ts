/** What a screen reader is told: one polite message at a time, at most one per quarter second. */

import { html } from "../core/element";
import type { Say } from "../core/words";
import { grouped } from "./axis";
import type { Hit, Pointing } from "./pointing";
import type { Samples } from "./samples";
import type { Frame } from "./state";

const PAUSE_MS = 250;

export class Speech {
  readonly element = html("div", { class: "tl-speech", "aria-live": "polite", role: "status" });
  #timer: number | undefined;

  constructor(
    private readonly say: Say,
    private readonly samples: Samples,
  ) {}

  /** An element or a storage cell. */
  pointing(pointing: Pointing | undefined): void {
    if (pointing !== undefined)
      this.#later(pointing.lead ? this.#element(pointing.lead, pointing) : this.say("unreached"));
  }

  /** What an operation did. */
  step(frame: Frame): void {
    const { step } = frame;
    if (step === null) return;
    if (step.refusal !== null) {
      const { heading } = step.refusal;
      const reason = this.say(heading.id, heading.args);
      this.#later(this.say("say_refused", { line: step.line, reason, ways: frame.advice[0]?.ways.length ?? 0 }));
      return;
    }
    const result = frame.tensors.find((tensor) => tensor.id === step.result);
    if (result === undefined) return;
    const outcome = this.say(step.outcome);
    const facts = { shape: result.shape.join(", "), stride: result.stride.join(", ") };
    this.#later(this.say("say_step", { line: step.line, outcome, ...facts }));
  }

  #element(lead: Hit, pointing: Pointing): string {
    const { tensor, index, cell } = lead;
    const sentence = this.say("say_element", {
      element: `${tensor.name} ${index.join(", ")}`,
      value: this.samples.get(tensor.id, cell)?.value ?? "",
      cell: grouped(cell),
      byte: grouped(cell * tensor.itemsize),
    });
    if (pointing.count <= 1) return sentence;
    const also = pointing.twins.slice(0, 2).map((hit) => `${hit.tensor.name} ${hit.index.join(", ")}`);
    return `${sentence} ${this.say("say_readers", { count: pointing.count, also: also.join("; ") })}`;
  }

  #later(words: string): void {
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => (this.element.textContent = words), PAUSE_MS);
  }
}
