/** The icons of the lenses: 16 × 16, one stroke, the colour of the text beside them. */

import { svg } from "./element";

const PATHS = {
  view: "M6.5 9.5l3-3M7 4.8l1.6-1.6a2.7 2.7 0 0 1 3.9 3.9L10.9 8.7M9 11.2l-1.6 1.6a2.7 2.7 0 0 1-3.9-3.9L5.1 7.3",
  copied: "M2.5 2.5h6.5v6.5h-6.5zM12 6.5h1.5v1.7M13.5 10.5v3h-3M8.2 13.5h-1.7v-1.7",
  refused: "M8 2a6 6 0 1 0 0 12a6 6 0 1 0 0-12M3.8 3.8l8.4 8.4",
  same: "M3 6h10M3 10h10",
  clipboard: "M5.5 5.5h8v8h-8zM10.5 5.2v-2.7h-8v8h2.7",
  undo: "M5.5 3l-3 3 3 3M2.8 6h6.4a4 4 0 0 1 0 8h-1.7",
  redo: "M10.5 3l3 3-3 3M13.2 6h-6.4a4 4 0 0 0 0 8h1.7",
  down: "M5 6.5l3 3 3-3",
  check: "M3 8.5l3.3 3.3 6.7-7.3",
} as const;

export type IconName = keyof typeof PATHS;

/** An icon; decorative, so a control that has nothing else needs its own `aria-label`. */
export function icon(name: IconName): SVGSVGElement {
  return svg(
    "svg",
    { class: "tl-icon", viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" },
    svg("path", { d: PATHS[name] }),
  );
}
