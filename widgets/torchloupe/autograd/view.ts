/** The autograd lens in the browser: frames and tables in, actions out. */

import type { RenderProps } from "@anywidget/types";
import { nearest, on } from "../core/element";
import { ownKeys } from "../core/keys";
import { type Language, onLanguage, pageLanguage } from "../core/language";
import { Link, onKernelGone, type Reply, type Traits } from "../core/link";
import { Tables } from "../core/tables";
import { type Entries, type Say, speaker } from "../core/words";
import { Deeds } from "./deeds";
import { saveReply } from "./export";
import type { TableName } from "./graph";
import { belongsInside, deedOf } from "./keyboard";
import { Panels } from "./panels";
import { Session } from "./session";
import type { Frame, Rows } from "./state";
import entries from "./words.json";

/** A kernel that was not heard for so long cannot be reached. */
const DEAF_MS = 20_000;

class AutogradView {
  readonly #say: Say;
  readonly #tables: Tables<TableName>;
  readonly #session: Session;
  readonly #panels: Panels;
  readonly #deeds: Deeds;
  #words: Entries;
  #asked = 0;
  #lost = false;
  #deaf = false;
  #heard = new Date();
  #greeted = -1;

  constructor(
    private readonly link: Link<Frame>,
    element: HTMLElement,
    signal: AbortSignal,
  ) {
    const { frame } = link;
    this.#words = frame.words;
    this.#say = speaker(
      entries,
      () => this.#words,
      () => this.#language(),
    );
    const send = (message: Reply): void => link.send(message);
    this.#tables = new Tables<TableName>(link, () => this.#session.grown());
    this.#session = new Session(frame, this.#tables, send);
    this.#panels = new Panels(this.#say, this.#session, {
      show: (key) => this.#deeds.show(key),
      choices: () => this.#deeds.choices(),
      leaveSearch: () => this.#deeds.leaveSearch(),
      send,
    });
    const ask = (): void => this.#ask();
    this.#deeds = new Deeds(this.#say, this.#session, this.#panels, { ask, send, lost: () => this.#lost });
    element.append(this.#panels.root);
    this.#tables.want(frame.epoch, inOrder(frame.rows));
    this.#listen(element, signal);
  }

  #language(): Language {
    return pageLanguage(this.link.spoken);
  }

  #listen(element: HTMLElement, signal: AbortSignal): void {
    const sized = new ResizeObserver(() => this.#onResize());
    sized.observe(this.#panels.root);
    const deaf = setTimeout(() => {
      this.#deaf = true;
      this.#ask();
    }, DEAF_MS);
    const hear = (): void => {
      clearTimeout(deaf);
      this.#deaf = false;
      this.#heard = new Date();
    };
    const forget = this.#session.onChange((change) => {
      if (change === "tables") this.#greet();
      this.#ask();
    });
    signal.addEventListener("abort", () => {
      sized.disconnect();
      clearTimeout(deaf);
      cancelAnimationFrame(this.#asked);
      forget();
      this.#tables.close();
      this.#panels.close();
    });
    this.link.onFrame((frame) => {
      hear();
      this.#words = frame.words;
      this.#tables.want(frame.epoch, inOrder(frame.rows));
      this.#session.accept(frame);
      this.#ask();
    }, signal);
    this.link.onReply((reply, buffers) => {
      hear();
      this.#onReply(reply, buffers);
    }, signal);
    onLanguage(() => {
      this.link.send({ type: "language", language: this.#language() });
      this.#ask();
    }, signal);
    const lost = (): void => {
      this.#lost = true;
      this.#ask();
    };
    onKernelGone(this.#panels.root, element, lost, signal);
    ownKeys(this.#panels.root, (event) => deedOf(event) !== undefined || belongsInside(event), signal);
    on(this.#panels.root, "keydown", (event) => this.#onKey(event));
    on(this.#panels.root, "pointerdown", ({ target }) => {
      if (nearest(target, ".tl-menu") === null) this.#panels.header.closeMenu();
      if (nearest(target, ".tl-keys") === null) this.#deeds.closeKeys(false);
    });
    this.link.hello(this.#language(), signal);
  }

  /** The graph is there: where no gradients are, colours show what is kept. */
  #greet(): void {
    const session = this.#session;
    if (this.#greeted === session.frame.epoch || session.graph === undefined) return;
    this.#greeted = session.frame.epoch;
    if (session.frame.mode === "look") session.colourBy("bytes");
  }

  #onReply(reply: Reply, buffers: readonly DataView[]): void {
    if (reply.words !== undefined) this.#words = { ...this.#words, ...(reply.words as Entries) };
    this.#tables.receive(reply, buffers);
    this.#panels.card.receive(reply);
    saveReply(reply, this.#session.frame.name);
    if (reply.type === "fault") this.#panels.announcer.tell(this.#say("fault", { text: String(reply.text) }));
  }

  #onResize(): void {
    const panels = this.#panels;
    const width = Math.floor(panels.root.clientWidth);
    if (width <= 0 || width === panels.width) return;
    const first = panels.width === 0;
    panels.width = width;
    this.#draw();
    if (first) requestAnimationFrame(() => performance.mark("torchloupe:autograd:paint"));
  }

  #onKey(event: KeyboardEvent): void {
    const deed = deedOf(event);
    if (deed === undefined || event.defaultPrevented || !this.#deeds.do(deed)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  #ask(): void {
    if (this.#asked !== 0) return;
    this.#asked = requestAnimationFrame(() => {
      this.#asked = 0;
      this.#draw();
    });
  }

  #draw(): void {
    this.#panels.draw({
      busy: !this.#tables.whole && !this.#lost,
      lost: this.#lost,
      heard: this.#heard.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" }),
      deaf: this.#deaf,
      runnable: document.documentElement.dataset.torchloupeLang !== undefined,
    });
  }
}

/** What is needed first comes first. */
function inOrder(rows: Rows): Rows {
  const { strings, groups, nodes, edges, leaves, steps, arrivals, flows } = rows;
  return { strings, groups, nodes, edges, leaves, steps, arrivals, flows };
}

export default {
  render({ model, el }: RenderProps<Traits<Frame>>): () => void {
    const gone = new AbortController();
    new AutogradView(new Link<Frame>(model), el, gone.signal);
    return () => gone.abort();
  },
};
