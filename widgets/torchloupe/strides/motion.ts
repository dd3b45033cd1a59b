/** Old cells → new cells: after an operation each element comes from where it was. */

import { cellOf, ravel, readers, unravel } from "./address";
import type { BlockDrawing } from "./block";
import type { CellBox } from "./layout";
import type { Step, TensorState } from "./state";
import type { Drawn } from "./trace";

const GLIDE = { duration: 420, easing: "cubic-bezier(.3, 0, .1, 1)" } as const;
const FLY = { duration: 560, easing: "cubic-bezier(.3, 0, .1, 1)" } as const;
const MOST_GLIDING = 64;

/** The element of `source` an element of `result` came from, by the operation's carry. */
export function origin(step: Step, source: TensorState, result: TensorState, index: readonly number[]): number[] {
  if (step.carry === "ravel") return unravel(source.shape, ravel(result.shape, index));
  if (step.carry === "cell") return readers(source, cellOf(result, index), 1).indices[0] ?? [];
  return index.map((i, axis) =>
    step.carry === "flip" && step.flipped.includes(axis) ? (source.shape[axis] ?? 1) - 1 - i : i,
  );
}

/** Moves the result's cells from their origins; a copy's storage slides out below. Reduced motion: no move. */
export function animate(drawn: Drawn, step: Step): void {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const find = (id: number): BlockDrawing | undefined => drawn.blocks.find((item) => item.block.tensor.id === id);
  const source = find(step.source);
  const result = find(step.result);
  if (source === undefined || result === undefined || source === result) return;
  const timing = step.outcome === "copy" ? FLY : GLIDE;
  if (result.block.cells.length > MOST_GLIDING) {
    result.group.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 160 });
  } else {
    for (const box of result.block.cells) glide(box, source, result, step, timing);
  }
  if (step.outcome !== "copy") return;
  const strip = drawn.strips.find((item) => item.strip.storage.id === result.block.tensor.storage);
  strip?.group.animate(
    [
      { transform: "translateY(-40px)", opacity: 0 },
      { transform: "none", opacity: 1 },
    ],
    timing,
  );
}

function glide(
  box: CellBox,
  source: BlockDrawing,
  result: BlockDrawing,
  step: Step,
  timing: KeyframeAnimationOptions,
): void {
  const from = origin(step, source.block.tensor, result.block.tensor, box.index).join();
  const start = source.block.cells.find((item) => item.index.join() === from);
  if (start === undefined) return;
  const move = `translate(${start.x - box.x}px, ${start.y - box.y}px)`;
  result.cells.get(box.index.join())?.animate([{ transform: move }, { transform: "none" }], timing);
}
