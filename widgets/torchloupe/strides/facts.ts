/** The one or two big numbers that matter: memory kept alive, or few cells that stand in for many elements. */

import { html } from "../core/element";
import type { Say } from "../core/words";
import { bytes, grouped } from "./axis";
import type { Frame, TensorState } from "./state";

/** A row of big facts, or undefined when nothing is out of the ordinary. */
export function factsRow(frame: Frame, say: Say): HTMLElement | undefined {
  const active = frame.tensors.find((tensor) => tensor.id === frame.active);
  if (active === undefined || active.storage < 0 || active.distinct === null) return undefined;
  const reached = active.distinct * active.itemsize;
  if (active.overlaps && reached < active.nbytes) return repeated(active, reached, say);
  return kept(frame, active, say);
}

function repeated(tensor: TensorState, reached: number, say: Say): HTMLElement {
  const axis = tensor.stride.findIndex((stride, at) => stride === 0 && (tensor.shape[at] ?? 1) > 1);
  const words = axis >= 0 ? say("fact_stride0", { axis: "ijklmn"[axis] ?? String(axis) }) : say("fact_overlap");
  const stands = say("fact_stands", { total: exact(tensor.nbytes) });
  return html(
    "div",
    { class: "tl-facts" },
    big(exact(reached), stands),
    html("span", { class: "tl-fact-note" }, words),
  );
}

/** Storage of which the drawn tensors reach less than half, by at least a kilobyte. */
function kept(frame: Frame, active: TensorState, say: Say): HTMLElement | undefined {
  const storage = frame.storages.find((item) => item.id === active.storage);
  const own = frame.tensors.filter((tensor) => tensor.storage === active.storage);
  if (storage === undefined || storage.imagined || own.some((tensor) => tensor.distinct === null)) return undefined;
  const reached = Math.max(...own.map((tensor) => (tensor.distinct ?? 0) * tensor.itemsize));
  const together = own.reduce((sum, tensor) => sum + (tensor.distinct ?? 0) * tensor.itemsize, 0);
  if (together * 2 > storage.nbytes || storage.nbytes - together < 1000) return undefined;
  const name = own.length === 1 ? active.name : own.map((tensor) => tensor.name).join(", ");
  return html(
    "div",
    { class: "tl-facts" },
    big(exact(own.length === 1 ? reached : together), say("fact_reached", { name })),
    big(exact(storage.nbytes), say("fact_held"), "tl-held-ink"),
  );
}

/** Exact up to a billion, where the count is the point. */
function exact(value: number): string {
  return value < 1e9 ? `${grouped(value)} B` : bytes(value);
}

function big(number: string, words: string, name = ""): HTMLElement {
  return html("span", { class: "tl-fact" }, html("b", { class: name }, number), " ", words);
}
