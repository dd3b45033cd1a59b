/** A refusal as a picture: why in words, the walk no single stride can take, and PyTorch's own message. */

import { caption, html, svg } from "../core/element";
import type { Say } from "../core/words";
import { hueClass } from "./axis";
import type { Refusal } from "./state";

const LABELS = 92;
const LINE = 24;
/** Storages up to this size are drawn cell by cell above the walk. */
const MOST_CELLS = 64;

/** Draws `refusal` of an operation on the tensor `source`, `width` wide. */
export function refusalPane(refusal: Refusal, source: number, total: number, width: number, say: Say): HTMLElement {
  const pane = html("section", { class: `tl-refusal ${hueClass(source)}` });
  pane.append(html("h3", { class: "tl-why" }, say(refusal.heading.id, refusal.heading.args)));
  pane.append(html("p", {}, say(refusal.detail.id, refusal.detail.args)));
  if (refusal.walk.length > 1) pane.append(walkPicture(refusal, total, width, say));
  return pane;
}

/** PyTorch's own words, folded. */
export function errorText(refusal: Refusal, say: Say): HTMLElement {
  const summary = html("summary", {}, say("error_text"));
  return html("details", { class: "tl-error" }, summary, html("code", {}, refusal.error));
}

/** Each element of the walk on a line of its own, at its cell; a view would need a straight line. */
function walkPicture(refusal: Refusal, total: number, width: number, say: Say): SVGSVGElement {
  const { walk } = refusal;
  const most = Math.max(total - 1, ...walk.map((point) => point.cell), 1);
  const x = (cell: number): number => LABELS + 8 + (cell / most) * (width - LABELS - 24);
  const top = total <= MOST_CELLS ? 44 : 14;
  const y = (at: number): number => top + at * LINE;
  const height = y(walk.length - 1) + 26;
  const picture = svg("svg", { class: "tl-walk", width, height, viewBox: `0 0 ${width} ${height}`, role: "img" });
  picture.append(svg("title", {}, walk.map((point) => `${point.label} → ${point.cell}`).join(", ")));
  walk.forEach((point, at) => {
    picture.append(svg("line", { x1: LABELS, x2: width, y1: y(at), y2: y(at), class: "tl-rule-line" }));
    picture.append(caption(LABELS - 8, y(at) + 4, "tl-mono tl-ink2 tl-12 tl-end", point.label));
  });
  if (total <= MOST_CELLS) picture.append(storageRow(refusal, total, x, say));
  const first = walk[0]?.cell ?? 0;
  const steps = walk.slice(1).map((point, at) => point.cell - (walk[at]?.cell ?? 0));
  const straight = { x1: x(first), y1: y(0), x2: x(Math.min(most, first + walk.length - 1)), y2: y(walk.length - 1) };
  picture.append(svg("line", { ...straight, class: "tl-straight" }));
  const points = walk.map((point, at) => `${x(point.cell)},${y(at)}`).join(" ");
  picture.append(svg("polyline", { points, class: "tl-walk-line" }));
  picture.append(
    ...walk.map((point, at) => svg("circle", { cx: x(point.cell), cy: y(at), r: 4, class: "tl-hue-fill" })),
  );
  steps.forEach((step, at) => {
    const middle = { x: (x(walk[at]?.cell ?? 0) + x(walk[at + 1]?.cell ?? 0)) / 2, y: (y(at) + y(at + 1)) / 2 + 4 };
    const words = step < 0 ? `−${-step}` : `+${step}`;
    picture.append(
      svg("text", { ...middle, class: "tl-mono tl-bold tl-12 tl-middle tl-hue-text tl-halo-text" }, words),
    );
  });
  picture.append(caption(width, height - 6, "tl-ink2 tl-11 tl-end", say("straight")));
  return picture;
}

/** The storage above the walk, with the cells the walk stops at outlined. */
function storageRow(refusal: Refusal, total: number, x: (cell: number) => number, say: Say): SVGGElement {
  const stops = new Set(refusal.walk.map((point) => point.cell));
  const step = x(1) - x(0);
  const row = svg("g", {}, caption(LABELS - 8, 22, "tl-ink tl-bold tl-12 tl-end", say("storage")));
  for (let cell = 0; cell < total; cell++) {
    const size = { width: Math.max(2, step - 1.5), height: 20, rx: 2 };
    const place = `--place:${((cell / Math.max(1, total - 1)) * 100).toFixed(1)}%`;
    const name = stops.has(cell) ? "tl-walk-cell tl-walk-stop" : "tl-walk-cell";
    row.append(svg("rect", { x: x(cell) - size.width / 2, y: 8, ...size, class: name, style: place }));
    if (stops.has(cell)) row.append(caption(x(cell), 22, "tl-mono tl-10 tl-middle tl-ink", String(cell)));
  }
  return row;
}
