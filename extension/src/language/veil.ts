/** Hides a cell of the other language from everything that walks a notebook, without touching its model. */
import type { Cell } from "@jupyterlab/cells";
import type { Notebook } from "@jupyterlab/notebook";
import { Signal } from "@lumino/signaling";
import type { Language } from "../words";

/** Emitted after cells of a notebook were veiled or unveiled. */
export const veilChanged = new Signal<object, Notebook>({});

const veiled = new WeakSet<Cell>();

// JupyterLab un-hides cells when headings expand or cells move, ends a collapsed section at any heading, and
// lists every heading in the table of contents. It asks the cell itself each time, so the veil answers there.
const answers: PropertyDescriptorMap = {
  setHidden: { value: () => undefined },
  getHeadings: { value: () => Promise.resolve([]) },
  headings: { get: () => [] },
  headingInfo: { get: () => ({ text: "", level: -1 }) },
  headingsResolved: { get: () => true },
};

/** The language a prose cell is written in; undefined for cells that are not one of a pair. */
export function languageOf(cell: Cell): Language | undefined {
  const ours: unknown = cell.model.getMetadata("torchloupe");
  const lang = typeof ours === "object" && ours !== null && "lang" in ours ? ours.lang : undefined;
  return lang === "en" ? "en" : lang === "zh" || lang === "zh-CN" ? "zh-CN" : undefined;
}

/** The id that both cells of a pair share. */
export function pairOf(cell: Cell): string | undefined {
  const ours: unknown = cell.model.getMetadata("torchloupe");
  const id = typeof ours === "object" && ours !== null && "id" in ours ? ours.id : undefined;
  return typeof id === "string" ? id : undefined;
}

export function isVeiled(cell: Cell): boolean {
  return veiled.has(cell);
}

export function veil(cell: Cell): void {
  cell.setHidden(true);
  for (const [name, answer] of Object.entries(answers)) {
    Object.defineProperty(cell, name, { ...answer, configurable: true });
  }
  veiled.add(cell);
}

export function unveil(cell: Cell): void {
  for (const name of Object.keys(answers)) {
    Reflect.deleteProperty(cell, name);
  }
  veiled.delete(cell);
  cell.setHidden(false);
}
