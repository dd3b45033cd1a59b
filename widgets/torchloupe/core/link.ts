/** The line to the kernel: whole frames come in and are acknowledged, small messages go out. */

import type { AnyModel } from "@anywidget/types";
import type { Language } from "./language";
import type { Entries } from "./words";

/** What every frame has beside its state: its number, and the words of its sentences. */
export interface Numbered {
  readonly number: number;
  readonly words: Entries;
}

export interface Traits<F> {
  frame: F & Numbered;
  spoken: string;
}

export type Reply = { readonly type: string } & Readonly<Record<string, unknown>>;

/** JupyterLab sends to the main shell, where a busy cell is in the way, until its subshell stands: say hello again. */
const FIRST_HELLO_MS = 300;
const LAST_HELLO_MS = 10_000;

/** How a front end shows that a widget's kernel is gone: a class on its element, or our extension's event. */
const DISCONNECTED = "jupyter-widgets-disconnected";
const GONE = "torchloupe-kernel-gone";

export class Link<F> {
  readonly #model: AnyModel<Traits<F>>;

  constructor(model: AnyModel<Traits<F>>) {
    this.#model = model;
  }

  /** The latest frame. */
  get frame(): F & Numbered {
    return this.#model.get("frame");
  }

  /** The language the kernel speaks. */
  get spoken(): string {
    return this.#model.get("spoken");
  }

  /** Says that a view is there, again and again until the kernel was heard: from now on frames come, at most ten a second. */
  hello(language: Language, signal: AbortSignal): void {
    const heard = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const say = (pause: number): void => {
      this.send({ type: "hello", language });
      if (heard.signal.aborted || this.frame.number > 0 || pause > LAST_HELLO_MS) return;
      timer = setTimeout(() => say(pause * 2), pause);
    };
    const hear = (): void => {
      clearTimeout(timer);
      heard.abort();
    };
    signal.addEventListener("abort", hear);
    this.onReply(hear, heard.signal);
    const framed = (): void => {
      if (this.frame.number > 0) hear();
    };
    this.#model.on("change:frame", framed);
    heard.signal.addEventListener("abort", () => this.#model.off("change:frame", framed));
    say(FIRST_HELLO_MS);
  }

  /** Sends a small message; without a kernel it goes nowhere, and `onDisconnected` has said so. */
  send(message: Reply): void {
    try {
      this.#model.send(message);
    } catch {
      // The comm is closed.
    }
  }

  /** Calls `draw` for each frame that differs from the last and acknowledges it: an open menu outlives an equal one. */
  onFrame(draw: (frame: F & Numbered) => void, signal: AbortSignal): void {
    const content = (): string => JSON.stringify({ ...this.frame, number: 0 });
    let drawn = content();
    const changed = (): void => {
      const { frame } = this;
      if (drawn !== content()) {
        drawn = content();
        draw(frame);
      }
      requestAnimationFrame(() => this.send({ type: "ack", number: frame.number }));
    };
    this.#model.on("change:frame", changed);
    signal.addEventListener("abort", () => this.#model.off("change:frame", changed));
  }

  /** Calls `receive` for each reply outside the flow of frames, with its binary buffers. */
  onReply(receive: (reply: Reply, buffers: readonly DataView[]) => void, signal: AbortSignal): void {
    const received = (message: Reply, buffers: readonly DataView[]): void => receive(message, buffers);
    this.#model.on("msg:custom", received);
    signal.addEventListener("abort", () => this.#model.off("msg:custom", received));
  }
}

/** Calls `lost` when the kernel of the lens `root` in the widget `element` has ended, or had before. */
export function onKernelGone(root: HTMLElement, element: HTMLElement, lost: () => void, signal: AbortSignal): void {
  const look = (): void => {
    if (element.closest(`.${DISCONNECTED}`) !== null) lost();
  };
  const observer = new MutationObserver(look);
  for (const holder of [element, element.parentElement]) {
    if (holder !== null) observer.observe(holder, { attributes: true, attributeFilter: ["class"] });
  }
  signal.addEventListener("abort", () => observer.disconnect());
  root.addEventListener(GONE, lost, { signal });
  look();
}
