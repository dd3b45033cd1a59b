/** The colours and fonts of the picture, read from the page's tokens, and the measuring of text. */

/** What the picture is drawn with. Colours are CSS colours, fonts are families. */
export interface Inks {
  readonly ground: string;
  readonly paper: string;
  readonly ink: string;
  readonly ink2: string;
  readonly edge: string;
  readonly rule: string;
  /** The border of an open group. */
  readonly frame: string;
  /** The badge of a node that has run. */
  readonly done: string;
  readonly onDone: string;
  /** Blue: where you are. */
  readonly here: string;
  readonly hereField: string;
  readonly onHere: string;
  readonly bad: string;
  readonly badField: string;
  /** Seven steps of gradient norm, least first, and the ink that is readable on each. */
  readonly warm: readonly string[];
  readonly onWarm: readonly string[];
  readonly warmLine: string;
  readonly warmField: string;
  readonly warmInk: string;
  /** Grounds of open modules, outermost first. */
  readonly depths: readonly string[];
  readonly ui: string;
  readonly mono: string;
  /** Whether the person's system decides all colours. */
  readonly forced: boolean;
}

const STEPS = 7;
const DEPTHS = 4;

/** A canvas context for asking about colours and text; never shown. */
function scratch(): CanvasRenderingContext2D {
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  if (context === null) throw new Error("this browser has no canvas");
  return context;
}

/** Relative luminance (WCAG 2.2, "relative luminance") of what a colour looks like on an opaque pixel. */
function luminance(context: CanvasRenderingContext2D, colour: string): number {
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
  const linear = [red, green, blue].map((part) => {
    const s = part / 255;
    return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (linear[0] ?? 0) + 0.7152 * (linear[1] ?? 0) + 0.0722 * (linear[2] ?? 0);
}

function contrast(a: number, b: number): number {
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** Reads the tokens that hold at `element`. */
export function readInks(element: HTMLElement): Inks {
  const style = getComputedStyle(element);
  const probe = element.appendChild(document.createElement("span"));
  const token = (name: string): string => {
    probe.style.color = `var(${name}, CanvasText)`;
    return getComputedStyle(probe).color;
  };
  const context = scratch();
  const paper = token("--tl-node");
  const ink = token("--tl-text");
  const light = { paper: luminance(context, paper), ink: luminance(context, ink) };
  const readable = (colour: string): string => {
    const on = luminance(context, colour);
    return contrast(on, light.ink) >= contrast(on, light.paper) ? ink : paper;
  };
  const warm = Array.from({ length: STEPS }, (_, step) => token(`--tl-warm${step}`));
  const inks = {
    ground: token("--tl-ground"),
    paper,
    ink,
    ink2: token("--tl-ink2"),
    edge: token("--tl-edge"),
    rule: token("--tl-rule"),
    frame: token("--tl-frame"),
    done: token("--tl-done"),
    onDone: token("--tl-on-done"),
    here: token("--tl-here"),
    hereField: token("--tl-here-field"),
    onHere: token("--tl-on-here"),
    bad: token("--tl-refused"),
    badField: token("--tl-refused-field"),
    warm,
    onWarm: warm.map(readable),
    warmLine: token("--tl-warm-line"),
    warmField: token("--tl-warm-field"),
    warmInk: token("--tl-warm-ink"),
    depths: Array.from({ length: DEPTHS }, (_, depth) => token(`--tl-depth${depth}`)),
    ui: style.fontFamily,
    mono: style.getPropertyValue("--tl-mono").trim() || "monospace",
    forced: matchMedia("(forced-colors: active)").matches,
  };
  probe.remove();
  return inks;
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

/** Widths of text in layout px; asked often, so kept. */
export type Measure = (text: string, font: string) => number;

const MOST_KEPT = 8192;

/** Measures text as the canvas will draw it. */
export function measurer(): Measure {
  const context = scratch();
  const kept = new Map<string, number>();
  return (text, font) => {
    const key = `${font}\n${text}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    if (kept.size >= MOST_KEPT) kept.clear();
    context.font = font;
    const { width } = context.measureText(text);
    kept.set(key, width);
    return width;
  };
}

/** The longest beginning of `text` that fits into `width` with an ellipsis; empty when not even one letter does. */
export function cut(text: string, font: string, width: number, measure: Measure): string {
  if (measure(text, font) <= width) return text;
  let fits = 0;
  let not = text.length;
  while (not - fits > 1) {
    const middle = (fits + not) >> 1;
    if (measure(`${text.slice(0, middle)}…`, font) <= width) fits = middle;
    else not = middle;
  }
  return fits === 0 ? "" : `${text.slice(0, fits).trimEnd()}…`;
}
