/** The card of an operation: what came in, the rule, what went out, and what it kept for that. */

import { html, on } from "../core/element";
import type { Say } from "../core/words";
import { bars, facts, pill, section } from "./card_parts";
import { copyButton } from "./clipboard";
import { marked } from "./codeline";
import { bytes, grouped, shape } from "./figures";
import { glyph } from "./glyph";
import type { Graph } from "./graph";
import { LOOK, number, plain, type Gradient as TableGradient } from "./looks";
import type { Session } from "./session";
import { siblings } from "./siblings";
import type { Card, Gradient, Saved } from "./state";
import type { Key } from "./tree";

/** A gradient as the tables know it. */
type Known = Pick<TableGradient, "look" | "norm" | "text">;

/** What a card may ask for. */
export interface CardActions {
  select(key: Key): void;
  lookAt(node: number, slot: string): void;
}

/** A line of code that shows a saved tensor, once the kernel gave it. */
export interface Answer {
  readonly node: number;
  readonly slot: string;
  readonly text: string;
}

const SHORT = 12;
/** In a graph of so few nodes every word is said. */
const FEW = 12;

export class NodeCard {
  constructor(
    private readonly say: Say,
    private readonly session: Session,
    private readonly actions: CardActions,
  ) {}

  /** The parts for `node`; `card` is what the kernel told, if it did. */
  parts(node: number, card: Card | undefined, answer: Answer | undefined, lost: boolean): HTMLElement[] {
    return [
      ...this.#gradients(node, card),
      ...this.#saved(node, card, answer, lost),
      ...this.#source(node, card),
      ...this.#siblings(node),
      ...this.#place(node),
      ...this.#words(card),
    ];
  }

  // Gradients

  #gradients(node: number, card: Card | undefined): HTMLElement[] {
    const { session, say } = this;
    if (session.frame.mode === "look") return [];
    const step = session.stepOf(node);
    const done = step > 0 && step <= session.place;
    const into = session.arrival(`n${node}`);
    const outs = [...(session.graph?.out(node) ?? [])].map((edge) => ({
      edge,
      flow: session.flow({ source: 0, target: 0, edges: [edge] }),
    }));
    const only = outs.length === 1 ? outs[0] : undefined;
    const short = (text: string | undefined): boolean => (text ?? "").length <= SHORT;
    if (card !== undefined && card.rule !== "" && only !== undefined && short(into?.text)) {
      return [this.#formula(into, card.rule, done ? only.flow : undefined, step > session.place + 1)];
    }
    const parts = [
      section(say("gradient_in_heading"), this.#arriving(into, step > session.place ? undefined : card?.into[0])),
    ];
    if (outs.length > 0) {
      const rows = outs.map(({ edge, flow }, at) =>
        this.#leaving(edge, done ? flow : undefined, done ? card?.out_of[at] : undefined),
      );
      parts.push(section(say("gradient_out_heading"), html("table", { class: "tl-grid" }, html("tbody", {}, ...rows))));
    }
    return parts;
  }

  #formula(
    into: { look: number; text: string } | undefined,
    rule: string,
    out: { look: number; text: string } | undefined,
    far: boolean,
  ): HTMLElement {
    const part = (heading: string, what: HTMLElement): HTMLElement => html("div", {}, html("h4", {}, heading), what);
    return html(
      "div",
      { class: "tl-formula" },
      part(this.say("gradient_in_heading"), pill(into ?? null)),
      html("span", { class: "tl-sign" }, "×"),
      part(this.say("rule_heading"), html("code", { class: "tl-rule" }, rule)),
      html("span", { class: "tl-sign" }, "="),
      part(this.say("gradient_out_heading"), pill(far ? null : out)),
    );
  }

