/** A pen that writes SVG: what is painted on a canvas is exported by the same strokes. */

import type { Pen } from "./ink";

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const ANCHORS: Readonly<Record<string, string>> = { center: "middle", right: "end", end: "end" };

/** Text that is safe between tags and in attributes. Control characters have no place in XML. */
export function escaped(text: string): string {
  const shown = Array.from(text, (letter) => ((letter.codePointAt(0) ?? 0) < 32 ? " " : letter)).join("");
  return shown.replace(/[&<>"]/g, (letter) => ESCAPES[letter] ?? letter);
}

function px(value: number): string {
  return String(Math.round(value * 100) / 100);
}

type Looks = Pick<
  Pen,
  | "fillStyle"
  | "strokeStyle"
  | "lineWidth"
  | "lineJoin"
  | "lineCap"
  | "globalAlpha"
  | "font"
  | "textAlign"
  | "textBaseline"
>;

/** Writes elements in the order of painting. Arcs are whole circles, as the plot has no others. */
export class SvgPen implements Pen {
  fillStyle: Pen["fillStyle"] = "#000";
  strokeStyle: Pen["strokeStyle"] = "#000";
  lineWidth = 1;
  lineJoin: CanvasLineJoin = "miter";
  lineCap: CanvasLineCap = "butt";
  globalAlpha = 1;
  font = "10px sans-serif";
  textAlign: CanvasTextAlign = "start";
  textBaseline: CanvasTextBaseline = "alphabetic";
  readonly #parts: string[] = [];
  readonly #saved: { readonly looks: Looks; readonly dash: string; readonly groups: number }[] = [];
  #path = "";
  #at: readonly [number, number] = [0, 0];
  #dash = "";
  #groups = 0;
  #clips = 0;

  /** @param ruler measures text, as SVG cannot; @param prefix begins the ids of clips, unique on a page */
  constructor(
    private readonly ruler: CanvasRenderingContext2D,
    private readonly prefix: string,
  ) {}

  /** What was painted, as one SVG document on paper. */
  document(width: number, height: number, paper: string, title: string, words: string): string {
    const size = `width="${px(width)}" height="${px(height)}" viewBox="0 0 ${px(width)} ${px(height)}"`;
    const told = `<title>${escaped(title)}</title><desc>${escaped(words)}</desc>`;
    const ground = `<rect width="100%" height="100%" fill="${escaped(paper)}"/>`;
    const open = `<svg xmlns="http://www.w3.org/2000/svg" role="img" ${size}>`;
    return `${open}${told}${ground}${this.#parts.join("")}${"</g>".repeat(this.#groups)}</svg>`;
  }

  beginPath(): void {
    this.#path = "";
  }

  moveTo(x: number, y: number): void {
    this.#path += `M${px(x)} ${px(y)}`;
    this.#at = [x, y];
  }

  lineTo(x: number, y: number): void {
    this.#path += `L${px(x)} ${px(y)}`;
    this.#at = [x, y];
  }

  closePath(): void {
    this.#path += "Z";
  }

  rect(x: number, y: number, width: number, height: number): void {
    this.#path += `M${px(x)} ${px(y)}h${px(width)}v${px(height)}h${px(-width)}Z`;
  }

  arc(x: number, y: number, radius: number): void {
    const half = `a${px(radius)} ${px(radius)} 0 1 0 `;
    this.#path += `M${px(x - radius)} ${px(y)}${half}${px(2 * radius)} 0${half}${px(-2 * radius)} 0Z`;
  }

  arcTo(x1: number, y1: number, x2: number, y2: number, radius: number): void {
    const [x0, y0] = this.#at;
    const before = toward(x1, y1, x0, y0, radius);
    const after = toward(x1, y1, x2, y2, radius);
    this.lineTo(before[0], before[1]);
    this.#path += `Q${px(x1)} ${px(y1)} ${px(after[0])} ${px(after[1])}`;
    this.#at = after;
  }

  roundRect(x: number, y: number, width: number, height: number, radius: number): void {
    const [right, bottom] = [x + width, y + height];
    this.moveTo(x + radius, y);
    this.arcTo(right, y, right, bottom, radius);
    this.arcTo(right, bottom, x, bottom, radius);
    this.arcTo(x, bottom, x, y, radius);
    this.arcTo(x, y, right, y, radius);
    this.closePath();
  }

  stroke(): void {
    if (this.#path) this.#parts.push(`<path d="${this.#path}" fill="none" ${this.#stroked()}/>`);
  }

  fill(): void {
    if (this.#path) this.#parts.push(`<path d="${this.#path}" ${this.#filled()}/>`);
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    this.#parts.push(`<rect ${box(x, y, width, height)} ${this.#filled()}/>`);
  }

  strokeRect(x: number, y: number, width: number, height: number): void {
    this.#parts.push(`<rect ${box(x, y, width, height)} fill="none" ${this.#stroked()}/>`);
  }

  fillText(text: string, x: number, y: number): void {
    this.#write(text, x, y, this.#filled());
  }

  strokeText(text: string, x: number, y: number): void {
    this.#write(text, x, y, `fill="none" ${this.#stroked()}`);
  }

  measureText(text: string): TextMetrics {
    this.ruler.font = this.font;
    return this.ruler.measureText(text);
  }

  setLineDash(segments: readonly number[]): void {
    this.#dash = segments.map(px).join(" ");
  }

  save(): void {
    const { fillStyle, strokeStyle, lineWidth, lineJoin, lineCap, globalAlpha, font, textAlign, textBaseline } = this;
    const looks = { fillStyle, strokeStyle, lineWidth, lineJoin, lineCap, globalAlpha, font, textAlign, textBaseline };
    this.#saved.push({ looks, dash: this.#dash, groups: this.#groups });
  }

  restore(): void {
    const saved = this.#saved.pop();
    if (saved === undefined) return;
    this.#parts.push("</g>".repeat(this.#groups - saved.groups));
    this.#groups = saved.groups;
    this.#dash = saved.dash;
    Object.assign(this, saved.looks);
  }

  clip(): void {
    const id = `${this.prefix}-${++this.#clips}`;
    this.#parts.push(`<clipPath id="${id}"><path d="${this.#path}"/></clipPath><g clip-path="url(#${id})">`);
    this.#groups += 1;
  }

  #write(text: string, x: number, y: number, paint: string): void {
    const anchor = ANCHORS[this.textAlign] ?? "start";
    const down = this.textBaseline === "middle" ? ' dy="0.35em"' : "";
    const place = `x="${px(x)}" y="${px(y)}"${down} text-anchor="${anchor}"`;
    this.#parts.push(`<text ${place} style="font:${escaped(this.font)}" ${paint}>${escaped(text)}</text>`);
  }

  #filled(): string {
    return `fill="${escaped(String(this.fillStyle))}"${this.#faint("fill-opacity")}`;
  }

  #stroked(): string {
    const shape = `stroke-linejoin="${this.lineJoin}" stroke-linecap="${this.lineCap}"`;
    const dash = this.#dash ? ` stroke-dasharray="${this.#dash}"` : "";
    const colour = escaped(String(this.strokeStyle));
    return `stroke="${colour}" stroke-width="${px(this.lineWidth)}" ${shape}${dash}${this.#faint("stroke-opacity")}`;
  }

  #faint(name: string): string {
    return this.globalAlpha < 1 ? ` ${name}="${px(this.globalAlpha)}"` : "";
  }
}

function box(x: number, y: number, width: number, height: number): string {
  return `x="${px(x)}" y="${px(y)}" width="${px(width)}" height="${px(height)}"`;
}

/** The point so far from (x, y) on the way to another one. */
function toward(x: number, y: number, toX: number, toY: number, far: number): readonly [number, number] {
  const whole = Math.hypot(toX - x, toY - y) || 1;
  return [x + ((toX - x) / whole) * far, y + ((toY - y) / whole) * far];
}
