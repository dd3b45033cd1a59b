/** The picture: tensors above, storages below, what is pointed at in between; mouse and keyboard. */

import { html, nearest, on, svg } from "../core/element";
import type { Say } from "../core/words";
import { lastReached } from "./address";
import { axisLetter } from "./axis";
import { BlockDrawing, type Place } from "./block";
import { type Choices, layOut, type Scene } from "./layout";
import { animate } from "./motion";
import { type Pointing, pointAtCell, pointAtElement } from "./pointing";
import type { Samples } from "./samples";
import type { Frame, TensorState } from "./state";
import { StripDrawing } from "./strip";
import { type Drawn, Trace } from "./trace";
import { travel, travelStorage } from "./travel";

/** Called whenever what is pointed at changes. */
type Pointed = (pointing: Pointing | undefined) => void;

export class Stage {
  readonly element = html("div", { class: "tl-stage" });
  readonly #svg = svg("svg", { class: "tl-picture" });
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
    this.element.append(this.#svg);
    this.#listen();
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
    this.#svg.setAttribute("width", String(width));
    this.#svg.classList.toggle("tl-small", scene.cell < 23);
    this.#svg.setAttribute("height", String(scene.height));
    this.#svg.setAttribute("viewBox", `0 0 ${width} ${scene.height}`);
    const layers = [...strips, ...blocks].map((item) => item.group);
    this.#svg.replaceChildren(this.#trace.links, ...layers, this.#trace.hops);
    this.element.replaceChildren(this.#svg, ...this.#sliders(scene));
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

  /** Lets go of what is pinned and pointed at. */
  letGo(): void {
    this.#pinned = undefined;
    this.#point(undefined);
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

  #point(pointing: Pointing | undefined): void {
    if (this.#drawn === undefined) return;
    const wanted = pointing ?? this.#pinned;
    this.#pointing = wanted;
    if (wanted !== undefined) this.#bringIntoView(wanted);
    this.#trace.show(this.#drawn, wanted);
    this.#svg.classList.toggle("tl-pinned", this.#pinned !== undefined && this.#pinned === wanted);
    this.pointed(wanted);
  }

  /** Moves the window, and the rows and columns left out, so that both ends of the link are seen. */
  #bringIntoView(pointing: Pointing): void {
    if (this.#drawn === undefined) return;
    const strip = this.#drawn.strips.find((item) => item.strip.storage.id === pointing.storage);
    const cell = strip ? Math.floor(pointing.byte / strip.strip.unit.itemsize) : 0;
    let moved = false;
    if (strip !== undefined && !strip.holds(cell)) {
      this.#starts.set(pointing.storage, cell - Math.floor(strip.strip.shown / 2));
      moved = true;
    }
    const lead = pointing.lead;
    const block = this.#drawn.blocks.find((item) => item.block.tensor.id === lead?.tensor.id);
    if (lead !== undefined && block !== undefined && !block.cells.has(lead.index.join())) {
      this.#at.set(lead.tensor.id, lead.index);
      moved = true;
    }
    if (moved) this.#redraw();
  }

  #pointingOf(target: EventTarget | null): Pointing | undefined {
    const cell = nearest(target, ".tl-cell");
    if (cell === null || this.#frame === undefined) return undefined;
    const { tensors, active } = this.#frame;
    const { tensor: id, index, storage, cell: at } = cell.dataset;
    const tensor = tensors.find((item) => item.id === Number(id));
    if (id !== undefined && tensor !== undefined) return pointAtElement(tensors, tensor, parseIndex(index));
    const strip = this.#drawn?.strips.find((item) => item.strip.storage.id === Number(storage));
    return strip ? pointAtCell(tensors, strip.strip.unit, Number(at), active) : undefined;
  }

  #listen(): void {
    on(this.#svg, "pointerover", (event) => this.#onOver(event));
    on(this.#svg, "pointerleave", () => {
      this.#isolate(undefined);
      this.#point(undefined);
    });
    on(this.#svg, "click", (event) => this.#onClick(event));
    on(this.#svg, "focusin", (event) => {
      const pointing = this.#pointingOf(event.target);
      if (pointing) this.#point(pointing);
    });
    on(this.#svg, "keydown", (event) => this.#onKey(event));
    on(this.#svg, "wheel", (event) => this.#onWheel(event), { passive: false });
    on(this.#svg, "pointerdown", (event) => this.#onDrag(event));
    on(this.#svg, "pointermove", (event) => {
      if (event.buttons === 1) this.#onDrag(event);
    });
  }

  #onOver(event: Event): void {
    const { target } = event;
    const pointing = this.#pointingOf(target);
    if (pointing !== undefined) this.#point(pointing);
    const stride = nearest(target, "[data-stride]")?.dataset.stride?.split(",");
    if (stride && this.#drawn) this.#trace.showStride(this.#drawn, Number(stride[0]), Number(stride[1]));
    else if (pointing === undefined) this.#point(undefined);
    const tag = nearest(target, "[data-lane], [data-tag]");
    this.#isolate(tag ? (tag.dataset.lane ?? tag.dataset.tag) : undefined);
  }

  /** Dims every tensor but one. */
  #isolate(id: string | undefined): void {
    for (const part of this.#svg.querySelectorAll<SVGElement>("[data-block], [data-lane]")) {
      part.classList.toggle("tl-dimmed", id !== undefined && (part.dataset.block ?? part.dataset.lane) !== id);
    }
  }

  #onClick(event: Event): void {
    const letter = nearest(event.target, "[data-axis]");
    if (letter !== null) {
      this.#turn(letter, event instanceof MouseEvent && event.shiftKey);
      return;
    }
    const pointing = this.#pointingOf(event.target);
    this.#pin(pointing !== undefined && same(pointing, this.#pinned) ? undefined : pointing);
    const cell = nearest(event.target, ".tl-cell");
    if (cell !== null) this.#focus(cell);
  }

  #pin(pointing: Pointing | undefined): void {
    this.#pinned = pointing;
    this.#point(pointing);
  }

  /** Makes an axis the columns, or the rows with Shift. */
  #turn(letter: SVGElement | HTMLElement, rows: boolean): void {
    const [id, axis] = (letter.dataset.axis ?? "").split(",").map(Number);
    const tensor = this.#frame?.tensors.find((item) => item.id === id);
    if (tensor === undefined || axis === undefined) return;
    const order = [...(this.#orders.get(tensor.id) ?? tensor.shape.keys())];
    const to = order.length - (rows ? 2 : 1);
    const from = order.indexOf(axis);
    [order[from], order[to]] = [order[to] ?? 0, axis];
    this.#orders.set(tensor.id, order);
    this.#redraw();
  }

  #focus(cell: SVGElement | HTMLElement): void {
    const grid = cell.closest("[role=grid]");
    for (const other of grid?.querySelectorAll("[tabindex='0']") ?? []) other.setAttribute("tabindex", "-1");
    cell.setAttribute("tabindex", "0");
    cell.focus({ preventScroll: true });
  }

  // Keyboard

  #onKey(event: KeyboardEvent): void {
    const target = event.target instanceof SVGElement ? event.target : null;
    if (target === null) return;
    if (this.#keyOn(target, event)) {
      event.preventDefault();
      event.stopPropagation();
    }
  }

