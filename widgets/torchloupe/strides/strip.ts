/** Draws one storage: ruler in bytes, a lane per tensor, its cells, and the whole of it when it is long. */

import { caption, svg } from "../core/element";
import type { Say } from "../core/words";
import { nextReached, readers } from "./address";
import { bytes, grouped, hueClass, short } from "./axis";
import type { Place } from "./block";
import { GAP, type Strip } from "./layout";
import type { Samples } from "./samples";
import type { TensorState } from "./state";

interface Tools {
  readonly samples: Samples;
  readonly place: Place;
  readonly say: Say;
  readonly cell: number;
  readonly tall: number;
  readonly pitch: number;
  readonly width: number;
}

const MINIMAP_HEIGHT = 16;

export class StripDrawing {
  readonly group: SVGGElement;
  readonly cells = new Map<number, SVGGElement>();
  readonly ruler: SVGGElement;

  constructor(
    readonly strip: Strip,
    private readonly tools: Tools,
  ) {
    const { storage } = strip;
    const name = strip.tensors.some((tensor) => tensor.alive) ? "tl-strip" : "tl-strip tl-gone";
    this.ruler = svg("g", { class: "tl-ruler", "aria-hidden": "true" });
    this.group = svg("g", { class: name, "data-strip": storage.id }, this.#title(), this.ruler);
    if (strip.total > strip.shown) this.group.append(this.#minimap());
    this.group.append(this.#lanes(), this.#cellRow(), this.#counts());
    this.showRuler(undefined);
  }

  /** Middle of a cell; cells left or right of the window lie just outside it. */
  middle(cell: number): number {
    const at = Math.min(Math.max(cell - this.strip.start, -0.8), this.strip.shown - 0.2);
    return this.strip.x + at * this.tools.pitch + this.tools.cell / 2;
  }

  /** Whether the window holds a cell. */
  holds(cell: number): boolean {
    return cell >= this.strip.start && cell < this.strip.start + this.strip.shown;
  }

  /** Writes the values that are known by now. */
  showValues(): void {
    for (const [cell, group] of this.cells) {
      const text = group.querySelector("text");
      const label = this.tools.samples.get(this.strip.unit.id, cell)?.label;
      if (text && label !== undefined && !group.classList.contains("tl-unreached")) text.textContent = label;
    }
  }

  /** Draws the byte ruler, with the byte of `cell` in its tensor's hue when one is pointed at. */
  showRuler(pointed: { cell: number; tensor: TensorState | undefined } | undefined): void {
    const { strip, tools } = this;
    const { itemsize } = strip.unit;
    const y = strip.rulerY;
    const wide = grouped((strip.start + strip.shown) * itemsize).length * 6.2 + 18;
    let every = 1;
    while (every * tools.pitch < Math.max(52, wide)) every *= 2;
    const right = strip.x + strip.shown * tools.pitch - GAP;
    const words =
      pointed && this.holds(pointed.cell) ? tools.say("byte_at", { byte: grouped(pointed.cell * itemsize) }) : "";
    const length = words.length * 7.4;
    const to = pointed ? this.middle(pointed.cell) + 10 : 0;
    const from = to + length > tools.width ? to - 20 - length : to;
    const clear = (x: number, half: number): boolean =>
      words === "" || x + half < from - 26 || x - half > from + length + 6;
    const end = grouped((strip.start + strip.shown) * itemsize);
    const labels: SVGTextElement[] = [caption(strip.x - 8, y, "tl-ink2 tl-10 tl-end", tools.say("byte"))];
    for (let at = 0; at < strip.shown; at += every) {
      const x = strip.x + at * tools.pitch;
      const label = grouped((strip.start + at) * itemsize);
      const half = label.length * 3.1;
      if (x + half * 2 < right - end.length * 6.2 - 10 && clear(x + half, half)) {
        labels.push(caption(x + 1, y, "tl-mono tl-ink2 tl-10", label));
      }
    }
    if (clear(right - end.length * 3.1, end.length * 3.1)) {
      labels.push(caption(right, y, "tl-mono tl-ink2 tl-10 tl-end", end));
    }
    if (words !== "") {
      const hue = pointed?.tensor ? `${hueClass(pointed.tensor.id)} tl-hue-text` : "tl-ink";
      labels.push(caption(from, y, `tl-mono tl-bold tl-11 ${hue}`, words));
    }
    this.ruler.replaceChildren(...labels);
  }

  #title(): SVGGElement {
    const { strip, tools } = this;
    const { storage, unit } = strip;
    const facts = tools.say("storage_facts", {
      cells: grouped(strip.total),
      itemsize: unit.itemsize,
      total: storage.nbytes < 10_000 ? `${grouped(storage.nbytes)} B` : bytes(storage.nbytes),
      count: strip.total,
    });
    const where = storage.imagined ? [tools.say("imagined")] : [storage.device, storage.address].filter(Boolean);
    const title = caption(strip.left, strip.y, "tl-ink tl-bold tl-12 tl-halo-text", tools.say("storage"));
    const offset = tools.say("storage").length > 4 ? 62 : 40;
    const room = Math.floor((tools.width - strip.left - offset) / 6);
    let line = [facts, unit.dtype.replace("torch.", ""), ...where].join(" · ");
    if (line.length > room) line = facts;
    const text = caption(strip.left + offset, strip.y, "tl-ink2 tl-11 tl-halo-text", line);
    return svg("g", {}, title, text);
  }

  #minimap(): SVGGElement {
    const { strip, tools } = this;
    const width = tools.width;
    const y = strip.minimapY - 4;
    const perPixel = strip.total / width;
    const left = (strip.start / strip.total) * width;
    const wide = Math.max(3, (strip.shown / strip.total) * width);
    const group = svg("g", {
      class: "tl-minimap",
      role: "slider",
      tabindex: 0,
      "data-minimap": strip.storage.id,
      "aria-label": tools.say("minimap"),
      "aria-valuemin": 0,
      "aria-valuemax": strip.total - strip.shown,
      "aria-valuenow": strip.start,
      "aria-valuetext": tools.say("byte_at", { byte: grouped(strip.start * strip.unit.itemsize) }),
    });
    group.append(svg("rect", { x: 0, y, width, height: MINIMAP_HEIGHT, rx: 2, class: "tl-minimap-all" }));
    for (const tensor of strip.tensors) group.append(...this.#extents(tensor, y, perPixel));
    group.append(
      svg("rect", {
        x: Math.min(left, width - wide),
        y: y - 3,
        width: wide,
        height: MINIMAP_HEIGHT + 6,
        rx: 1.5,
        class: "tl-minimap-window",
      }),
    );
    const bottom = y + MINIMAP_HEIGHT + 3;
    const middle = Math.min(left, width - wide) + wide / 2;
    const to = strip.rulerY - 12;
    const bend = (x: number): string => `M${middle} ${bottom}C${middle} ${bottom + 22} ${x} ${bottom + 12} ${x} ${to}`;
    group.append(
      svg("path", { d: bend(strip.x), class: "tl-funnel" }),
      svg("path", { d: bend(strip.x + strip.shown * tools.pitch), class: "tl-funnel" }),
    );
    const unit = strip.unit.itemsize;
    for (const share of [0, 0.25, 0.5, 0.75, 1]) {
      const anchor = share === 0 ? "" : share === 1 ? " tl-end" : " tl-middle";
      const label = share === 0 ? "0" : bytes(Math.round(strip.total * share) * unit);
      group.append(caption(share * width, y + MINIMAP_HEIGHT + 14, `tl-mono tl-ink2 tl-10${anchor}`, label));
    }
    return group;
  }

  /** Runs of pixels in which the tensor reaches something. */
  #extents(tensor: TensorState, y: number, perPixel: number): SVGRectElement[] {
    const scale = this.strip.unit.itemsize / tensor.itemsize;
    const runs: SVGRectElement[] = [];
    const order = this.strip.tensors.indexOf(tensor);
    const height = Math.max(2, (MINIMAP_HEIGHT - 4) / this.strip.tensors.length);
    let open: number | undefined;
    const close = (end: number): void => {
      if (open === undefined) return;
      const box = { x: open, y: y + 2 + order * height, width: Math.max(2, end - open), height: height - 0.5 };
      runs.push(svg("rect", { ...box, class: `${hueClass(tensor.id)} tl-hue-fill` }));
      open = undefined;
    };
    for (let pixel = 0; pixel < this.tools.width; pixel++) {
      const reached = nextReached(tensor, Math.floor(pixel * perPixel * scale));
      if (reached !== undefined && reached < (pixel + 1) * perPixel * scale) open ??= pixel;
      else close(pixel);
    }
    close(this.tools.width);
    return runs;
  }

  #lanes(): SVGGElement {
    const { strip, tools } = this;
    const group = svg("g", { class: "tl-lanes" });
    strip.tensors.forEach((tensor, order) => {
      const y = strip.lanesY + order * 11 + 4;
      const lane = svg("g", {
        class: `${hueClass(tensor.id)} tl-lane${order > 4 ? " tl-dashed" : ""}`,
        "data-lane": tensor.id,
      });
      const name = short(tensor.name, 4);
      lane.append(svg("title", {}, tensor.name));
      lane.append(caption(strip.x - 8, y + 3.5, "tl-mono tl-bold tl-10 tl-end tl-hue-text", name));
      for (const [from, to] of this.#reachedRuns(tensor)) {
        const x2 = strip.x + to * tools.pitch - GAP;
        lane.append(svg("line", { x1: strip.x + from * tools.pitch, x2, y1: y, y2: y }));
      }
      group.append(lane);
    });
    return group;
  }

