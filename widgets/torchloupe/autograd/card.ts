/** The card beside the picture: of the selected box, else of what runs next, else of the whole. */

import { html, on } from "../core/element";
import { runBelow } from "../core/host";
import type { Reply } from "../core/link";
import type { Say } from "../core/words";
import { groupParts } from "./card_group";
import { leafParts } from "./card_leaf";
import { type Answer, type CardActions, NodeCard } from "./card_node";
import { facts, section } from "./card_parts";
import { grouped } from "./figures";
import { glyph } from "./glyph";
import type { Session } from "./session";
import type { Card } from "./state";
import type { Key } from "./tree";

/** So many steps are all in sight. */
const FEW = 12;
/** Larger numbers do not fit a badge. */
const MOST_ON_BADGE = 999;
/** A lost question is asked again after this long. */
const PATIENCE_MS = 2500;
/** While steps fly by no card is asked for. */
const REST_MS = 90;

export interface CardDoors extends Pick<CardActions, "select"> {
  send(message: Reply): void;
  close(): void;
}

export class CardPanel {
  readonly element = html("div", { class: "tl-card", role: "region" });
  readonly #node: NodeCard;
  readonly #cards = new Map<string, Card | null>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #answer: Answer | undefined;
  #slot = "";
  #lost = false;