  #arriving(gradient: Known | undefined, told: Gradient | undefined): HTMLElement {
    if (gradient !== undefined && gradient.look !== LOOK.notRun) return facts([...this.#numbers(gradient, told)]);
    return html("p", { class: "tl-quiet" }, this.say("look_not_run"));
  }

  /** The norm, and what else the kernel told of a gradient. */
  *#numbers(gradient: Known, told: Gradient | undefined): Iterable<readonly [string, Node | string]> {
    const { say } = this;
    const known = told !== undefined && told.look !== LOOK.none ? told : undefined;
    if (known) yield [say("fact_shape"), html("span", {}, html("code", {}, shape(known.shape)), ` ${known.dtype}`)];
    const value = known?.text || gradient.text;
    if (value !== "") yield [say("fact_value"), html("b", {}, plain(value))];
    const norm = gradient.look === LOOK.none ? "None" : number(gradient.norm);
    if (value === "" || value.startsWith("[")) yield [say("fact_norm"), html(value === "" ? "b" : "span", {}, norm)];
    if (known !== undefined) yield* this.#statistics(known);
  }

  *#statistics({ smallest, largest, mean, zeros, nonfinite }: Gradient): Iterable<readonly [string, string]> {
    const { say } = this;
    if (smallest !== null && largest !== null) yield [say("fact_range"), `${number(smallest)}, ${number(largest)}`];
    if (mean !== null) yield [say("fact_mean"), number(mean)];
    const bad = nonfinite === 0 ? say("no_nan") : grouped(nonfinite);
    yield [say("fact_zeros"), `${percent(zeros ?? 0)} %${say("comma")}${bad}`];
  }

  #leaving(edge: number, flow: Known | undefined, told: Gradient | undefined): HTMLElement {
    const { session } = this;
    const target = session.graph?.edges.target[edge] ?? -1;
    const name = told?.name || session.tree.named(`n${target}`).title;
    const to = html("button", { type: "button", class: "tl-link" }, name);
    on(to, "click", () => this.actions.select(`n${target}`));
    const bad =
      told !== undefined && told.nonfinite > 0
        ? this.say("of", { n: grouped(told.nonfinite), of: grouped(told.numel) })
        : "";
    const coming = session.next >= 0 && session.graph?.edges.source[edge] === session.next;
    const sent = html("td", {}, pill(flow ?? (coming ? undefined : null)));
    return html("tr", {}, html("th", { scope: "row" }, to), sent, html("td", { class: "tl-quiet" }, bad));
  }

  // What was saved

  #saved(node: number, card: Card | undefined, answer: Answer | undefined, lost: boolean): HTMLElement[] {
    const { say, session } = this;
    if (card === undefined) {
      const kept = session.graph?.nodes.bytes[node] ?? 0;
      return kept > 0 ? [section(say("saved_heading"), html("p", {}, bytes(kept)))] : [];
    }
    if (card.saved.length === 0) return [];
    const freed = session.frame.phase === "freed";
    const rows = card.saved.map((saved) => this.#slot(node, saved, answer, freed || lost));
    const table = html("table", { class: freed ? "tl-grid tl-freed" : "tl-grid" }, html("tbody", {}, ...rows));
    return [section(say("saved_heading"), table)];
  }

  #slot(node: number, saved: Saved, answer: Answer | undefined, unreadable: boolean): HTMLElement {
    const { say } = this;
    const what = html("td", {});
    if (saved.shape === null) what.append(html("code", {}, saved.text));
    else {
      const owner = saved.owner === "" ? [] : [html("code", {}, saved.owner), " "];
      what.append(
        ...owner,
        html("span", { class: "tl-quiet" }, `${saved.dtype} ${shape(saved.shape)} ${bytes(saved.nbytes)}`),
      );
      const notes = [
        saved.owner === "" ? "" : say("no_copy", { name: saved.owner }),
        saved.version === null ? "" : say("version", { n: saved.version }),
      ];
      const said = notes.filter((note) => note !== "").join(say("comma"));
      if (said !== "") what.append(html("div", { class: "tl-quiet" }, said));
    }
    const look = html("td", { class: "tl-look" });
    if (saved.readable && !unreadable) {
      const label = say("look_at");
      const button = html(
        "button",
        { type: "button", class: "tl-icon-button", "aria-label": label, title: label },
        glyph("cells"),
      );
      on(button, "click", () => this.actions.lookAt(node, saved.slot));
      look.append(button);
    }
    if (answer !== undefined && answer.node === node && answer.slot === saved.slot) {
      const copy = copyButton(answer.text, say("copy"), say("copied"));
      what.append(
        html("div", { class: "tl-answer", role: "status" }, html("code", { class: "tl-code" }, answer.text), copy),
      );
    }
    return html("tr", {}, html("th", { scope: "row" }, html("code", {}, saved.slot)), what, look);
  }

  // Where it comes from

  #source(node: number, card: Card | undefined): HTMLElement[] {
    const { say } = this;
    const { fragment } = this.session.code(node);
    if (card === undefined || card.code === "") {
      return fragment === ""
        ? []
        : [section(say("source_heading"), html("pre", { class: "tl-source" }, marked(fragment, fragment)))];
    }
    const heading =
      card.line > 0 ? say("source_at", { place: placeName(card.place, say), line: card.line }) : say("source_heading");
    return [section(heading, html("pre", { class: "tl-source" }, marked(card.code.trim(), card.fragment || fragment)))];
  }

  #siblings(node: number): HTMLElement[] {
    const { session, say } = this;
    if (session.graph === undefined || session.frame.mode === "look") return [];
    const found = siblings(session.graph, node);
    if (found === undefined || found.keys.length < 2) return [];
    const choose = (key: Key): void => this.actions.select(key);
    const heading =
      found.cls === ""
        ? say("same_place", { n: found.keys.length })
        : say("same_place_of", { n: found.keys.length, cls: found.cls });
    return [section(heading, bars(found.keys, found.names, found.own, session, choose))];
  }

  /** Why it runs when it does, and which module it stands in. */
  #place(node: number): HTMLElement[] {
    const { session, say } = this;
    const { graph } = session;
    if (graph === undefined || session.frame.mode === "look" || graph.leafOf(node) >= 0) return [];
    const parts: HTMLElement[] = [];
    const name = (each: number): string => session.code(each).fragment || session.tree.named(`n${each}`).title;
    const newer = newerSibling(node, graph, (each) => session.stepOf(each));
    if (newer !== undefined) {
      const words = say("older_goes_later", { code: name(node), newer: name(newer) });
      parts.push(section(say("order_heading"), html("p", {}, words)));
    }
    const scope = graph.string(graph.nodes.scope[node] ?? -1);
    if (scope === "" && session.frame.nodes <= FEW) {
      parts.push(section(say("column_module"), html("p", {}, say("no_module_around", { code: name(node) }))));
    }
    return parts;
  }

  #words(card: Card | undefined): HTMLElement[] {
    const { say } = this;
    if (card === undefined) return [];
    const parts: HTMLElement[] = [];
    if (card.notes.length > 0)
      parts.push(html("section", {}, ...card.notes.map(({ id, args }) => html("p", {}, say(id, args)))));
    const list = (heading: string, items: readonly string[]): void => {
      if (items.length === 0) return;
      parts.push(section(heading, html("ul", {}, ...items.map((item) => html("li", {}, html("code", {}, item))))));
    };
    list(say("hooks_heading"), card.hooks);
    list(say("context_heading"), card.context);
    return parts;
  }
}

/** An operation that gets its gradient from the same node and runs before `node`, because it is newer. */
function newerSibling(node: number, graph: Graph, stepOf: (node: number) => number): number | undefined {
  const { source, target } = graph.edges;
  for (const edge of graph.into(node)) {
    for (const other of graph.out(source[edge] ?? -1)) {
      const to = target[other] ?? -1;
      if (to !== node && graph.leafOf(to) < 0 && stepOf(to) > 0 && stepOf(to) < stepOf(node)) return to;
    }
  }
  return undefined;
}

function percent(share: number): string {
  return (100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0);
}

const CELL = /^In\[(\d+)\]$/;

/** A cell by its number, anything else as it is called. */
function placeName(place: string, say: Say): string {
  const number = CELL.exec(place)?.[1];
  return number === undefined ? place : say("cell", { n: number });
}
