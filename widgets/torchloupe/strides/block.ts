/** Draws one tensor: its table of shape, stride and index, and its elements as facets of cells. */

import { caption, svg } from "../core/element";
import type { Say } from "../core/words";
import { axisLetter, hueClass, short, tuple } from "./axis";
import { axisWidth, type Block, type Facet, GAP, labelWidth, MOST_NAME, tableWidth } from "./layout";
import type { Samples } from "./samples";

/** Place of a byte of a storage between the first and the last one reached, 0 to 1. */
export type Place = (storage: number, byte: number) => number;

interface Tools {
  readonly samples: Samples;
  readonly place: Place;
  readonly say: Say;
  readonly cell: number;
  readonly tall: number;
  readonly pitch: number;
}

const ROWS = { letters: 12, shape: 30, stride: 48, index: 66 } as const;
/** Width the notes beside the table need. */
const NOTES = 110;

export class BlockDrawing {
  readonly group: SVGGElement;
  readonly cells = new Map<string, SVGGElement>();
  readonly #index: SVGGElement;

  constructor(
    readonly block: Block,
    private readonly tools: Tools,
  ) {
    const { tensor } = block;
    this.#index = svg("g", { class: "tl-index", "aria-hidden": "true" });
    const classes = `tl-block ${hueClass(tensor.id)}${tensor.alive ? "" : " tl-gone"}`;
    this.group = svg("g", { class: classes, "data-block": tensor.id }, this.#table(), this.#index, this.#grid());
  }

  /** Fills in the index row, or empties it. */
  showIndex(index: readonly number[] | undefined, lead: boolean): void {
    this.#index.replaceChildren();
    this.#showFacet(index);
    if (index === undefined || index.length === 0) return;
    const { block } = this;
    const step = axisWidth(block.tensor);
    const x = block.x + labelWidth(block.tensor);
    const box = { x: x + 1, y: block.y + ROWS.index - 13, width: index.length * step - 2, height: 18, rx: 3 };
    const title = { x: block.x, y: block.y + ROWS.index, class: "tl-ink2 tl-12" };
    this.#index.append(svg("text", title, this.tools.say("index")));
    this.#index.append(svg("rect", { ...box, class: lead ? "tl-index-lead" : "tl-index-twin" }));
    index.forEach((i, axis) => {
      const at = { x: x + (axis + 0.5) * step, y: block.y + ROWS.index };
      const name = lead ? "tl-mono tl-bold tl-on-hue" : "tl-mono tl-bold tl-ink";
      this.#index.append(caption(at.x, at.y, `${name} tl-middle tl-13`, String(i)));
    });
  }

  /** Makes the number of the facet that holds the element stand out. */
  #showFacet(index: readonly number[] | undefined): void {
    const prefix =
      index &&
      this.block.order
        .slice(0, -2)
        .map((axis) => index[axis])
        .join();
    for (const title of this.group.querySelectorAll<SVGElement>("[data-facet]")) {
      title.classList.toggle("tl-facet-pointed", title.dataset.facet === prefix);
    }
  }

  /** Writes the values that are known by now. */
  showValues(): void {
    for (const box of this.block.cells) {
      const text = this.cells.get(box.index.join())?.querySelector("text");
      const label = this.tools.samples.get(this.block.tensor.id, box.cell)?.label;
      if (text && label !== undefined) text.textContent = label;
    }
  }

