/** Closed boxes at three distances: with code and value, as a row with a tile, as a bar of colour. */

import { type Facts, MIDDLE, STRIP } from "./anatomy";
import { heat, paintBadge, paintBorder, paintTile } from "./paint_tile";
import type { Pen } from "./pen";
import { type Item, PAD } from "./plot";
import type { Column, Stand } from "./reading";
import { headerShift, toggleOf } from "./scene";
import type { Key } from "./tree";

/** Text is never smaller than this on the screen, in px. */
const FLOOR = 11;
const STRIP_FLOOR = 10;
const TILE = { x: 4, w: 56, h: 20 } as const;

/** What a box's painter is told beside the box. */
export interface Portrait {
  readonly item: Item;
  readonly x: number;
  readonly y: number;
  readonly state: Stand;
  readonly selected: boolean;
}

/** A row with badge, name, and below it the code that made it with its value. */
export function paintNear(pen: Pen, portrait: Portrait, facts: Facts): void {
  const { item, x, y, state } = portrait;
  const { box, w, h } = item;
  paintBorder(pen, state, x, y, w, h, false);
  const group = box.kind !== "node" && box.kind !== "leaf";
  if (group) paintTile(pen, box.key, x + 6, y + 13, 48, 22, 11);
  else paintBadge(pen, state, pen.read.badge(box.key), x + 23, y + h / 2);
  const toggle = toggleOf(item);
  if (toggle !== undefined) pen.toggle(x + toggle.x, y + toggle.y, false);
  const left = x + (group ? 62 : 44);
  const room = x + w - left - (toggle === undefined ? 10 : 30);
  const ink = state === "not_run" ? pen.inks.ink2 : pen.inks.ink;
  if (pen.k >= 0.8) paintLines(pen, portrait, { left, room, ink }, facts);
  else pen.text(box.title, left, y + h / 2, pen.ui(Math.min(FLOOR / pen.k, 20), "700 "), ink, room);
}

interface Lines {
  readonly left: number;
  readonly room: number;
  readonly ink: string;
}

/** The two lines of a near box. */
function paintLines(pen: Pen, { item, y }: Portrait, { left, room, ink }: Lines, facts: Facts): void {
  const { box, h } = item;
  const { inks } = pen;
  const { fragment, value } = facts.code(box);
  if (box.kind === "node" && fragment === "" && value === "") {
    const taken = pen.text(box.title, left, y + h / 2, pen.ui(14, "700 "), ink, room);
    pen.text(box.suffix, left + taken, y + h / 2 + 1, pen.ui(11), inks.ink2, room - taken);
    return;
  }
  const [first, second] = [y + 16, y + 34];
  if (box.kind === "leaf") {
    const taken = pen.text(box.title, left, first, pen.mono(14, "700 "), ink, room);
    paintValue(pen, pen.read.forward(box.node), left + taken, first, room - taken);
    paintGradLine(pen, item, left, second, room);
    return;
  }
  const apart = box.kind === "node" ? 0 : 5;
  const taken = apart + pen.text(box.title, left, first, pen.ui(14, "700 "), ink, room);
  pen.text(box.suffix, left + taken, first + 1, pen.ui(11), inks.ink2, room - taken);
  if (box.kind === "node") paintCode(pen, facts.code(box), left, second, room, ink);
  else pen.text(pen.say("nodes", { n: box.count }), left, second, pen.ui(11), inks.ink2, room);
}

function paintCode(pen: Pen, code: ReturnType<Facts["code"]>, x: number, y: number, room: number, ink: string): void {
  const font = pen.mono(12);
  const value = code.value === "" ? "" : ` = ${code.value}`;
  const kept = pen.measure(value, font);
  const taken = pen.text(code.fragment, x, y, font, ink, room - Math.min(kept, room / 2));
  pen.text(value, x + taken, y, font, pen.inks.ink2, room - taken);
}

