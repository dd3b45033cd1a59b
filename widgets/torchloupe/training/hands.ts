/** The pointer on the plot: pointing, pinning, zooming and panning. */

import { on } from "../core/element";

/** What the pointer asks for; all places are px from the left of the plot. */
export interface Hands {
  point(x: number | undefined): void;
  pin(x: number): void;
  /** A window is being drawn; undefined when it was given up. */
  band(from: number, to: number): void;
  zoom(from: number, to: number): void;
  /** So many px to the right of where it was at the last call. */
  pan(by: number): void;
  zoomBy(factor: number, x: number): void;
  reset(): void;
  /** The hand lets go without asking for anything. */
  quit(): void;
  /** Whether a place is over the curves. */
  over(x: number, y: number): boolean;
}

const STILL = 4;
const NOTCH = 1.0016;

interface Drag {
  readonly id: number;
  readonly from: number;
  readonly shift: boolean;
  at: number;
  moved: boolean;
}

/** Listens on `element` until the signal aborts. */
export function listen(element: HTMLElement, hands: Hands, signal: AbortSignal): void {
  let drag: Drag | undefined;
  const place = (event: MouseEvent): [number, number] => {
    const box = element.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const quit = (): void => {
    drag = undefined;
    hands.quit();
  };
  const press = (event: PointerEvent): void => {
    const [x, y] = place(event);
    if (event.button !== 0 || !hands.over(x, y) || event.target !== element) return;
    drag = { id: event.pointerId, from: x, shift: event.shiftKey, at: x, moved: false };
    element.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent): void => {
    const [x, y] = place(event);
    if (drag === undefined || drag.id !== event.pointerId) {
      hands.point(hands.over(x, y) ? x : undefined);
      return;
    }
    drag.moved ||= Math.abs(x - drag.from) > STILL;
    if (!drag.moved) return;
    if (drag.shift) hands.pan(x - drag.at);
    else hands.band(drag.from, x);
    drag.at = x;
  };
  const release = (event: PointerEvent): void => {
    if (drag === undefined || drag.id !== event.pointerId) return;
    const { from, at, moved, shift } = drag;
    quit();
    if (!moved) hands.pin(from);
    else if (!shift) hands.zoom(Math.min(from, at), Math.max(from, at));
  };
  const wheel = (event: WheelEvent): void => {
    const [x, y] = place(event);
    if (!(event.ctrlKey || event.metaKey) || !hands.over(x, y)) return;
    event.preventDefault();
    hands.zoomBy(NOTCH ** event.deltaY, x);
  };
  on(element, "pointerdown", press, { signal });
  on(element, "pointermove", move, { signal });
  on(element, "pointerup", release, { signal });
  on(element, "pointercancel", quit, { signal });
  on(element, "pointerleave", () => drag === undefined && hands.point(undefined), { signal });
  on(element, "dblclick", (event) => hands.over(...place(event)) && hands.reset(), { signal });
  on(element, "wheel", wheel, { signal, passive: false });
}
