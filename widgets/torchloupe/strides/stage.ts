/** The picture: tensors above, storages below, what is pointed at in between. */

import { html, nearest, on, svg } from "../core/element";
import type { Say } from "../core/words";
import { lastReached } from "./address";
import { axisLetter } from "./axis";
import { BlockDrawing, type Place } from "./block";
import { Hands } from "./hands";
import { type Choices, layOut, type Scene, type Strip } from "./layout";
import { animate } from "./motion";
import { type Pointing, pointAtCell, pointAtElement } from "./pointing";
import type { Samples } from "./samples";
import type { Frame, TensorState } from "./state";
import { StripDrawing } from "./strip";
import { type Drawn, Trace } from "./trace";

/** Called whenever what is pointed at changes. */
type Pointed = (pointing: Pointing | undefined) => void;

export class Stage {
  readonly element = html("div", { class: "tl-stage" });
  readonly picture = svg("svg", { class: "tl-picture" });
  readonly #trace: Trace;
  readonly #orders = new Map<number, readonly number[]>();
  readonly #at = new Map<number, readonly number[]>();
  readonly #starts = new Map<number, number>();
  #frame: Frame | undefined;
  #width = 0;
  #drawn: Drawn | undefined;
  #pinned: Pointing | undefined;
  #pointing: Pointing | undefined;

  constructor(
    private readonly say: Say,
    private readonly samples: Samples,
    private readonly pointed: Pointed,
  ) {
    this.#trace = new Trace(say);
    this.element.append(this.picture);
    new Hands(this);
  }

