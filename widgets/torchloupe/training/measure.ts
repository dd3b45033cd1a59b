/** How wide a text is; asked for the same few texts at each redraw, so kept. */

import type { Pen } from "./ink";

const MOST = 2048;
const kept = new Map<string, number>();

/** The width of `text` in px in the pen's font. */
export function widthOf(pen: Pen, text: string): number {
  const key = `${pen.font}\n${text}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  if (kept.size >= MOST) kept.clear();
  const { width } = pen.measureText(text);
  kept.set(key, width);
  return width;
}