  #keyOn(target: SVGElement, event: KeyboardEvent): boolean {
    const { axis, tensor, storage, minimap } = target.dataset;
    const activates = event.key === "Enter" || event.key === " ";
    if (axis !== undefined && activates) {
      this.#turn(target, event.shiftKey);
      return true;
    }
    if (minimap !== undefined) return this.#keyOnMinimap(Number(minimap), event.key);
    if (tensor === undefined && storage === undefined) return false;
    if (event.key === "Escape") return this.#escape();
    if (activates) {
      const pointing = this.#pointingOf(target);
      this.#pin(same(pointing, this.#pinned) ? undefined : pointing);
      return true;
    }
    if (event.key.toLowerCase() === "s" && !event.ctrlKey && !event.metaKey) return this.#cross(target);
    return tensor === undefined ? this.#keyOnStorage(target, event) : this.#keyOnTensor(target, event);
  }

  #keyOnTensor(target: SVGElement, event: KeyboardEvent): boolean {
    const { tensor: id, index } = target.dataset;
    const tensor = this.#frame?.tensors.find((item) => item.id === Number(id));
    const block = this.#drawn?.blocks.find((item) => item.block.tensor.id === Number(id))?.block;
    if (tensor === undefined || block === undefined) return false;
    const to = travel(event.key, event.ctrlKey || event.metaKey, tensor.shape, block.order, parseIndex(index));
    if (to === undefined) return false;
    this.#goToElement(tensor, to);
    return true;
  }

  #goToElement(tensor: TensorState, index: readonly number[]): void {
    this.#point(pointAtElement(this.#frame?.tensors ?? [], tensor, index));
    const block = this.#drawn?.blocks.find((item) => item.block.tensor.id === tensor.id);
    const cell = block?.cells.get(index.join());
    if (cell !== undefined) this.#focus(cell);
  }

  #keyOnStorage(target: SVGElement, event: KeyboardEvent): boolean {
    const { storage, cell } = target.dataset;
    const strip = this.#drawn?.strips.find((item) => item.strip.storage.id === Number(storage))?.strip;
    if (strip === undefined) return false;
    if (event.key === "ArrowUp") return this.#cross(target);
    const to = travelStorage(event.key, event.ctrlKey || event.metaKey, strip, Number(cell));
    if (to === undefined) return false;
    this.#goToCell(strip.storage.id, to);
    return true;
  }

  #goToCell(storage: number, cell: number): void {
    const find = (): StripDrawing | undefined => this.#drawn?.strips.find((item) => item.strip.storage.id === storage);
    const strip = find();
    if (strip === undefined || this.#frame === undefined) return;
    this.#point(pointAtCell(this.#frame.tensors, strip.strip.unit, cell, this.#frame.active));
    const group = find()?.cells.get(cell);
    if (group !== undefined) this.#focus(group);
  }

  /** From an element to its storage cell, and from a cell to its first reader. */
  #cross(target: SVGElement): boolean {
    const pointing = this.#pointingOf(target);
    if (pointing?.lead === undefined) return true;
    if (target.dataset.tensor === undefined) this.#goToElement(pointing.lead.tensor, pointing.lead.index);
    else {
      const strip = this.#drawn?.strips.find((item) => item.strip.storage.id === pointing.storage);
      if (strip) this.#goToCell(pointing.storage, Math.floor(pointing.byte / strip.strip.unit.itemsize));
    }
    return true;
  }

  #escape(): boolean {
    if (this.#pinned !== undefined) {
      this.#pin(undefined);
      return true;
    }
    if (document.activeElement instanceof SVGElement) document.activeElement.blur();
    this.#point(undefined);
    return true;
  }

  // The window over a long storage

  #moveWindow(storage: number, start: number): void {
    this.#starts.set(storage, Math.round(start));
    this.#redraw();
  }

  #stripOf(target: EventTarget | null, selector: string): StripDrawing | undefined {
    const part = nearest(target, selector);
    const id = part?.dataset.minimap ?? part?.dataset.strip;
    return this.#drawn?.strips.find((item) => item.strip.storage.id === Number(id ?? -1));
  }

  #keyOnMinimap(storage: number, key: string): boolean {
    const strip = this.#drawn?.strips.find((item) => item.strip.storage.id === storage)?.strip;
    if (strip === undefined) return false;
    const page = Math.max(strip.shown, Math.floor(strip.total / 50));
    const moves: Readonly<Record<string, number>> = {
      ArrowLeft: strip.start - strip.shown,
      ArrowRight: strip.start + strip.shown,
      PageUp: strip.start - page,
      PageDown: strip.start + page,
      Home: 0,
      End: strip.total,
    };
    const to = moves[key];
    if (to === undefined) return false;
    this.#moveWindow(storage, Math.min(Math.max(to, 0), strip.total - strip.shown));
    return true;
  }

  #onWheel(event: WheelEvent): void {
    const strip = event.shiftKey ? this.#stripOf(event.target, "[data-strip]")?.strip : undefined;
    if (strip === undefined || strip.total <= strip.shown) return;
    event.preventDefault();
    const by = Math.sign(event.deltaY || event.deltaX) * Math.max(1, Math.floor(strip.shown / 4));
    this.#moveWindow(strip.storage.id, Math.min(Math.max(strip.start + by, 0), strip.total - strip.shown));
  }

  #onDrag(event: PointerEvent): void {
    const strip = this.#stripOf(event.target, "[data-minimap]")?.strip;
    if (strip === undefined) return;
    const share = (event.clientX - this.#svg.getBoundingClientRect().left) / this.#width;
    this.#moveWindow(strip.storage.id, share * strip.total - strip.shown / 2);
  }
}

function parseIndex(text: string | undefined): number[] {
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
