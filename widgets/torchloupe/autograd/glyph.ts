/** The signs on the controls of this lens: 16 × 16, the colour of the text beside them. */

import { svg } from "../core/element";

/** Filled shapes, and lines (with a leading `-`). */
const PATHS = {
  loupe: "-M6.8 2.5a4.3 4.3 0 1 0 0 8.6a4.3 4.3 0 1 0 0-8.6M10 10l3.7 3.7",
  back: "M3 3.5h1.7v9H3zM12.8 3.5v9L5.8 8z",
  step: "M3.2 3.5v9l7-4.5zM11.3 3.5H13v9h-1.7z",
  out: "-M6 3H3v10h3M6.5 8H13M10.3 5.3L13 8l-2.7 2.7",
  here: "-M1.5 8h6.7M5.7 5.5L8.2 8l-2.5 2.5M12 5.8a2.2 2.2 0 1 0 0 4.4a2.2 2.2 0 1 0 0-4.4",
  run: "M2.5 4v8L8 8zM8 4v8l5.5-4z",
  stop: "M4 4h8v8H4z",
  more: "M2 6.8h2.4v2.4H2zM6.8 6.8h2.4v2.4H6.8zM11.6 6.8H14v2.4h-2.4z",
  cells: "-M2.7 2.7h10.6v10.6H2.7zM2.7 8h10.6M8 2.7v10.6",
  close: "-M4 4l8 8M12 4l-8 8",
} as const;

export type GlyphName = keyof typeof PATHS;

/** A sign; decorative, so a control that has nothing else needs its own `aria-label`. */
export function glyph(name: GlyphName): SVGSVGElement {
  const path: string = PATHS[name];
  const lined = path.startsWith("-");
  const shape = svg("path", { d: lined ? path.slice(1) : path, fill: lined ? "none" : "currentColor" });
  if (!lined) shape.setAttribute("stroke", "none");
  return svg("svg", { class: "tl-icon", viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" }, shape);
}
