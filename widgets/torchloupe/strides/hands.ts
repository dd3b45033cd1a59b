/** Mouse and keyboard on the picture. */

import { nearest, on } from "../core/element";
import type { Strip } from "./layout";
import { focus, parseIndex, type Stage } from "./stage";
import { travel, travelStorage } from "./travel";

export class Hands {
  /** The storage whose map is being dragged. */
  #dragged: Strip | undefined;

  constructor(private readonly stage: Stage) {
    const { picture } = stage;
    on(picture, "pointerover", (event) => this.#onOver(event.target));
    on(picture, "pointerleave", () => {
      stage.isolate(undefined);
      stage.point(undefined);
    });
    on(picture, "click", (event) => this.#onClick(event));
    on(picture, "focusin", (event) => {
      const pointing = stage.pointingOf(event.target);
      if (pointing) stage.point(pointing);
    });
    on(picture, "keydown", (event) => {
      if (!(event.target instanceof SVGElement) || !this.#onKey(event.target, event)) return;
      event.preventDefault();
      event.stopPropagation();
    });
    on(picture, "wheel", (event) => this.#onWheel(event), { passive: false });
    on(picture, "pointerdown", (event) => {
      this.#dragged = this.#stripAt(event.target, "[data-minimap]");
      this.#onDrag(event);
    });
    on(picture, "pointermove", (event) => this.#onDrag(event));
  }

  #onOver(target: EventTarget | null): void {
    const { stage } = this;
    const pointing = stage.pointingOf(target);
    const stride = nearest(target, "[data-stride]")?.dataset.stride?.split(",");
    if (stride) stage.showStride(Number(stride[0]), Number(stride[1]));
    else stage.point(pointing);
    const tag = nearest(target, "[data-lane], [data-tag]")?.dataset;
    stage.isolate(tag?.lane ?? tag?.tag);
  }

  #onClick(event: MouseEvent): void {
    if (this.#turn(event.target, event.shiftKey)) return;
    this.stage.pin(this.stage.pointingOf(event.target));
    focus(nearest(event.target, ".tl-cell") ?? undefined);
  }

  #turn(target: EventTarget | null, rows: boolean): boolean {
    const letter = nearest(target, "[data-axis]")?.dataset.axis?.split(",");
    if (letter) this.stage.turn(Number(letter[0]), Number(letter[1]), rows);
    return letter !== undefined;
  }

  #onKey(target: SVGElement, event: KeyboardEvent): boolean {
    const { tensor, storage, minimap } = target.dataset;
    const activates = event.key === "Enter" || event.key === " ";
    if (activates && this.#turn(target, event.shiftKey)) return true;
    if (minimap !== undefined) return this.#onMapKey(this.stage.strip(Number(minimap))?.strip, event.key);
    if (tensor === undefined && storage === undefined) return false;
    if (activates) this.stage.pin(this.stage.pointingOf(target));
    else if (event.key === "Escape") this.#letGo(target);
    else if (event.key.toLowerCase() === "s" && !control(event)) this.#cross(target);
    else return tensor === undefined ? this.#onStorageKey(target, event) : this.#onTensorKey(target, event);
    return true;
  }

  #letGo(target: SVGElement): void {
    if (this.stage.pin(undefined)) return;
    target.blur();
    this.stage.point(undefined);
  }

  #onTensorKey(target: SVGElement, event: KeyboardEvent): boolean {
    const block = this.stage.block(Number(target.dataset.tensor))?.block;
    if (block === undefined) return false;
    const { tensor, order } = block;
    const to = travel(event.key, control(event), tensor.shape, order, parseIndex(target.dataset.index));
    if (to) this.stage.goToElement(tensor, to);
    return to !== undefined;
  }

  #onStorageKey(target: SVGElement, event: KeyboardEvent): boolean {
    const strip = this.stage.strip(Number(target.dataset.storage))?.strip;
    if (strip === undefined) return false;
    if (event.key === "ArrowUp") {
      this.#cross(target);
      return true;
    }
    const to = travelStorage(event.key, control(event), strip, Number(target.dataset.cell));
    if (to !== undefined) this.stage.goToCell(strip.storage.id, to);
    return to !== undefined;
  }

  /** From an element to its storage cell, and from a cell to its first reader. */
  #cross(target: SVGElement): void {
    const pointing = this.stage.pointingOf(target);
    if (pointing?.lead === undefined) return;
    const { lead, storage, byte } = pointing;
    const unit = this.stage.strip(storage)?.strip.unit;
    if (target.dataset.tensor === undefined) this.stage.goToElement(lead.tensor, lead.index);
    else if (unit) this.stage.goToCell(storage, Math.floor(byte / unit.itemsize));
  }

  // The window over a long storage

  #stripAt(target: EventTarget | null, selector: string): Strip | undefined {
    const part = nearest(target, selector)?.dataset;
    return this.stage.strip(Number(part?.minimap ?? part?.strip ?? -1))?.strip;
  }

  #onMapKey(strip: Strip | undefined, key: string): boolean {
    if (strip === undefined) return false;
    const { shown, start, total } = strip;
    const page = Math.max(shown, Math.floor(total / 50));
    const moves: Readonly<Record<string, number>> = {
      ArrowLeft: start - shown,
      ArrowRight: start + shown,
      PageUp: start - page,
      PageDown: start + page,
      Home: 0,
      End: total,
    };
    const to = moves[key];
    if (to !== undefined) this.stage.moveWindow(strip, to);
    return to !== undefined;
  }

  #onWheel(event: WheelEvent): void {
    const strip = event.shiftKey ? this.#stripAt(event.target, "[data-strip]") : undefined;
    if (strip === undefined || strip.total <= strip.shown) return;
    event.preventDefault();
    const by = Math.sign(event.deltaY || event.deltaX) * Math.max(1, Math.floor(strip.shown / 4));
    this.stage.moveWindow(strip, strip.start + by);
  }

  #onDrag(event: PointerEvent): void {
    if (event.buttons !== 1) this.#dragged = undefined;
    if (this.#dragged === undefined) return;
    const box = this.stage.picture.getBoundingClientRect();
    const share = (event.clientX - box.left) / box.width;
    this.stage.moveWindow(this.#dragged, share * this.#dragged.total - this.#dragged.shown / 2);
  }
}

function control(event: KeyboardEvent): boolean {
  return event.ctrlKey || event.metaKey;
}
