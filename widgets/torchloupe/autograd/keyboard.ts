/** Which key does what while the lens has the focus. All others go to JupyterLab. */

import { html } from "../core/element";
import type { Say } from "../core/words";

export const DEEDS = [
  "step",
  "step_fine",
  "back",
  "out",
  "here",
  "run",
  "stop",
  "escape",
  "down",
  "up",
  "left",
  "right",
  "toggle",
  "open_to",
  "way_up",
  "way_down",
  "current",
  "first_nan",
  "home",
  "end",
  "search",
  "zoom_in",
  "zoom_out",
  "fit",
  "colour",
  "keys",
] as const;
export type Deed = (typeof DEEDS)[number];

const PLAIN: Readonly<Record<string, Deed>> = {
  " ": "step",
  PageDown: "step",
  PageUp: "back",
  Backspace: "back",
  Escape: "escape",
  ArrowDown: "down",
  ArrowUp: "up",
  ArrowLeft: "left",
  ArrowRight: "right",
  Enter: "toggle",
  Home: "home",
  End: "end",
};
const LETTERS: Readonly<Record<string, Deed>> = {
  r: "here",
  u: "way_up",
  d: "way_down",
  g: "current",
  n: "first_nan",
  c: "colour",
  "/": "search",
  "+": "zoom_in",
  "=": "zoom_in",
  "-": "zoom_out",
  "0": "fit",
  "?": "keys",
};
const SHIFTED: Readonly<Record<string, Deed>> = { " ": "out", Enter: "open_to", R: "run" };

/** What `event` means in a lens, or undefined when it belongs to a field, a menu, or JupyterLab. */
export function deedOf(event: KeyboardEvent): Deed | undefined {
  const { key } = event;
  if (event.ctrlKey || event.metaKey) return key === "." && !event.shiftKey && !event.altKey ? "stop" : undefined;
  if (event.target instanceof Element && isNeeded(key, event.target)) return undefined;
  if (event.altKey) return key === " " ? "step_fine" : undefined;
  if (event.shiftKey && SHIFTED[key] !== undefined) return SHIFTED[key];
  return (event.shiftKey ? undefined : PLAIN[key]) ?? LETTERS[key];
}

/** Whether what has the focus needs the key for itself. */
function isNeeded(key: string, target: Element): boolean {
  if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) return true;
  const within = (selector: string): boolean => target.closest(selector) !== null;
  if (within("[role=menu]")) return true;
  if (/^Arrow/.test(key) && within("[role=radiogroup], [role=slider], [role=separator]")) return true;
  if (/^(Arrow|Page|Home|End)/.test(key) && within(".tl-table-view, .tl-card")) return true;
  return (key === " " || key === "Enter") && within("button, a, summary") && !target.classList.contains("tl-act-step");
}

/** Keys that a field, a menu or a button inside the lens needs for itself, so that JupyterLab must not act on them. */
export function belongsInside(event: KeyboardEvent): boolean {
  const { target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  if (target instanceof HTMLInputElement) return true;
  if (!(target instanceof Element)) return false;
  if (target.closest("[role=menu], [role=radiogroup], [role=slider], [role=separator]") !== null)
    return event.key !== "Tab";
  return /^(Enter| |Arrow.*|Page.*|Home|End|Escape)$/.test(event.key);
}

const LIST: readonly (readonly [string, string])[] = [
  ["Space, Page Down", "step"],
  ["Alt+Space", "step_fine"],
  ["Page Up, Backspace", "back"],
  ["Shift+Space", "out"],
  ["R", "here"],
  ["Shift+R", "run"],
  ["Ctrl+.", "stop"],
  ["↓ ↑", "along"],
  ["← →", "beside"],
  ["Enter", "toggle"],
  ["Shift+Enter", "open_to"],
  ["U, D", "ways"],
  ["G", "current"],
  ["N", "first_nan"],
  ["Home, End", "ends"],
  ["/", "search"],
  ["+ − 0", "zoom"],
  ["C", "colour"],
  ["Esc", "escape"],
];

/** The list of keys. */
export function keyList(say: Say): HTMLElement {
  const rows = LIST.flatMap(([keys, id]) => {
    const names = keys
      .split(", ")
      .flatMap((key, at) => [...(at > 0 ? [" "] : []), html("kbd", { class: "tl-key" }, key)]);
    return [html("dt", {}, ...names), html("dd", {}, say(`does_${id}`))];
  });
  return html(
    "div",
    { class: "tl-keys", role: "dialog", "aria-label": say("keys"), tabindex: -1 },
    html("h3", {}, say("keys")),
    html("dl", {}, ...rows),
  );
}