  #table(): SVGGElement {
    const { block, tools } = this;
    const { tensor, x, y } = block;
    const step = axisWidth(tensor);
    const group = svg("g", { class: "tl-table" });
    group.append(this.#tag());
    const line = (key: "shape" | "stride", values: readonly number[]): void => {
      group.append(caption(x, y + ROWS[key], "tl-ink2 tl-12", tools.say(key)));
      if (values.length === 0)
        group.append(caption(x + labelWidth(tensor) + 4, y + ROWS[key], "tl-mono tl-ink tl-13", "()"));
      values.forEach((value, axis) => {
        const at = { x: x + labelWidth(tensor) + (axis + 0.5) * step, y: y + ROWS[key] };
        const text = caption(at.x, at.y, "tl-mono tl-ink tl-13 tl-middle", String(value));
        group.append(svg("g", { [`data-${key}`]: `${tensor.id},${axis}` }, text));
      });
    };
    line("shape", tensor.shape);
    if (tensor.storage >= 0) line("stride", tensor.stride);
    const middle = (axis: number): number => x + labelWidth(tensor) + (axis + 0.5) * step;
    group.append(...tensor.shape.map((_, axis) => this.#letter(axis, middle(axis))));
    if (block.room > NOTES) group.append(...this.#notes(x + tableWidth(tensor) + 14));
    return group;
  }

  /** The name on its hue; cut with an ellipsis when it is long. */
  #tag(): SVGGElement {
    const { tensor, x, y } = this.block;
    const name = short(tensor.name, MOST_NAME);
    const width = name.length * 7.9 + 10;
    return svg(
      "g",
      { "data-tag": tensor.id },
      svg("title", {}, tensor.name),
      svg("rect", { x, y: y - 2, width, height: 18, rx: 3, class: "tl-hue-fill" }),
      caption(x + 5, y + 11, "tl-mono tl-bold tl-on-hue tl-13", name),
    );
  }

  #letter(axis: number, x: number): SVGGElement {
    const { tensor, y } = this.block;
    const text = caption(x, y + ROWS.letters, "tl-axis tl-middle", axisLetter(axis));
    if (tensor.shape.length < 2) return svg("g", {}, text);
    const hit = { x: x - 12, y: y - 4, width: 24, height: 22, class: "tl-hit" };
    const label = this.tools.say("axis_role", { axis: axisLetter(axis), name: tensor.name });
    return svg(
      "g",
      { role: "button", tabindex: 0, class: "tl-letter", "data-axis": `${tensor.id},${axis}`, "aria-label": label },
      svg("title", {}, label),
      svg("rect", hit),
      text,
    );
  }

  #notes(x: number): SVGTextElement[] {
    const { tensor } = this.block;
    const { say } = this.tools;
    const origin = ((): string => {
      if (tensor.storage < 0) return tensor.layout.replace("torch.", "");
      if (tensor.base_name) return say("view_of", { name: short(tensor.base_name, MOST_NAME) });
      if (tensor.base_shape) return say("view_base", { shape: tuple(tensor.base_shape) });
      return say("own_storage");
    })();
    const order = ((): string => {
      if (tensor.storage < 0) return tensor.dtype;
      if (tensor.overlaps) return say("overlapping");
      const formats = tensor.formats.filter((format) => format !== "contiguous_format");
      if (tensor.contiguous) return [say("contiguous"), ...formats].join(" · ");
      return formats.length > 0 ? formats.join(" · ") : say("not_contiguous");
    })();
    const at = (y: number, words: string): SVGTextElement =>
      caption(x, this.block.y + y, "tl-ink2 tl-11 tl-halo-text", words);
    return [at(ROWS.shape, origin), at(ROWS.stride, order)];
  }

