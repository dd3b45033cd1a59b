/** The values known so far, and the requests for those that are not. */

import type { Cells } from "./state";

export interface Sample {
  /** As PyTorch prints it, short. */
  readonly label: string;
  /** In full. */
  readonly value: string;
}

const MOST_PER_REQUEST = 512;

export class Samples {
  readonly #known = new Map<number, Map<number, Sample>>();
  readonly #asked = new Map<number, Set<number>>();

  /** @param ask sends a request for cells of a tensor */
  constructor(private readonly ask: (tensor: number, cells: number[]) => void) {}

  /** Takes samples; those of `fresh` replace all that was known of their tensors. */
  take(cells: Cells): void {
    const known = this.#known.get(cells.tensor) ?? new Map<number, Sample>();
    cells.cells.forEach((cell, at) => {
      known.set(cell, { label: cells.labels[at] ?? "", value: cells.values[at] ?? "" });
    });
    this.#known.set(cells.tensor, known);
  }

  /** Forgets everything: the values may have changed. */
  forget(): void {
    this.#known.clear();
    this.#asked.clear();
  }

  get(tensor: number, cell: number): Sample | undefined {
    return this.#known.get(tensor)?.get(cell);
  }

  /** Longest label known for the tensors, in characters. */
  longest(tensors: readonly number[]): number {
    let most = 1;
    for (const tensor of tensors) {
      for (const sample of this.#known.get(tensor)?.values() ?? []) most = Math.max(most, sample.label.length);
    }
    return most;
  }

  /** Asks once for those of `cells` that are not known. */
  need(tensor: number, cells: readonly number[]): void {
    const asked = this.#asked.get(tensor) ?? new Set<number>();
    this.#asked.set(tensor, asked);
    const missing = cells.filter((cell) => !asked.has(cell) && this.get(tensor, cell) === undefined);
    for (const cell of missing) asked.add(cell);
    for (let at = 0; at < missing.length; at += MOST_PER_REQUEST) {
      this.ask(tensor, missing.slice(at, at + MOST_PER_REQUEST));
    }
  }
}
