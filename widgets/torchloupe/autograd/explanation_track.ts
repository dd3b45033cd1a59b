/** Which marks stand beside which line of code, and the line that joins them and runs to the node. */

import { svg } from "../core/element";
import type { Explanation } from "./state";

/** Height of a row of code, px; the picture beside the rows counts in it. */
export const ROW = 36;
const WIDTH = 104;
const MIDDLE = 44;
const LANE = 82;
const RADIUS = 13;
const CORNER = 8;
/** From the last mark down to the slot of the node box. */
const DROP = 54;

/** A circle for the tensor as it was kept, a square for one that was changed. */
export interface Mark {
  readonly row: number;
  readonly shape: "circle" | "square";
  readonly label: string;
}

/** The marks of an explanation in the order in which they came to be; `rows` are the numbers of the lines shown. */
export function marks(told: Explanation, rows: readonly number[]): Mark[] {
  const counted = told.kind === "in_place";
  const found: Mark[] = [];
  const keeper = rows.indexOf(told.keeper);
  if (keeper >= 0 && told.keeper > 0) {
    found.push({ row: keeper, shape: "circle", label: counted ? String(told.expected) : "" });
  }
  for (const line of new Set(told.culprits)) {
    const row = rows.indexOf(line);
    if (row >= 0) found.push({ row, shape: "square", label: counted ? versions(told, line) : sign(told) });
  }
  return found;
}

/** `1`, or `1–3` for a line that ran more than once. */
function versions(told: Explanation, line: number): string {
  const own = told.versions.filter((_, at) => told.culprits[at] === line);
  const [first] = own;
  const last = own.at(-1);
  return first === last ? String(last ?? "") : `${first}–${last}`;
}

function sign(told: Explanation): string {
  return told.kind === "behind" ? "≠" : "✕";
}

/** How far below the top of the rows the node's slot stands, so that the line can reach it. */
export function slotAt(found: readonly Mark[], rows: number): number {
  const last = found.at(-1);
  if (last === undefined) return ROW / 2;
  const lowest = Math.max(...found.map((mark) => mark.row));
  return Math.min(Math.max(middle(lowest) + DROP, 62), Math.max(rows * ROW - 20, middle(lowest) + DROP));
}

/** The picture between code and node. `reaches` says whether there is a node to run to. */
export function track(found: readonly Mark[], rows: number, reaches: boolean, description: string): SVGSVGElement {
  const height = Math.max(rows * ROW, reaches ? slotAt(found, rows) + 28 : 0);
  const size = { width: WIDTH, height, viewBox: `0 0 ${WIDTH} ${height}` };
  const picture = svg("svg", { class: "tl-explain-track", ...size, role: "img", "aria-label": description });
  const places = placed(found);
  for (const place of places) {
    picture.append(svg("path", { d: `M0 ${place.y}H${place.x - place.half - 4}`, class: "tl-explain-leader" }));
  }
  places.forEach((place, at) => {
    const before = places[at - 1];
    if (before !== undefined) picture.append(svg("path", { d: joined(before, place), class: "tl-explain-thread" }));
  });
  const last = places.at(-1);
  if (last !== undefined && reaches) {
    const slot = slotAt(found, rows);
    const free = places.every((place) => place.y <= last.y);
    const below = free ? `M${last.x} ${last.y}` : `M${last.x} ${last.y}H${LANE}`;
    const lane = free ? last.x : LANE;
    const wide = `${below}V${slot - CORNER}Q${lane} ${slot} ${lane + CORNER} ${slot}H${WIDTH - 7}`;
    picture.append(svg("path", { d: wide, class: "tl-explain-elbow tl-explain-wide" }));
    const head = `M${WIDTH - 8} ${slot - 6}L${WIDTH} ${slot}L${WIDTH - 8} ${slot + 6}Z`;
    picture.append(svg("path", { d: head, class: "tl-explain-head tl-explain-wide" }));
    picture.append(svg("path", { d: `${below}V${height - 7}`, class: "tl-explain-elbow tl-explain-narrow" }));
    const foot = `M${lane - 6} ${height - 8}L${lane} ${height}L${lane + 6} ${height - 8}Z`;
    picture.append(svg("path", { d: foot, class: "tl-explain-head tl-explain-narrow" }));
  }
  for (const place of places) picture.append(badge(place));
  return picture;
}

interface Place extends Mark {
  readonly x: number;
  readonly y: number;
  readonly half: number;
}

function middle(row: number): number {
  return row * ROW + ROW / 2;
}

/** Two marks of one row stand side by side. */
function placed(found: readonly Mark[]): Place[] {
  return found.map((mark) => {
    const shared = found.some((other) => other !== mark && other.row === mark.row);
    const shift = shared ? (mark.shape === "circle" ? -15 : 15) : 0;
    const half = Math.max(RADIUS, mark.label.length * 4.5 + 5);
    return { ...mark, x: MIDDLE + shift, y: middle(mark.row), half };
  });
}

function joined(from: Place, to: Place): string {
  return from.y === to.y ? `M${from.x} ${from.y}H${to.x}` : `M${to.x} ${from.y}V${to.y}`;
}

function badge(place: Place): SVGGElement {
  const group = svg("g", { class: `tl-explain-mark tl-explain-${place.shape}` });
  const { x, y, half } = place;
  if (place.shape === "circle") group.append(svg("circle", { cx: x, cy: y, r: RADIUS }));
  else group.append(svg("rect", { x: x - half, y: y - RADIUS, width: 2 * half, height: 2 * RADIUS, rx: 3 }));
  group.append(svg("text", { x, y: y + 5 }, place.label));
  return group;
}
