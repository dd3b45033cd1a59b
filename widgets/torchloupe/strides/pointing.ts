/** What a person points at, and everything that reads the same bytes. */

import { cellOf, readers } from "./address";
import type { TensorState } from "./state";

/** An element of a tensor, and where it lies. */
export interface Hit {
  readonly tensor: TensorState;
  readonly index: readonly number[];
  readonly cell: number;
}

export interface Pointing {
  readonly storage: number;
  /** First byte pointed at, and how many. */
  readonly byte: number;
  readonly nbytes: number;
  /** The element whose walk is shown; undefined when no drawn tensor reaches the bytes. */
  readonly lead: Hit | undefined;
  /** Other elements that read the bytes, a few of them. */
  readonly twins: readonly Hit[];
  /** All elements that read the bytes, the lead included; a lower bound when not `complete`. */
  readonly count: number;
  readonly complete: boolean;
}

const FEW = 4;

/** Points at an element. */
export function pointAtElement(
  tensors: readonly TensorState[],
  tensor: TensorState,
  index: readonly number[],
): Pointing {
  const cell = cellOf(tensor, index);
  const lead = { tensor, index, cell };
  return gather(tensors, tensor.storage, cell * tensor.itemsize, tensor.itemsize, lead);
}

/** Points at a cell of a storage, `unit` being the tensor whose items are its cells. */
export function pointAtCell(
  tensors: readonly TensorState[],
  unit: TensorState,
  cell: number,
  preferred: number,
): Pointing {
  const byte = cell * unit.itemsize;
  const found = gather(tensors, unit.storage, byte, unit.itemsize, undefined);
  const lead = found.twins.find((hit) => hit.tensor.id === preferred) ?? found.twins[0];
  return { ...found, lead, twins: found.twins.filter((hit) => hit !== lead) };
}

function gather(
  tensors: readonly TensorState[],
  storage: number,
  byte: number,
  nbytes: number,
  lead: Hit | undefined,
): Pointing {
  const twins: Hit[] = [];
  let count = 0;
  let complete = true;
  for (const tensor of tensors) {
    if (tensor.storage !== storage) continue;
    const first = Math.floor(byte / tensor.itemsize);
    const last = Math.floor((byte + nbytes - 1) / tensor.itemsize);
    for (let cell = first; cell <= last; cell++) {
      const found = readers(tensor, cell, FEW);
      count += found.count;
      complete &&= found.complete;
      for (const index of found.indices) if (!sameHit(lead, tensor, index)) twins.push({ tensor, index, cell });
    }
  }
  return { storage, byte, nbytes, lead, twins: fairly(twins), count, complete };
}

function sameHit(hit: Hit | undefined, tensor: TensorState, index: readonly number[]): boolean {
  return hit?.tensor.id === tensor.id && hit.index.every((i, axis) => i === index[axis]);
}

/** One twin of each tensor first, then the others. */
function fairly(twins: readonly Hit[]): Hit[] {
  const seen = new Set<number>();
  const firsts = twins.filter((hit) => !seen.has(hit.tensor.id) && seen.add(hit.tensor.id));
  return [...firsts, ...twins.filter((hit) => !firsts.includes(hit))];
}
