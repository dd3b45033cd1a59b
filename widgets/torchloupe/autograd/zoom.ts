/** The window on the picture: how far, where, and the hands that move it. */

import { on } from "../core/element";
import type { Rect } from "./scene";

export const LEAST = 0.02;
export const MOST = 3;
const NOTCH = 1.0015;
const STILL = 4;
const MARGIN = 40;
/** Room the zoom buttons take at the left. */
const BUTTONS = 44;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Screen = layout · k + (x, y). */
export class Zoom {
  k = 1;
  x = 0;
  y = 0;
  /** Size of the stage on the screen. */
  stage: Size = { width: 0, height: 0 };
  /** Size of the picture in layout px. */
  picture: Size = { width: 0, height: 0 };

  /** The part of the picture that is seen. */
  get window(): Rect {
    const { k, x, y, stage } = this;
    return { x: -x / k, y: -y / k, w: stage.width / k, h: stage.height / k };
  }

  /** The left end of what is seen, right of the zoom buttons while the picture goes on there. */
  get edge(): number {
    return (this.overflows ? BUTTONS - this.x : -this.x) / this.k;
  }

  toLayout(x: number, y: number): { x: number; y: number } {
    return { x: (x - this.x) / this.k, y: (y - this.y) / this.k };
  }

  /** Changes `k` by a factor; the point (x, y) of the screen stays over the same point of the picture. */
  by(factor: number, x = this.stage.width / 2, y = this.stage.height / 2): void {
    const k = Math.min(Math.max(this.k * factor, LEAST), MOST);
    const point = this.toLayout(x, y);
    this.k = k;
    this.x = x - point.x * k;
    this.y = y - point.y * k;
    this.settle();
  }

  pan(dx: number, dy: number): void {
    this.x += dx;
    this.y += dy;
    this.settle();
  }

  /** Keeps the picture in the stage: centred where it is smaller, without a gap where it is larger. */
  settle(): void {
    const { k, stage, picture } = this;
    const kept = (at: number, room: number, size: number): number =>
      size * k <= room ? (room - size * k) / 2 : Math.min(Math.max(at, room - size * k - MARGIN), MARGIN);
    this.x = whole(kept(this.x, stage.width, picture.width));
    this.y = whole(picture.height * k <= stage.height ? 0 : kept(this.y, stage.height, picture.height));
  }

  /** Whether the picture goes on beyond the stage. */
  get overflows(): boolean {
    const { k, stage, picture } = this;
    return picture.width * k > stage.width + 1 || picture.height * k > stage.height + 1;
  }

  /** Moves as little as needed to show `rect`; its upper part when it is too large. */
  reveal({ x, y, w, h }: Rect, room = 24): void {
    const window = this.window;
    const margin = room / this.k;
    const into = (at: number, size: number, from: number, seen: number): number => {
      if (at - margin < from || size + 2 * margin > seen) return at - margin;
      return at + size + margin > from + seen ? at + size + margin - seen : from;
    };
    this.x = -into(x, w, window.x, window.w) * this.k;
    this.y = -into(y, h, window.y, window.h) * this.k;
    this.settle();
  }

  /** Centres the picture on a point. */
  centre(x: number, y: number): void {
    this.x = this.stage.width / 2 - x * this.k;
    this.y = this.stage.height / 2 - y * this.k;
    this.settle();
  }
}

/** A place on the grid of the screen's own px: borders stay sharp. */
function whole(at: number): number {
  return Math.round(at * devicePixelRatio) / devicePixelRatio;
}

/** What the hands tell. */
export interface Touch {
  moved(): void;
  pressed(x: number, y: number, event: PointerEvent): void;
  hovered(x: number, y: number): void;
  left(): void;
}

/**
 * Drag and pinch move and zoom; the wheel zooms with Ctrl or ⌘. Alone it moves the picture only while the stage
 * has the focus and the picture goes on in that direction: a page is never held fast.
 */
export function hands(element: HTMLElement, zoom: Zoom, touch: Touch): void {
  const fingers = new Map<number, { x: number; y: number }>();
  let travelled = 0;
  const place = (event: MouseEvent): { x: number; y: number } => {
    const box = element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  on(element, "wheel", (event) => wheel(event as WheelEvent, element, zoom, place(event as WheelEvent), touch), {
    passive: false,
  });
  on(element, "pointerdown", (event) => {
    if (event.button !== 0 || isControl(event.target)) return;
    if (fingers.size === 0) travelled = 0;
    fingers.set(event.pointerId, place(event));
  });
  on(element, "pointermove", (event) => {
    const from = fingers.get(event.pointerId);
    const to = place(event);
    if (from === undefined) {
      if (!isControl(event.target)) touch.hovered(to.x, to.y);
      return;
    }
    travelled += Math.hypot(to.x - from.x, to.y - from.y);
    if (travelled < STILL) return;
    if (!element.hasPointerCapture(event.pointerId)) element.setPointerCapture(event.pointerId);
    const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
    fingers.set(event.pointerId, to);
    if (other === undefined) {
      zoom.pan(to.x - from.x, to.y - from.y);
    } else {
      const before = Math.hypot(from.x - other.x, from.y - other.y);
      const after = Math.hypot(to.x - other.x, to.y - other.y);
      zoom.by(after / Math.max(before, 1), (to.x + other.x) / 2, (to.y + other.y) / 2);
    }
    element.classList.add("tl-dragging");
    touch.moved();
  });
  const lifted = (event: PointerEvent): void => {
    const held = fingers.delete(event.pointerId);
    if (fingers.size === 0) element.classList.remove("tl-dragging");
    if (!held || event.type !== "pointerup" || travelled >= STILL) return;
    const { x, y } = place(event);
    touch.pressed(x, y, event);
  };
  on(element, "pointerup", lifted);
  on(element, "pointercancel", lifted);
  on(element, "pointerleave", () => touch.left());
}

function isControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("button, .tl-grip, .tl-minimap") !== null;
}

function wheel(event: WheelEvent, element: HTMLElement, zoom: Zoom, at: { x: number; y: number }, touch: Touch): void {
  const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
  if (event.ctrlKey || event.metaKey) {
    event.preventDefault();
    zoom.by(NOTCH ** (-event.deltaY * pixels), at.x, at.y);
    touch.moved();
    return;
  }
  if (!element.contains(document.activeElement)) return;
  const { x, y } = zoom;
  const sideways = event.shiftKey && event.deltaX === 0;
  zoom.pan(-(sideways ? event.deltaY : event.deltaX) * pixels, sideways ? 0 : -event.deltaY * pixels);
  if (zoom.x === x && zoom.y === y) return;
  event.preventDefault();
  touch.moved();
}