function paintValue(pen: Pen, value: string, x: number, y: number, room: number): void {
  if (value !== "") pen.text(` = ${value}`, x, y, pen.mono(12), pen.inks.ink2, room);
}

/** `x.grad` and what it holds, in one line. */
function paintGradLine(pen: Pen, { box }: Item, x: number, y: number, room: number): void {
  const { inks, read } = pen;
  const name = `${box.title}.grad `;
  const taken = pen.text(name, x, y, pen.mono(11.5), inks.ink2, room);
  const grad = read.grad(box.node);
  const font = grad === undefined ? pen.ui(11.5, "italic ") : pen.mono(12, "700 ");
  pen.text(grad ?? "None", x + taken, y, font, grad === undefined ? inks.ink2 : inks.warmInk, room - taken);
}

/** A row with a tile of heat, name and count. */
export function paintMiddle(pen: Pen, { item, x, y, state }: Portrait, facts: Facts): void {
  const { inks, k } = pen;
  const { box, w, h } = item;
  paintBorder(pen, state, x, y, w, h, true);
  const size = k >= 0.8 ? 13 : Math.min(FLOOR / k, 22);
  const legible = size * k >= FLOOR - 0.5;
  paintTile(pen, box.key, x + TILE.x, y + 4, TILE.w, TILE.h, 11 * k >= 8.5 ? 11 : 0);
  const toggle = toggleOf(item);
  if (toggle !== undefined && k >= 0.5) pen.toggle(x + toggle.x, y + toggle.y, false);
  if (!legible) return;
  const middle = y + h / 2;
  let right = x + w - (box.expandable ? 26 : 8);
  if (box.count > 1 && k >= 0.8) {
    const count = String(box.count);
    const wide = pen.measure(count, pen.ui(11));
    pen.text(count, right - wide, middle, pen.ui(11), inks.ink2);
    right -= wide + 8;
  }
  paintTitle(pen, item, { x: x + TILE.x + TILE.w + 8, y: middle, right, size, quiet: state === "not_run" }, facts);
}

interface Line {
  readonly x: number;
  readonly y: number;
  readonly right: number;
  readonly size: number;
  readonly quiet: boolean;
}

function paintTitle(pen: Pen, { box }: Item, { x, y, right, size, quiet }: Line, facts: Facts): void {
  const { inks } = pen;
  const group = box.kind !== "node" && box.kind !== "leaf";
  const weight = box.kind === "chain" || box.kind === "section" ? "" : "700 ";
  const font = box.kind === "leaf" ? pen.mono(size, "700 ") : pen.ui(size, weight);
  let at = x + pen.text(box.title, x, y, font, quiet ? inks.ink2 : inks.ink, right - x);
  if (pen.k < 0.8) return;
  const apart = group ? 6 : 0;
  at += apart + pen.text(box.suffix, at + apart, y + 0.5, pen.ui(11), inks.ink2, right - at - apart);
  const { fragment } = box.kind === "node" ? facts.code(box) : { fragment: "" };
  if (fragment !== "" && right - at > 48) pen.text(fragment, at + 10, y, pen.mono(10.5), inks.ink2, right - at - 10);
}

/** Identical siblings: sheets behind, and a tile for each of them so that a fold hides no trouble. */
export function paintStack(pen: Pen, { item, x, y, state, selected }: Portrait): void {
  const { inks, k } = pen;
  const { box, w, h } = item;
  for (const by of [8, 4]) {
    pen.fill(x + by, y + by, w, h, 5, inks.paper);
    pen.stroke(x + by, y + by, w, h, 5, selected ? inks.here : inks.edge, 1);
  }
  paintBorder(pen, state, x, y, w, h, true);
  const size = k >= 0.8 ? 13 : Math.min(FLOOR / k, 20);
  if (size * k >= STRIP_FLOOR) {
    const taken = pen.text(box.title, x + 10, y + 13, pen.ui(size, "700 "), inks.ink, w - 40);
    if (k >= 0.8) pen.text(box.suffix, x + 15 + taken, y + 13.5, pen.ui(11), inks.ink2, w - 45 - taken);
  }
  paintStrip(pen, box.key, x + STRIP.x, y + STRIP.y, w - 2 * STRIP.x, h - STRIP.y - 4);
  const toggle = toggleOf(item);
  if (toggle !== undefined && k >= 0.5) pen.toggle(x + toggle.x, y + toggle.y - 2, false);
}