  /** Draws `frame` at `width`; with `moved`, the result's cells come from where they were. */
  draw(frame: Frame, width: number, moved: boolean): void {
    this.#frame = frame;
    this.#width = width;
    this.#forgetGone(frame);
    const scene = this.#layOut(frame);
    const tools = {
      samples: this.samples,
      place: places(frame),
      say: this.say,
      cell: scene.cell,
      tall: scene.tall,
      pitch: scene.pitch,
      width,
    };
    const blocks = scene.blocks.map((block) => new BlockDrawing(block, tools));
    const strips = scene.strips.map((strip) => new StripDrawing(strip, tools));
    const drawn: Drawn = { scene, blocks, strips };
    this.#drawn = drawn;
    this.picture.setAttribute("width", String(width));
    this.picture.classList.toggle("tl-small", scene.cell < 23);
    this.picture.setAttribute("height", String(scene.height));
    this.picture.setAttribute("viewBox", `0 0 ${width} ${scene.height}`);
    const layers = [...blocks, ...strips].map((item) => item.group);
    this.picture.replaceChildren(this.#trace.links, ...layers, this.#trace.hops);
    this.element.replaceChildren(this.picture, ...this.#sliders(scene));
    this.#askForValues();
    this.#trace.show(drawn, this.#pointing);
    if (moved && frame.step !== null) animate(drawn, frame.step);
  }

  /** Writes values that arrived, in place; lays out again when they need wider cells. */
  showValues(): void {
    if (this.#drawn === undefined || this.#frame === undefined) return;
    if (this.#layOut(this.#frame).cell > this.#drawn.scene.cell) this.#redraw();
    for (const item of [...this.#drawn.blocks, ...this.#drawn.strips]) item.showValues();
  }

  #layOut(frame: Frame): Scene {
    const choices: Choices = {
      orders: this.#orders,
      at: this.#at,
      starts: this.#starts,
      active: frame.active,
      label: this.samples.longest(frame.tensors.map((tensor) => tensor.id)),
    };
    return layOut(frame.tensors, frame.storages, this.#width, choices);
  }

  #redraw(): void {
    const focus = this.#focusKey();
    if (this.#frame !== undefined) this.draw(this.#frame, this.#width, false);
    if (focus !== undefined) this.element.querySelector<SVGElement>(focus)?.focus({ preventScroll: true });
  }

  #focusKey(): string | undefined {
    const active = document.activeElement;
    if (!(active instanceof SVGElement || active instanceof HTMLElement) || !this.element.contains(active))
      return undefined;
    const { tensor, index, storage, cell, axis, minimap, slider } = active.dataset;
    if (tensor !== undefined) return `[data-tensor="${tensor}"][data-index="${index}"]`;
    if (storage !== undefined) return `[data-storage="${storage}"][data-cell="${cell}"]`;
    if (axis !== undefined) return `[data-axis="${axis}"]`;
    if (slider !== undefined) return `[data-slider="${slider}"]`;
    return minimap === undefined ? undefined : `[data-minimap="${minimap}"]`;
  }

  /** Drops what was pointed at when its tensor is no longer drawn or has another shape. */
  #forgetGone(frame: Frame): void {
    const fits = (tensor: TensorState | undefined, rank: number): boolean => tensor?.shape.length === rank;
    for (const map of [this.#orders, this.#at]) {
      for (const [id, axes] of map) {
        if (
          !fits(
            frame.tensors.find((tensor) => tensor.id === id),
            axes.length,
          )
        )
          map.delete(id);
      }
    }
    const still = (pointing: Pointing | undefined): Pointing | undefined => {
      const lead = pointing?.lead;
      const tensor = frame.tensors.find((item) => item.id === lead?.tensor.id);
      if (lead === undefined || tensor === undefined || !fits(tensor, lead.index.length)) return undefined;
      if (lead.index.some((i, axis) => i >= (tensor.shape[axis] ?? 0))) return undefined;
      return pointAtElement(frame.tensors, tensor, lead.index);
    };
    this.#pinned = still(this.#pinned);
    this.#pointing = still(this.#pointing);
  }

  #askForValues(): void {
    for (const { block } of this.#drawn?.blocks ?? []) {
      this.samples.need(
        block.tensor.id,
        block.cells.map((box) => box.cell),
      );
    }
    for (const { strip, cells } of this.#drawn?.strips ?? []) {
      const reached = [...cells].filter(([, group]) => !group.classList.contains("tl-unreached"));
      this.samples.need(
        strip.unit.id,
        reached.map(([cell]) => cell),
      );
    }
  }

  /** A slider per leading axis that is too long for facets. */
  #sliders(scene: Scene): HTMLElement[] {
    return scene.blocks.flatMap((block) =>
      block.sliders.map((axis, order) => {
        const { tensor } = block;
        const at = this.#at.get(tensor.id)?.[axis] ?? 0;
        const max = (tensor.shape[axis] ?? 1) - 1;
        const words = this.say("slice", { axis: axisLetter(axis), at, last: max });
        const input = html("input", {
          type: "range",
          min: 0,
          max,
          value: at,
          "data-slider": `${tensor.id},${axis}`,
          "aria-label": words,
        });
        on(input, "input", () => {
          const index = [...(this.#at.get(tensor.id) ?? tensor.shape.map(() => 0))];
          index[axis] = Number(input.value);
          this.#at.set(tensor.id, index);
          this.#redraw();
        });
        const row = html("label", { class: "tl-slider" }, html("span", {}, words), input);
        row.style.transform = `translate(${block.x}px, ${block.slidersY + order * 26}px)`;
        return row;
      }),
    );
  }

  // Pointing

  /** The drawing of a tensor. */
  block(id: number | undefined): BlockDrawing | undefined {
    return this.#drawn?.blocks.find((item) => item.block.tensor.id === id);
  }

  /** The drawing of a storage. */
  strip(id: number): StripDrawing | undefined {
    return this.#drawn?.strips.find((item) => item.strip.storage.id === id);
  }

  /** What a cell of the picture stands for. */
  pointingOf(target: EventTarget | null): Pointing | undefined {
    const cell = nearest(target, ".tl-cell");
    if (cell === null || this.#frame === undefined) return undefined;
    const { tensors, active } = this.#frame;
    const { tensor, index, storage, cell: at } = cell.dataset;
    const block = this.block(Number(tensor))?.block;
    if (tensor !== undefined && block) return pointAtElement(tensors, block.tensor, parseIndex(index));
    const strip = this.strip(Number(storage))?.strip;
    return strip && pointAtCell(tensors, strip.unit, Number(at), active);
  }

  /** Shows what is pointed at; without anything, what is pinned or the rest state. */
  point(pointing: Pointing | undefined): void {
    if (this.#drawn === undefined) return;
    const wanted = pointing ?? this.#pinned;
    this.#pointing = wanted;
    if (wanted !== undefined) this.#bringIntoView(wanted);
    this.#trace.show(this.#drawn, wanted);
    this.picture.classList.toggle("tl-pinned", this.#pinned !== undefined && this.#pinned === wanted);
    this.pointed(wanted);
  }

  /** Keeps `pointing` in the picture until it is pinned again or let go; says whether something was pinned. */
  pin(pointing: Pointing | undefined): boolean {
    const before = this.#pinned;
    this.#pinned = same(pointing, before) ? undefined : pointing;
    this.point(this.#pinned);
    return before !== undefined;
  }

  /** Moves the window, and the rows and columns left out, so that both ends of the link are seen. */
  #bringIntoView(pointing: Pointing): void {
    const strip = this.strip(pointing.storage);
    const cell = strip ? Math.floor(pointing.byte / strip.strip.unit.itemsize) : 0;
    let moved = false;
    if (strip !== undefined && !strip.holds(cell)) {
      this.#starts.set(pointing.storage, cell - Math.floor(strip.strip.shown / 2));
      moved = true;
    }
    const { lead } = pointing;
    const block = this.block(lead?.tensor.id);
    if (lead !== undefined && block !== undefined && !block.cells.has(lead.index.join())) {
      this.#at.set(lead.tensor.id, lead.index);
      moved = true;
    }
    if (moved) this.#redraw();
  }

  /** Points at an element and moves the focus there. */
  goToElement(tensor: TensorState, index: readonly number[]): void {
    this.point(pointAtElement(this.#frame?.tensors ?? [], tensor, index));
    focus(this.block(tensor.id)?.cells.get(index.join()));
  }

  /** Points at a storage cell and moves the focus there. */
  goToCell(storage: number, cell: number): void {
    const strip = this.strip(storage);
    if (strip === undefined || this.#frame === undefined) return;
    this.point(pointAtCell(this.#frame.tensors, strip.strip.unit, cell, this.#frame.active));
    focus(this.strip(storage)?.cells.get(cell));
  }

  /** One hop of a stride, again and again. */
  showStride(tensor: number, axis: number): void {
    if (this.#drawn) this.#trace.showStride(this.#drawn, tensor, axis);
  }

  /** Dims every tensor but one. */
  isolate(id: string | undefined): void {
    for (const part of this.picture.querySelectorAll<SVGElement>("[data-block], [data-lane]")) {
      part.classList.toggle("tl-dimmed", id !== undefined && (part.dataset.block ?? part.dataset.lane) !== id);
    }
  }

  /** Makes an axis the columns, or the rows. */
  turn(id: number, axis: number, rows: boolean): void {
    const block = this.block(id)?.block;
    if (block === undefined) return;
    const order = [...block.order];
    const to = order.length - (rows ? 2 : 1);
    const from = order.indexOf(axis);
    [order[from], order[to]] = [order[to] ?? 0, axis];
    this.#orders.set(id, order);
    this.#redraw();
  }

  /** Moves the window over a long storage so that it begins near cell `start`. */
  moveWindow({ storage, total, shown }: Strip, start: number): void {
    this.#starts.set(storage.id, Math.round(Math.min(Math.max(start, 0), total - shown)));
    this.#redraw();
  }
}

/** Focuses a cell; it becomes the one that Tab comes back to. */
export function focus(cell: SVGElement | HTMLElement | undefined): void {
  const grid = cell?.closest("[role=grid]");
  for (const other of grid?.querySelectorAll("[tabindex='0']") ?? []) other.setAttribute("tabindex", "-1");
  cell?.setAttribute("tabindex", "0");
  cell?.focus({ preventScroll: true });
}

/** The index a cell carries. */
export function parseIndex(text: string | undefined): number[] {
  return text === undefined || text === "" ? [] : text.split(",").map(Number);
}

function same(a: Pointing | undefined, b: Pointing | undefined): boolean {
  return (
    a !== undefined &&
    b !== undefined &&
    a.storage === b.storage &&
    a.byte === b.byte &&
    a.lead?.tensor.id === b.lead?.tensor.id &&
    a.lead?.index.join() === b.lead?.index.join()
  );
}

/** Place of a byte between the first and the last one that a drawn tensor reaches. */
function places(frame: Frame): Place {
  const ends = new Map<number, [number, number]>();
  for (const tensor of frame.tensors) {
    if (tensor.storage < 0 || tensor.numel === 0) continue;
    const [low, high] = ends.get(tensor.storage) ?? [Number.POSITIVE_INFINITY, 0];
    const last = lastReached(tensor) * tensor.itemsize;
    ends.set(tensor.storage, [Math.min(low, tensor.offset * tensor.itemsize), Math.max(high, last)]);
  }
  return (storage, byte) => {
    const [low, high] = ends.get(storage) ?? [0, 0];
    return high > low ? Math.min(Math.max((byte - low) / (high - low), 0), 1) : 0;
  };
}
