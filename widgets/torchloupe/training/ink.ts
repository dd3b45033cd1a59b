/** The colours and fonts of the plot, read from the page's tokens. */

import type { Colour } from "./plot_model";

/** Colours are CSS colours, fonts are families. */
export interface Inks {
  readonly paper: string;
  readonly ink: string;
  readonly ink2: string;
  readonly rule: string;
  readonly edge: string;
  readonly bad: string;
  readonly wait: string;
  readonly brand: string;
  /** The grey of runs without a colour, then those of the four that have one. */
  readonly runs: readonly string[];
  /** Eleven shades: four too small, three healthy, four too large; and what is readable on each. */
  readonly strip: readonly string[];
  readonly onStrip: readonly string[];
  readonly ui: string;
  readonly mono: string;
  /** Whether the person's system decides all colours. */
  readonly forced: boolean;
}

/** What the plot is painted with: the part of a canvas context that it uses. */
export type Pen = Pick<
  CanvasRenderingContext2D,
  | "fillStyle"
  | "strokeStyle"
  | "lineWidth"
  | "lineJoin"
  | "lineCap"
  | "globalAlpha"
  | "font"
  | "textAlign"
  | "textBaseline"
  | "beginPath"
  | "moveTo"
  | "lineTo"
  | "closePath"
  | "fillRect"
  | "strokeRect"
  | "fillText"
  | "strokeText"
  | "measureText"
  | "save"
  | "restore"
> & {
  arc(x: number, y: number, radius: number, from: number, to: number): void;
  arcTo(x1: number, y1: number, x2: number, y2: number, radius: number): void;
  rect(x: number, y: number, width: number, height: number): void;
  roundRect(x: number, y: number, width: number, height: number, radius: number): void;
  stroke(): void;
  fill(): void;
  clip(): void;
  setLineDash(segments: readonly number[]): void;
};

const TOKENS = 9;
const HEALTHY = 4;
/** How much of the healthy grey is in each of its three tints. */
const TINTS = [0.42, 0.68, 1];

type Channels = readonly [number, number, number];

/** What a colour looks like on an opaque pixel. */
function channels(pen: CanvasRenderingContext2D, colour: string): Channels {
  pen.fillStyle = colour;
  pen.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = pen.getImageData(0, 0, 1, 1).data;
  return [red, green, blue];
}

/** Relative luminance (WCAG 2.2, "relative luminance"). */
function luminance(colour: Channels): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: Channels, other: Channels): number {
  const [dark = 0, bright = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (bright + 0.05) / (dark + 0.05);
}

function mixed(low: Channels, high: Channels, share: number): string {
  return `rgb(${low.map((part, at) => Math.round(part + ((high[at] ?? 0) - part) * share)).join(" ")})`;
}

/** Reads the tokens that hold at `element`. */
export function readInks(element: HTMLElement): Inks {
  const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  if (pen === null) throw new Error("this browser has no canvas");
  const probe = element.appendChild(document.createElement("span"));
  probe.style.setProperty("forced-color-adjust", "none");
  const token = (name: string): string => {
    probe.style.color = `var(${name}, CanvasText)`;
    return getComputedStyle(probe).color;
  };
  const style = getComputedStyle(element);
  const paper = token("--tl-plot-paper");
  const ink = token("--tl-plot-ink");
  const ground = channels(pen, paper);
  const steps = Array.from({ length: TOKENS }, (_, step) => token(`--tl-strip${step}`));
  const grey = channels(pen, steps[HEALTHY] ?? paper);
  const strip = steps.flatMap((colour, step) =>
    step === HEALTHY ? TINTS.map((share) => mixed(ground, grey, share)) : [colour],
  );
  const readable = (colour: string): string => {
    const on = channels(pen, colour);
    return contrast(on, channels(pen, ink)) >= contrast(on, ground) ? ink : paper;
  };
  const inks = {
    paper,
    ink,
    ink2: token("--tl-ink2"),
    rule: token("--tl-rule"),
    edge: token("--tl-edge"),
    bad: token("--tl-refused"),
    wait: token("--tl-wait"),
    brand: token("--tl-focus"),
    runs: [token("--tl-plot-rest"), ...[1, 2, 3, 4].map((run) => token(`--tl-run${run}`))],
    strip,
    onStrip: strip.map(readable),
    ui: style.fontFamily,
    mono: style.getPropertyValue("--tl-mono").trim() || "monospace",
    forced: matchMedia("(forced-colors: active)").matches,
  };
  probe.remove();
  return inks;
}

/** The colour of a run. */
export function runInk(inks: Inks, colour: Colour): string {
  return inks.runs[colour] ?? inks.ink2;
}

/** Calls `changed` when JupyterLab's theme, the system's scheme or forced colours change. */
export function onTheme(changed: () => void, signal: AbortSignal): void {
  const observer = new MutationObserver(changed);
  observer.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light", "data-jp-theme-name"] });
  signal.addEventListener("abort", () => observer.disconnect());
  for (const query of ["(forced-colors: active)", "(prefers-color-scheme: dark)"]) {
    matchMedia(query).addEventListener("change", changed, { signal });
  }
}
