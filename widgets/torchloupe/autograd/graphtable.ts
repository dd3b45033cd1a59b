/** The same record as a table: one row a step, of any length; only the rows that are seen are in the page. */

import { html, on } from "../core/element";
import type { Say } from "../core/words";
import { bytes, grouped } from "./figures";
import { LOOK } from "./looks";
import type { Session } from "./session";
import type { Key } from "./tree";

const ROW_H = 24;
const BEYOND = 8;
const MOST_OUTS = 3;

export class GraphTable {
  readonly element = html("div", { class: "tl-table-view", tabindex: 0 });
  readonly #body = html("tbody");
  readonly #head = html("thead");
  readonly #table = html("table", {}, this.#head, this.#body);

  constructor(
    private readonly say: Say,
    private readonly session: Session,
    private readonly select: (key: Key) => void,
  ) {
    this.element.append(this.#table);
    on(this.element, "scroll", () => this.#rows());
  }

  show(): void {
    const { say } = this;
    const columns = ["step", "node", "module", "in", "out", "saved"].map((id) =>
      html("th", { scope: "col" }, say(`column_${id}`)),
    );
    this.#head.replaceChildren(html("tr", {}, ...columns));
    this.#table.setAttribute("aria-rowcount", String(this.session.frame.nodes + 1));
    this.#table.setAttribute("aria-label", this.session.frame.name);
    this.#rows();
  }

  /** Scrolls to the row of a node. */
  reveal(node: number): void {
    const step = this.session.stepOf(node) || node + 1;
    const top = (step - 1) * ROW_H;
    const { scrollTop, clientHeight } = this.element;
    if (top < scrollTop || top + 2 * ROW_H > scrollTop + clientHeight) this.element.scrollTop = top - clientHeight / 2;
    this.#rows();
  }

  #rows(): void {
    const count = this.session.frame.nodes;
    const { scrollTop } = this.element;
    const high = this.element.clientHeight || 480;
    const first = Math.max(Math.floor(scrollTop / ROW_H) - BEYOND, 0);
    const last = Math.min(Math.ceil((scrollTop + high) / ROW_H) + BEYOND, count);
    const spacer = (rows: number): HTMLElement => {
      const row = html("tr", { "aria-hidden": "true" });
      row.style.height = `${rows * ROW_H}px`;
      return row;
    };
    const rows = Array.from({ length: Math.max(last - first, 0) }, (_, at) => this.#row(first + at + 1));
    this.#body.replaceChildren(spacer(first), ...rows, spacer(count - last));
  }

  #row(step: number): HTMLElement {
    const { session } = this;
    const { graph, tree, frame } = session;
    const node = frame.mode === "look" ? step - 1 : session.nodeAt(step);
    const key: Key = `n${node}`;
    const { title, suffix } = tree.named(key);
    const arrival = session.arrival(key);
    const outs = [...(graph?.out(node) ?? [])]
      .slice(0, MOST_OUTS + 1)
      .map((edge) => session.flow({ source: 0, target: 0, edges: [edge] }));
    const sent = outs.slice(0, MOST_OUTS).map((flow) => text(flow));
    if (outs.length > MOST_OUTS) sent.push("…");
    const kept = graph?.nodes.bytes[node] ?? 0;
    const name = html(
      "button",
      { type: "button", class: "tl-link" },
      title,
      html("span", { class: "tl-suffix" }, suffix),
    );
    on(name, "click", () => this.select(key));
    const cell = (words: string): HTMLElement => html("td", {}, words);
    const scope = graph?.string(graph.nodes.scope[node] ?? -1) ?? "";
    const row = html("tr", { "aria-rowindex": step + 1, class: `tl-is-${session.state(key)}` });
    if (session.selected === key) row.setAttribute("aria-selected", "true");
    row.append(
      cell(grouped(step)),
      html("td", {}, name),
      html("td", {}, html("code", {}, scope)),
      cell(text(arrival)),
      cell(sent.filter((each) => each !== "").join(", ")),
      cell(kept > 0 ? bytes(kept) : ""),
    );
    return row;
  }
}

function text(gradient: { readonly look: number; readonly text: string } | undefined): string {
  if (gradient === undefined || gradient.look === LOOK.notRun) return "";
  return gradient.look === LOOK.none ? "None" : gradient.look === LOOK.zero ? "0" : gradient.text;
}
