/** Where a key leads inside a grid. */

import type { Strip } from "./layout";

/** The element a key leads to, or undefined when the key is not one of travel. `order` is slices, row, column. */
export function travel(
  key: string,
  control: boolean,
  shape: readonly number[],
  order: readonly number[],
  index: readonly number[],
): number[] | undefined {
  const rank = shape.length;
  const column = order[rank - 1];
  const row = order[rank - 2];
  const slice = order[rank - 3];
  const last = shape.map((size) => size - 1);
  const step = (axis: number | undefined, by: number): number[] =>
    index.map((i, at) => (at === axis ? Math.min(Math.max(i + by, 0), last[at] ?? 0) : i));
  const edge = (to: readonly number[]): number[] =>
    index.map((i, at) => (control || at === column ? (to[at] ?? 0) : i));
  switch (key) {
    case "ArrowLeft":
      return step(column, -1);
    case "ArrowRight":
      return step(column, 1);
    case "ArrowUp":
      return step(row, -1);
    case "ArrowDown":
      return step(row, 1);
    case "PageUp":
      return step(slice, -1);
    case "PageDown":
      return step(slice, 1);
    case "Home":
      return edge(shape.map(() => 0));
    case "End":
      return edge(last);
    default:
      return undefined;
  }
}

/** The storage cell a key leads to, or undefined when the key is not one of travel. */
export function travelStorage(key: string, control: boolean, strip: Strip, cell: number): number | undefined {
  const last = strip.total - 1;
  const to = ((): number | undefined => {
    switch (key) {
      case "ArrowLeft":
        return cell - 1;
      case "ArrowRight":
        return cell + 1;
      case "PageUp":
        return cell - strip.shown;
      case "PageDown":
        return cell + strip.shown;
      case "Home":
        return control ? 0 : strip.start;
      case "End":
        return control ? last : strip.start + strip.shown - 1;
      default:
        return undefined;
    }
  })();
  return to === undefined ? undefined : Math.min(Math.max(to, 0), last);
}