  constructor(
    private readonly say: Say,
    private readonly session: Session,
    private readonly doors: CardDoors,
  ) {
    const lookAt = (node: number, slot: string): void => {
      this.#slot = slot;
      doors.send({ type: "look_at", node, slot });
    };
    this.#node = new NodeCard(say, session, { select: doors.select, lookAt });
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  /** What the card is about; undefined: the whole. */
  get subject(): Key | undefined {
    const { selected, next, frame } = this.session;
    if (selected !== undefined) return selected;
    return next >= 0 && frame.mode !== "look" ? `n${next}` : undefined;
  }

  /** Takes the kernel's answer to a question of this card. */
  receive(reply: Reply): void {
    if (reply.type === "card") {
      const card = reply.card as Card | null;
      this.#cards.set(this.#name(Number(reply.node)), card);
      this.show(this.#lost);
    } else if (reply.type === "code") {
      const node = Number(this.subject?.slice(1));
      const text = String(reply.text);
      // A cell below would wait for the engine that waits here, and find the tensor freed.
      const waits = this.session.frame.phase === "waiting";
      this.#answer = !waits && runBelow(this.element, text) ? undefined : { node, slot: this.#slot, text };
      this.show(this.#lost);
    }
  }

  /** A card is another one before its node ran, while it is next, and after. */
  #name(node: number): string {
    const { frame, engine } = this.session;
    const step = this.session.stepOf(node);
    const when = step > 0 && step <= engine ? 2 : step === engine + 1 ? 1 : 0;
    return `${frame.epoch} ${node} ${when} ${frame.phase === "freed"}`;
  }

  #told(node: number): Card | undefined {
    const name = this.#name(node);
    const known = this.#cards.get(name);
    clearTimeout(this.#timer);
    if (known === undefined && !this.#lost && this.session.frame.phase !== "running") {
      const ask = (): void => {
        this.doors.send({ type: "card", node });
        this.#timer = setTimeout(ask, PATIENCE_MS);
      };
      this.#timer = setTimeout(ask, REST_MS);
    }
    return known ?? undefined;
  }

  show(lost: boolean): void {
    this.#lost = lost;
    const key = this.subject;
    const { scrollTop } = this.element;
    this.element.setAttribute("aria-label", this.say("card"));
    this.element.replaceChildren(...(key === undefined ? this.#whole() : this.#of(key)));
    this.element.scrollTop = scrollTop;
  }

  // A box

  #of(key: Key): HTMLElement[] {
    const { session, say } = this;
    const node = key.startsWith("n") ? Number(key.slice(1)) : -1;
    const leaf = node >= 0 && (session.graph?.leafOf(node) ?? -1) >= 0;
    if (node < 0) return [this.#head(key), ...groupParts(key, session, say, this.doors.select), ...this.#reach(key)];
    const card = this.#told(node);
    const parts = leaf
      ? [
          ...leafParts(node, session, say, this.doors.select),
          ...this.#node.parts(node, card && { ...card, rule: "", into: [] }, undefined, true).slice(1),
        ]
      : this.#node.parts(node, card, this.#answer, this.#lost);
    return [this.#head(key), ...parts, ...this.#reach(key)];
  }

  #head(key: Key): HTMLElement {
    const { session, say } = this;
    const { title, suffix } = session.tree.named(key);
    const node = key.startsWith("n") ? Number(key.slice(1)) : -1;
    const step = node < 0 ? 0 : session.stepOf(node);
    const badge =
      step > 0 && step <= MOST_ON_BADGE
        ? html("span", { class: `tl-badge-disc tl-is-${session.state(key)}` }, String(step))
        : undefined;
    const label = say("close_card");
    const close = html("button", {
      type: "button",
      class: "tl-icon-button tl-close",
      "aria-label": label,
      title: label,
    });
    close.append(glyph("close"));
    on(close, "click", () => this.doors.close());
    const after = node < 0 && suffix !== "" ? ` ${suffix}` : suffix;
    const heading = html("h3", {}, title, html("span", { class: "tl-suffix" }, after));
    const words = html("p", {}, ...this.#where(key, node, step));
    return html(
      "header",
      {},
      badge,
      html("div", {}, heading, words),
      session.selected === undefined ? undefined : close,
    );
  }

  /** The module of a node, its state, and its step among many. */
  *#where(key: Key, node: number, step: number): Iterable<Node | string> {
    const { session, say } = this;
    const scope = session.graph?.string(session.graph.nodes.scope[node] ?? -1) ?? "";
    if (scope !== "") {
      yield html("code", {}, scope);
      yield " ";
    }
    const state = session.state(key);
    const many = step > 0 && session.steps > FEW;
    if (state !== "plain" && !(many && state === "done")) {
      yield say(`state_${state}`);
      if (many) yield say("comma");
    }
    if (many) yield html("span", {}, say("step_of", { step: grouped(step), of: grouped(session.steps) }));
  }

  #reach(key: Key): HTMLElement[] {
    const { session, say } = this;
    if (session.graph === undefined || session.frame.nodes <= FEW) return [];
    const up = session.upstream(key);
    const down = session.downstream(key);
    return [
      section(
        say("reach"),
        html(
          "p",
          {},
          html("i", { class: "tl-way" }, "▲"),
          ` ${say("upstream", { n: grouped(up.nodes), count: up.nodes })}`,
        ),
        html(
          "p",
          {},
          html("i", { class: "tl-way" }, "▼"),
          ` ${say("downstream", { n: grouped(down.nodes), count: down.nodes, p: grouped(down.parameters) })}`,
        ),
      ),
    ];
  }

  // The whole

  #whole(): HTMLElement[] {
    const { session, say } = this;
    const { frame } = session;
    const rows: [string, Node | string][] = frame.roots.map((root) => {
      const size = html(
        "span",
        {},
        html("code", {}, root.value === "" ? `(${root.shape.join(", ")})` : root.value),
        ` ${root.dtype}`,
      );
      return [root.name, size];
    });
    rows.push([say("fact_nodes"), grouped(frame.nodes)], [say("fact_edges"), grouped(frame.edges)]);
    const parameters = session.graph?.leaves.parameter
      .subarray(0, session.graph.leaves.count)
      .reduce((sum, each) => sum + each, 0);
    if (parameters) rows.push([say("fact_parameters"), grouped(parameters)]);
    const parts = [
      html("header", {}, html("div", {}, html("h3", {}, frame.name), html("p", {}, say("whole")))),
      facts(rows),
    ];
    if (frame.others.length > 0) {
      const others = frame.others.map((other) => html("li", {}, html("code", {}, other)));
      parts.push(section(say("others"), html("ul", {}, ...others)));
    }
    return parts;
  }
}
