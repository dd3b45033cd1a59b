/** The strides lens in the browser: frames in, actions out. */

import type { RenderProps } from "@anywidget/types";
import { html, nearest, on } from "../core/element";
import { ownKeys } from "../core/keys";
import { type Language, onLanguage, pageLanguage } from "../core/language";
import { Link, type Numbered, onKernelGone, type Traits } from "../core/link";
import { type Entries, type Say, speaker } from "../core/words";
import { adviceBlock } from "./advice";
import { type Actions, Bar } from "./bar";
import { factsRow } from "./facts";
import { Formula } from "./formula";
import { NARROW } from "./layout";
import type { Pointing } from "./pointing";
import { errorText, refusalPane } from "./refusal";
import { Samples } from "./samples";
import { Speech } from "./speech";
import { Stage } from "./stage";
import type { Cells, Frame, Sentence } from "./state";
import entries from "./words.json";

const WIDEST = 928;

class StridesView {
  readonly #root = html("div", { class: "torchloupe-lens torchloupe-strides" });
  readonly #body = html("div", { class: "tl-body" });
  readonly #foot = html("div", { class: "tl-foot" });
  readonly #say: Say;
  readonly #samples: Samples;
  readonly #bar: Bar;
  readonly #stage: Stage;
  readonly #formula: Formula;
  readonly #speech: Speech;
  #frame: Frame;
  #words: Entries;
  #width = 0;
  #lost = false;
  #pointing: Pointing | undefined;

  constructor(
    private readonly link: Link<Frame>,
    element: HTMLElement,
    signal: AbortSignal,
  ) {
    this.#frame = link.frame;
    this.#words = link.frame.words;
    this.#say = speaker(
      entries,
      () => this.#words,
      () => this.#language(),
    );
    this.#samples = new Samples((tensor, cells) => link.send({ type: "sample", tensor, cells }));
    this.#bar = new Bar(this.#say, this.#actions());
    this.#stage = new Stage(this.#say, this.#samples, (pointing) => this.#onPointed(pointing));
    this.#formula = new Formula(this.#say, this.#samples);
    this.#speech = new Speech(this.#say, this.#samples);
    this.#root.append(this.#bar.element, this.#body, this.#foot, this.#speech.element);
    element.append(this.#root);
    this.#take(this.#frame);
    this.#listen(element, signal);
  }