/** Width of `1.2e−3` in a font of 1 px, and the smallest size at which it is read. */
const LETTERS = 3.65;
const LEAST_TEXT = 8.5;

/** One tile per member; when they are many, one column of colour each. */
function paintStrip(pen: Pen, key: Key, x: number, y: number, w: number, h: number): void {
  const members = pen.read.membersOf(key);
  if (members.length === 0) {
    paintTile(pen, key, x, y, w, h, 10);
    return;
  }
  const pitch = w / members.length;
  if (pitch >= 6) {
    const fitting = Math.min((pitch - 4) / LETTERS, 10);
    const size = fitting * pen.k >= LEAST_TEXT ? fitting : 0;
    members.forEach((member, place) => {
      paintTile(pen, member, x + place * pitch, y, pitch - (pitch > 12 ? 2 : 1), h, size);
    });
    return;
  }
  pen.stroke(x - 0.5, y - 0.5, w + 1, h + 1, 2, pen.inks.edge, 1);
  pen.read.strip(key, Math.floor(w)).forEach((column, place) => {
    paintColumn(pen, column, x + place, y, h);
  });
}

/** Three colours in a column: most, middle, least. A NaN takes it whole. */
function paintColumn(pen: Pen, { least, middle, most }: Column, x: number, y: number, h: number): void {
  const { ctx } = pen;
  const shades = most === "nan" ? [most] : [most, middle, least];
  shades.forEach((shade, part) => {
    const colour = heat(pen, shade);
    if (colour === undefined) return;
    ctx.fillStyle = colour;
    ctx.fillRect(x, y + (part * h) / shades.length, 1.05, h / shades.length + 0.2);
  });
}

/** A bar of colour, at least two px high. */
export function paintFar(pen: Pen, { item, x, y, state }: Portrait): void {
  const { inks, k } = pen;
  const h = Math.max(item.h, 2 / k);
  const colour = heat(pen, pen.read.shade(item.box.key));
  if (state === "next") pen.fill(x, y, item.w, h, 2 / k, inks.here);
  else if (state === "failed") pen.fill(x, y, item.w, h, 2 / k, inks.bad);
  else if (colour !== undefined) pen.fill(x, y, item.w, h, 0, colour);
  else pen.stroke(x, y, item.w, h, 0, inks.edge, 1 / k);
}

/** The frame of an open group with its header. */
export function paintFrame(pen: Pen, item: Item, x: number, y: number, depth: number, selected: boolean): void {
  const { inks, k } = pen;
  const { box, w, h } = item;
  pen.fill(x, y, w, h, 6, inks.depths[Math.min(depth, inks.depths.length - 1)] ?? inks.ground);
  pen.stroke(x, y, w, h, 6, selected ? inks.here : inks.frame, (selected ? 2 : 1) / Math.min(k, 1));
  if (k < 0.35) return;
  const toggle = toggleOf(item);
  const shift = headerShift(item, x, pen.left);
  if (toggle !== undefined && k >= 0.5) pen.toggle(x + shift + toggle.x, y + toggle.y - 2, true);
  const size = k >= 0.8 ? 13 : Math.min(FLOOR / k, 22);
  const left = x + shift + PAD + (k >= 0.5 ? 18 : 0);
  const taken = pen.text(box.title, left, y + 15, pen.ui(size, "700 "), inks.ink, w - 2 * PAD - 18);
  if (k >= 0.8) pen.text(box.suffix, left + taken + 5, y + 15.5, pen.ui(11), inks.ink2, MIDDLE.w);
}
