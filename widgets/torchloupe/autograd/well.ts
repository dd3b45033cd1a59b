/** A leaf as a well: what came in through each edge, their sum, and `.grad`. */

import type { Gradients } from "./gradients";
import type { Graph } from "./graph";
import { type Gradient, LOOK, plain } from "./looks";
import type { Sentence } from "./state";

/** One arriving edge of a well. */
export interface Slot extends Gradient {
  readonly edge: number;
}

export interface Well {
  /** In the order of the edges. */
  readonly slots: readonly Slot[];
  readonly arrived: number;
  readonly of: number;
  /** The sum of what arrived so far as text, when it is known. */
  readonly sum: string | undefined;
  /** `.grad` before this backward as text; undefined for None. */
  readonly before: string | undefined;
  /** `.grad` at this place as text; undefined for None. */
  readonly grad: string | undefined;
  /** Whether this backward has written `.grad`. */
  readonly written: boolean;
  /** What `.grad` is now, to be worded. */
  readonly sentence: Sentence;
}

/** A well nothing is known about. */
export const EMPTY: Well = {
  slots: [],
  arrived: 0,
  of: 0,
  sum: undefined,
  before: undefined,
  grad: undefined,
  written: false,
  sentence: { id: "grad_none", args: {} },
};

/** The well of a leaf when `place` steps were done. */
export function wellOf(graph: Graph, gradients: Gradients, leaf: number, place: number): Well {
  const slots = Array.from(graph.into(leaf), (edge): Slot => ({ edge, ...gradients.through(edge, place) }));
  const arrived = slots.filter(({ look }) => look !== LOOK.notRun).length;
  const before = plain(graph.string(graph.leaves.before[graph.leafOf(leaf)] ?? -1)) || undefined;
  const step = gradients.stepOf(leaf);
  const own = gradients.arrival(leaf, place);
  const has = own !== undefined && own.look !== LOOK.none && own.look !== LOOK.notRun;
  const sum = has ? own.text : addedUp(slots);
  const written = has && step > 0 && step <= place;
  const both = before === undefined ? sum : own?.exact ? added([before, sum ?? ""]) : undefined;
  const grad = written ? (both ?? sum) : before;
  return { slots, arrived, of: slots.length, sum, before, grad, written, sentence: words(before, sum, written, both) };
}

function words(before: string | undefined, sum = "", written = false, both?: string): Sentence {
  if (before === undefined) return written ? { id: "grad_is", args: { value: sum } } : { id: "grad_none", args: {} };
  if (!written) return { id: "grad_before", args: { before } };
  if (both === undefined) return { id: "grad_more", args: { before, sum } };
  return { id: "grad_added", args: { before, sum, after: both } };
}

/** The sum of what came in, when all of it is known in full. */
function addedUp(slots: readonly Slot[]): string | undefined {
  const come = slots.filter(({ look }) => look !== LOOK.notRun && look !== LOOK.none);
  const values = come.filter(({ look }) => look !== LOOK.zero);
  if (come.length > 0 && values.length === 0) return "0";
  if (values.length === 1) return values[0]?.text;
  return values.every(({ exact }) => exact) ? added(values.map(({ text }) => text)) : undefined;
}

const NUMBER = /[−+]?\d+(?:\.\d*)?(?:e[−+]?\d+)?/g;

/** The sum of values of one shape; undefined when their shapes differ or one is no value. */
export function added(values: readonly string[]): string | undefined {
  const [first = ""] = values;
  const form = first.replace(NUMBER, "#");
  if (!form.includes("#") || values.some((value) => value.replace(NUMBER, "#") !== form)) return undefined;
  const parts = values.map((value) => (value.match(NUMBER) ?? []).map((part) => Number(part.replaceAll("−", "-"))));
  let place = 0;
  return first.replace(NUMBER, () => {
    const at = place++;
    return plain(short(parts.reduce((sum, part) => sum + (part[at] ?? 0), 0)));
  });
}

/** Rounds away what binary fractions add: 0.1 + 0.2 is 0.3. */
function short(value: number): string {
  return String(Number(value.toPrecision(6)));
}