  /** Runs of window positions the tensor reaches, `[from, to)`. */
  #reachedRuns(tensor: TensorState): [number, number][] {
    const runs: [number, number][] = [];
    for (let at = 0; at < this.strip.shown; at++) {
      if (!this.#reaches(tensor, this.strip.start + at)) continue;
      const last = runs.at(-1);
      if (last?.[1] === at) last[1] = at + 1;
      else runs.push([at, at + 1]);
    }
    return runs;
  }

  #reaches(tensor: TensorState, cell: number): boolean {
    const { itemsize } = this.strip.unit;
    const first = Math.floor((cell * itemsize) / tensor.itemsize);
    const found = nextReached(tensor, first);
    return found !== undefined && found * tensor.itemsize < (cell + 1) * itemsize;
  }

  #cellRow(): SVGGElement {
    const { strip, tools } = this;
    const row = svg("g", { role: "row" });
    const grid = svg(
      "g",
      {
        role: "grid",
        class: "tl-cells",
        "aria-label": tools.say("storage_grid", { count: strip.total, cells: grouped(strip.total) }),
        "aria-rowcount": 1,
        "aria-colcount": strip.total,
      },
      row,
    );
    for (let at = 0; at < strip.shown; at++) row.append(this.#cell(strip.start + at, strip.x + at * tools.pitch));
    return grid;
  }

  #cell(cell: number, x: number): SVGGElement {
    const { strip, tools } = this;
    const y = strip.cellsY;
    const { cell: size, tall } = tools;
    const reached = strip.tensors.some((tensor) => this.#reaches(tensor, cell));
    const share = tools.place(strip.storage.id, cell * strip.unit.itemsize);
    const group = svg("g", {
      role: "gridcell",
      "aria-colindex": cell + 1,
      class: reached ? "tl-cell" : "tl-cell tl-unreached",
      tabindex: this.cells.size === 0 ? 0 : -1,
      "data-storage": strip.storage.id,
      "data-cell": cell,
      style: `--place:${(share * 100).toFixed(1)}%`,
    });
    group.append(svg("rect", { x, y, width: size, height: tall, rx: 2 }));
    if (!reached) group.append(svg("path", { d: hatching(x, y, size, tall), class: "tl-hatch" }));
    const label = reached ? (tools.samples.get(strip.unit.id, cell)?.label ?? "") : "";
    group.append(caption(x + size / 2, y + tall / 2 + 4, "tl-middle", label));
    this.cells.set(cell, group);
    return group;
  }

  /** How many elements read each cell, under it; said once when it is the same for all. */
  #counts(): SVGGElement {
    const { strip, tools } = this;
    const group = svg("g", { class: "tl-counts", "aria-hidden": "true" });
    if (!strip.tensors.some((tensor) => tensor.overlaps)) return group;
    const counts = Array.from({ length: strip.shown }, (_, at) => this.#count(strip.start + at));
    const reached = counts.filter((count) => count > 0);
    const y = strip.countsY;
    if (new Set(reached).size === 1) {
      const x = strip.x + counts.findIndex((count) => count > 0) * tools.pitch;
      group.append(caption(x, y, "tl-ink2 tl-11", tools.say("each_read", { count: grouped(reached[0] ?? 0) })));
      return group;
    }
    const wide = Math.max(...counts.map((count) => `×${count}`.length)) * 6.2;
    counts.forEach((count, at) => {
      if (count === 0 || wide > tools.pitch + 2) return;
      const x = strip.x + at * tools.pitch + tools.cell / 2;
      group.append(caption(x, y, "tl-mono tl-ink2 tl-10 tl-middle", `×${count}`));
    });
    return group;
  }

  #count(cell: number): number {
    const { strip } = this;
    const own = strip.tensors.filter((tensor) => tensor.overlaps && tensor.itemsize === strip.unit.itemsize);
    return own.reduce((sum, tensor) => sum + readers(tensor, cell, 1).count, 0);
  }
}

/** Diagonal strokes across a box. */
function hatching(x: number, y: number, width: number, height: number): string {
  let path = "";
  for (let at = 6; at < width + height; at += 6) {
    const [x0, y0] = at <= height ? [0, at] : [at - height, height];
    const [x1, y1] = at <= width ? [at, 0] : [width, at - width];
    path += `M${x + x0} ${y + y0}L${x + x1} ${y + y1}`;
  }
  return path;
}