  #language(): Language {
    return pageLanguage(this.link.spoken);
  }

  #actions(): Actions {
    const { link } = this;
    return {
      apply: (operation, args, tensor) => link.send({ type: "apply", operation, arguments: args, tensor }),
      edit: (index, text) => link.send({ type: "edit", index, text }),
      actOn: (tensor) => link.send({ type: "act_on", tensor }),
      undo: () => link.send({ type: "undo" }),
      redo: () => link.send({ type: "redo" }),
    };
  }

  #listen(element: HTMLElement, signal: AbortSignal): void {
    const sized = new ResizeObserver(() => this.#onResize());
    sized.observe(this.#root);
    signal.addEventListener("abort", () => sized.disconnect());
    this.link.onFrame((frame) => this.#onFrame(frame), signal);
    this.link.onReply((reply) => this.#onReply(reply), signal);
    onLanguage(() => {
      this.link.send({ type: "language", language: this.#language() });
      this.#draw(false);
    }, signal);
    const lost = (): void => {
      this.#lost = true;
      this.#draw(false);
    };
    onKernelGone(this.#root, element, lost, signal);
    ownKeys(this.#root, owned, signal);
    on(this.#root, "keydown", (event) => this.#onKey(event));
    on(this.#root, "pointerdown", (event) => {
      if (nearest(event.target, ".tl-menu") === null) this.#bar.closeMenus();
    });
    this.link.hello(this.#language(), signal);
  }

  #onResize(): void {
    const width = Math.min(WIDEST, Math.floor(this.#root.clientWidth - this.#padding() * 2));
    if (width <= 0 || width === this.#width) return;
    const first = this.#width === 0;
    this.#width = width;
    this.#draw(false);
    if (first) requestAnimationFrame(() => performance.mark("torchloupe:strides:paint"));
  }

  #padding(): number {
    return this.#root.clientWidth <= 560 ? 12 : 16;
  }

  /** Keeps what is known of values unless they have changed. */
  #take(frame: Frame): void {
    const versions = new Map(this.#frame.tensors.map((tensor) => [tensor.id, tensor.version]));
    const changed = frame.tensors.some(
      (tensor) => versions.has(tensor.id) && versions.get(tensor.id) !== tensor.version,
    );
    const differs = frame.cells.some(({ tensor, cells, labels }) =>
      cells.some((cell, at) => {
        const known = this.#samples.get(tensor, cell);
        return known !== undefined && known.label !== labels[at];
      }),
    );
    if (changed || differs) this.#samples.forget();
    for (const cells of frame.cells) this.#samples.take(cells);
    this.#frame = frame;
  }

  #onFrame(frame: Frame & Numbered): void {
    const before = this.#frame.step;
    this.#words = frame.words;
    this.#take(frame);
    const moved = frame.step !== null && frame.step.line !== before?.line;
    this.#draw(moved);
    if (moved) this.#speech.step(frame);
  }

  #onReply(reply: { readonly type: string } & Readonly<Record<string, unknown>>): void {
    if (reply.type === "cells") {
      this.#samples.take(reply as unknown as Cells);
      this.#stage.showValues();
      this.#showFormula();
    } else if (reply.type === "invalid") {
      const { id, args } = reply.sentence as Sentence;
      this.#words = { ...this.#words, ...(reply.words as Entries) };
      this.#bar.showInvalid(this.#say(id, args));
    } else if (reply.type === "fault") {
      this.#bar.showInvalid(this.#say("fault", { text: String(reply.text) }));
    }
  }

  #onKey(event: KeyboardEvent): void {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z") return;
    if (event.target instanceof HTMLInputElement && event.target.classList.contains("tl-argument")) return;
    this.link.send({ type: event.shiftKey ? "redo" : "undo" });
    event.preventDefault();
    event.stopPropagation();
  }

  #onPointed(pointing: Pointing | undefined): void {
    this.#pointing = pointing;
    this.#showFormula();
    this.#speech.pointing(pointing);
  }

  #showFormula(): void {
    const { tensors, active } = this.#frame;
    const tensor = tensors.find((item) => item.id === active && item.storage >= 0 && item.numel > 0);
    const sharing = tensors.filter((item) => item.storage === tensor?.storage);
    this.#formula.show(this.#pointing, tensor, sharing.length);
  }

  #draw(moved: boolean): void {
    if (this.#width === 0) return;
    const frame = this.#frame;
    const narrow = this.#width <= NARROW;
    this.#root.classList.toggle("tl-narrow", narrow);
    this.#root.classList.toggle("tl-stale", this.#lost);
    this.#bar.show(frame, narrow, this.#lost);
    const refusal = frame.step?.refusal ?? null;
    const advice = frame.advice.map((item) => adviceBlock(item, this.#say, this.#actions(), !this.#lost));
    const facts = factsRow(frame, this.#say);
    if (refusal === null) {
      this.#body.replaceChildren(
        ...(facts ? [facts] : []),
        ...this.#notes(),
        this.#stage.element,
        this.#formula.element,
        ...advice,
      );
      this.#stage.draw(frame, this.#width, moved);
      this.#showFormula();
    } else {
      const source = frame.step?.source ?? 0;
      const tensor = frame.tensors.find((item) => item.id === source);
      const storage = frame.storages.find((item) => item.id === tensor?.storage);
      const total = storage && tensor ? Math.floor(storage.nbytes / tensor.itemsize) : 0;
      this.#body.replaceChildren(
        refusalPane(refusal, source, total, this.#width, this.#say),
        ...advice,
        errorText(refusal, this.#say),
      );
    }
    this.#foot.replaceChildren(...this.#status());
  }

  #notes(): HTMLElement[] {
    return this.#frame.tensors
      .filter((tensor) => tensor.notes.length > 0)
      .map((tensor) => {
        const words = tensor.notes.map((note) => this.#say(note.id, note.args)).join(" ");
        return html("p", { class: "tl-note" }, html("b", {}, tensor.name), ` ${words}`);
      });
  }

  /** What makes the picture an old one, and the way to a new one. */
  #status(): HTMLElement[] {
    const { status } = this.#frame;
    if (this.#lost) {
      const row = html("div", { class: "tl-status", role: "status" }, html("span", {}, this.#say("kernel_gone")));
      if (document.documentElement.dataset.torchloupeLang !== undefined) row.append(this.#runButton());
      return [row];
    }
    if (status === null) return [];
    return [html("div", { class: "tl-status", role: "status" }, this.#say(status.id, status.args))];
  }

  #runButton(): HTMLButtonElement {
    const button = html("button", { type: "button", class: "tl-primary-button" }, this.#say("run_cell"));
    on(button, "click", () => this.#root.dispatchEvent(new CustomEvent("torchloupe-run-cell", { bubbles: true })));
    return button;
  }
}

const TRAVEL = new Set([
  "ArrowLeft",
  "ArrowRight",
  "ArrowUp",
  "ArrowDown",
  "PageUp",
  "PageDown",
  "Home",
  "End",
  "Enter",
  "Escape",
  " ",
  "s",
  "S",
]);

/** The keys the lens takes while it has focus; all others go to JupyterLab. */
function owned(event: KeyboardEvent): boolean {
  const target = event.target;
  const control = event.ctrlKey || event.metaKey;
  if (control && event.key.toLowerCase() === "z") return true;
  if (target instanceof HTMLInputElement || nearest(target, "[role=menu]") !== null) {
    return !control && !event.altKey;
  }
  return TRAVEL.has(event.key) && !event.altKey && (!control || event.key === "Home" || event.key === "End");
}

export default {
  render({ model, el }: RenderProps<Traits<Frame>>): () => void {
    const gone = new AbortController();
    new StridesView(new Link<Frame>(model), el, gone.signal);
    return () => gone.abort();
  },
};
