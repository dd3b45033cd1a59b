/** The index formula with its numbers filled in, one row per tensor that reads the cell. */

import { html } from "../core/element";
import type { Say } from "../core/words";
import { axisLetter, bracketed, grouped, hueClass, short } from "./axis";
import type { Hit, Pointing } from "./pointing";
import type { Samples } from "./samples";
import type { TensorState } from "./state";

const SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉";
const MOST_ROWS = 3;

export class Formula {
  readonly element = html("div", { class: "tl-formula" });

  constructor(
    private readonly say: Say,
    private readonly samples: Samples,
  ) {}

  /** Fills the formula in for `pointing`, or shows its general form for `tensor`. */
  show(pointing: Pointing | undefined, tensor: TensorState | undefined, rows: number): void {
    const lead = pointing?.lead;
    const shown = lead ?? (tensor ? { tensor, index: [], cell: 0 } : undefined);
    this.element.replaceChildren();
    if (shown === undefined || (shown.tensor.storage < 0 && lead === undefined)) return;
    const table = html("table", { class: "tl-formula-rows" });
    const body = html("tbody");
    table.append(html("thead", {}, this.#letters(shown.tensor)), body);
    if (lead) {
      const twins = onePerTensor(pointing?.twins ?? [], lead);
      body.append(...[lead, ...twins].slice(0, MOST_ROWS).map((hit) => this.#row(hit, lead)));
    } else body.append(this.#general(shown.tensor));
    for (let at = body.childElementCount; at < Math.min(rows, MOST_ROWS); at++) body.append(filler());
    this.element.append(table, this.#address(lead));
  }

  #letters(tensor: TensorState): HTMLTableRowElement {
    const cells = [html("th", {}), html("th", { scope: "col" }, this.say("offset"))];
    for (const axis of tensor.shape.keys()) {
      cells.push(
        html("th", { "aria-hidden": "true" }),
        html("th", { scope: "col", class: "tl-axis" }, axisLetter(axis)),
      );
    }
    return html("tr", {}, ...cells, html("th"));
  }

  #row(hit: Hit, leading: Hit): HTMLTableRowElement {
    const lead = hit === leading;
    const { tensor, index, cell } = hit;
    const name = html(
      "th",
      { scope: "row" },
      html("span", { class: "tl-hue-text" }, short(tensor.name, 16)),
      bracketed(index),
    );
    const cells: HTMLElement[] = [name, html("td", {}, String(tensor.offset))];
    index.forEach((i, axis) => {
      cells.push(html("td", { class: "tl-sign" }, "+"), html("td", {}, `${i}·${tensor.stride[axis] ?? 0}`));
    });
    // A tensor of fewer axes says its cell where its terms end.
    const colspan = 1 + 2 * Math.max(0, leading.index.length - index.length);
    const result = html("td", { class: "tl-result", colspan }, html("span", { class: "tl-sign" }, "= "));
    result.append(html("span", { class: lead ? "tl-hue-text" : "" }, this.say("cell", { cell: grouped(cell) })));
    return html("tr", { class: `${hueClass(tensor.id)}${lead ? " tl-lead" : ""}` }, ...cells, result);
  }

  /** `x[i, j] = offset + i·s₀ + j·s₁`, with the strides named. */
  #general(tensor: TensorState): HTMLTableRowElement {
    const letters = tensor.shape.map((_, axis) => axisLetter(axis)).join(", ");
    const name = html(
      "th",
      { scope: "row" },
      html("span", { class: "tl-hue-text" }, short(tensor.name, 16)),
      `[${letters}]`,
    );
    const cells: HTMLElement[] = [name, html("td", {}, String(tensor.offset))];
    for (const axis of tensor.shape.keys()) {
      const term = `${axisLetter(axis)}·${tensor.stride[axis] ?? `s${SUBSCRIPTS[axis] ?? ""}`}`;
      cells.push(html("td", { class: "tl-sign" }, "+"), html("td", {}, term));
    }
    const result = html("td", { class: "tl-result" }, html("span", { class: "tl-sign" }, "= "), this.say("cell_any"));
    return html("tr", { class: `${hueClass(tensor.id)} tl-rest` }, ...cells, result);
  }

  #address(lead: Hit | undefined): HTMLElement {
    const box = html("div", { class: "tl-address" });
    if (lead === undefined) {
      box.append(html("span", { class: "tl-ink2" }, this.say("point")));
      return box;
    }
    const { tensor, cell } = lead;
    const value = this.samples.get(tensor.id, cell)?.value ?? "";
    const product = `${grouped(cell)} × ${tensor.itemsize} B → `;
    box.append(html("div", {}, product, html("b", {}, this.say("byte_at", { byte: grouped(cell * tensor.itemsize) }))));
    box.append(html("div", {}, ...(value ? [`${this.say("value")} `, html("b", {}, value)] : ["\u00a0"])));
    return box;
  }
}

function filler(): HTMLTableRowElement {
  return html("tr", { "aria-hidden": "true" }, html("th", {}, "\u00a0"));
}

function onePerTensor(hits: readonly Hit[], lead: Hit): Hit[] {
  const seen = new Set([lead.tensor.id]);
  return hits.filter((hit) => !seen.has(hit.tensor.id) && seen.add(hit.tensor.id));
}
