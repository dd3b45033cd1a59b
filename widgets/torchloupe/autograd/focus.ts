/** Keeps the focus where it was while parts of a lens are drawn anew. */

const CONTROLS = "button, summary, [tabindex]";

/** Draws, and gives the focus to what now stands where the focused control stood. */
export function keepingFocus(root: HTMLElement, draw: () => void): void {
  const { activeElement: active } = document;
  const inside = active instanceof HTMLElement && root.contains(active) && active !== root;
  const part = inside ? active.closest<HTMLElement>(".tl-head, .tl-card, .tl-legend, .tl-strips") : null;
  const at = part === null ? -1 : [...part.querySelectorAll(CONTROLS)].indexOf(active as HTMLElement);
  const radio = inside && active.getAttribute("role") === "radio";
  draw();
  if (!inside || active.isConnected || at < 0) return;
  const chosen = radio ? root.querySelector<HTMLElement>('[role="radio"][aria-checked="true"]') : null;
  (chosen ?? part?.querySelectorAll<HTMLElement>(CONTROLS)[at] ?? root).focus({ preventScroll: true });
}