  #grid(): SVGGElement {
    const { tensor, facets, order } = this.block;
    const rank = tensor.shape.length;
    const columns = tensor.shape[order[rank - 1] ?? 0] ?? 1;
    const grid = svg("g", {
      role: "grid",
      class: "tl-cells",
      "aria-label": this.tools.say("grid", { name: tensor.name, shape: tuple(tensor.shape) }),
      "aria-colcount": columns,
      "aria-rowcount": columns > 0 ? tensor.numel / columns : 0,
    });
    grid.append(...facets.flatMap((facet, at) => this.#facet(facet, at === 0)));
    return grid;
  }

  #facet(facet: Facet, first: boolean): SVGElement[] {
    const parts: SVGElement[] = [this.#rulers(facet, first)];
    const own = this.block.cells.filter((box) => this.block.facets.length === 1 || this.#inFacet(box.index, facet));
    const lines = new Map<number, SVGGElement>();
    for (const box of own) {
      let row = lines.get(box.y);
      if (row === undefined) {
        row = svg("g", { role: "row" });
        lines.set(box.y, row);
        parts.push(row);
      }
      row.append(this.#cell(box.index, box.cell, box.x, box.y));
    }
    return parts;
  }

  #inFacet(index: readonly number[], facet: Facet): boolean {
    return facet.prefix.every((i, at) => index[this.block.order[at] ?? 0] === i);
  }

  #cell(index: readonly number[], cell: number, x: number, y: number): SVGGElement {
    const { tensor } = this.block;
    const { cell: size, tall, samples, place } = this.tools;
    const share = place(tensor.storage, cell * tensor.itemsize);
    const key = index.join();
    const label = samples.get(tensor.id, cell)?.label ?? "";
    const group = svg(
      "g",
      {
        role: "gridcell",
        class: "tl-cell",
        tabindex: this.cells.size === 0 ? 0 : -1,
        "data-tensor": tensor.id,
        "data-index": key,
        style: `--place:${(share * 100).toFixed(1)}%`,
      },
      svg("rect", { x, y, width: size, height: tall, rx: 2 }),
      caption(x + size / 2, y + tall / 2 + 4, "tl-middle", label),
    );
    this.cells.set(key, group);
    return group;
  }

  /** Facet title, row numbers at the left, column numbers below, and gaps. */
  #rulers(facet: Facet, first: boolean): SVGGElement {
    const { order, tensor } = this.block;
    const { cell, pitch, tall } = this.tools;
    const rank = tensor.shape.length;
    const group = svg("g", { "aria-hidden": "true" });
    if (facet.prefix.length > 0) group.append(...this.#facetTitle(facet, first));
    const middle = (at: number): number => at * pitch + cell / 2;
    facet.rows.forEach((row, r) => {
      const y = facet.y + r * (tall + GAP) + tall / 2 + 4;
      if (row === "gap") group.append(caption(facet.x + cell / 2, y, "tl-gap tl-middle", "⋮"));
      if (rank < 2 || facet.x > this.block.cellsX) return;
      const at = { x: facet.x - 8, y };
      if (r === 0) group.append(caption(at.x, at.y, "tl-axis tl-end", axisLetter(order[rank - 2] ?? 0)));
      else if (row !== "gap") group.append(caption(at.x, at.y, "tl-ink2 tl-10 tl-end", String(row)));
    });
    facet.columns.forEach((column, c) => {
      const at = { x: facet.x + middle(c), y: facet.y + facet.rows.length * (tall + GAP) - GAP + 14 };
      if (column === "gap")
        group.append(svg("text", { ...at, y: facet.y + tall / 2 + 4, class: "tl-gap tl-middle" }, "⋯"));
      else if (rank < 1 || !first) return;
      else if (c === 0) group.append(caption(at.x, at.y, "tl-axis tl-middle", axisLetter(order[rank - 1] ?? 0)));
      else group.append(caption(at.x, at.y, "tl-ink2 tl-10 tl-middle", String(column)));
    });
    return group;
  }

  #facetTitle(facet: Facet, first: boolean): SVGTextElement[] {
    const y = facet.y - 8;
    const letters = facet.prefix.map((_, at) => axisLetter(this.block.order[at] ?? 0)).join(",");
    if (this.block.sliders.length > 0) return [];
    if (!first)
      return [
        svg(
          "text",
          { x: facet.x, y, class: "tl-ink2 tl-11", "data-facet": facet.prefix.join() },
          facet.prefix.join(","),
        ),
      ];
    const title = svg("text", { x: facet.x, y, class: "tl-ink2 tl-11", "data-facet": facet.prefix.join() });
    title.append(svg("tspan", { class: "tl-axis" }, letters), ` = ${facet.prefix.join(",")}`);
    return [title];
  }
}
