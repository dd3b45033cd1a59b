/** What the norms of siblings say in words: gradients that shrink, grow, vanish, or differ. */

import type { Graph, Item } from "./graph";
import { number } from "./looks";
import type { Sentence } from "./state";
import { titleOf } from "./titles";

/** A trend over a stack is worth a sentence from here, siblings that differ from there. */
const TREND = 10;
const UNEQUAL = 5;
/** How far a trend may turn back, as a part of all it does. */
const BACK = 0.15;
const MOST_STRIKING = 1e9;
const LEAST_MEMBERS = 3;
const MOST_SAID = 3;
const MOST_OUTPUTS = 8;

interface Remark {
  readonly sentence: Sentence;
  readonly weight: number;
}

/** Norms that a remark is made of: 0 for a gradient of zeros, NaN for what is not there or not finite. */
export interface Norms {
  /** What has arrived at a node. */
  at(node: number): number;
  /** What has come through an edge. */
  through(edge: number): number;
}

/** Sentences about a graph, the most striking first. */
export function trends(graph: Graph, norms: Norms): readonly Sentence[] {
  const remarks = overOutputs(graph, norms);
  for (let group = 0; group < graph.groups.count; group++) {
    if (graph.kindOf(group) === "fold") remarks.push(...overFold(graph, group, norms));
  }
  return remarks
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MOST_SAID)
    .map(({ sentence }) => sentence);
}

function overFold(graph: Graph, fold: number, { at }: Norms): Remark[] {
  const members = Array.from(graph.childrenOf(fold));
  const norms = members.map((item) => at(graph.order[graph.range(item)[0]] ?? 0));
  if (members.length < LEAST_MEMBERS || norms.some(Number.isNaN)) return [];
  const title = (member: number): string => {
    const { title, suffix } = titleOf(graph, members[member] ?? 0);
    return /^\d+$/.test(title) && suffix !== "" ? `${suffix} ${title}` : title;
  };
  const alike = title(0) === title(members.length - 1);
  const name = (member: number): string => (alike ? `${title(member)} #${member + 1}` : title(member));
  const last = norms.length - 1;
  const zero =
    norms.length -
    Math.max(
      [...norms].reverse().findIndex((norm) => norm !== 0),
      0,
    );
  if (zero > 0 && zero <= last)
    return [{ sentence: { id: "vanish", args: { first: name(zero) } }, weight: MOST_STRIKING }];
  if (norms.includes(0)) return [];
  const logs = norms.map(Math.log);
  const whole = (logs[last] ?? 0) - (logs[0] ?? 0);
  if (Math.abs(whole) >= Math.log(TREND) && isMonotone(logs, whole)) {
    const args = { first: name(0), last: name(last), n: times(Math.exp(Math.abs(whole))) };
    return [{ sentence: { id: whole < 0 ? "shrink" : "grow", args }, weight: Math.abs(whole) }];
  }
  return unequal(norms, name);
}

function isMonotone(logs: readonly number[], whole: number): boolean {
  let far = 0;
  return logs.every((log) => {
    const gone = (log - (logs[0] ?? 0)) / whole;
    far = Math.max(far, gone);
    return far - gone <= BACK;
  });
}

function unequal(norms: readonly number[], name: (at: number) => string): Remark[] {
  const weak = norms.reduce((best, norm, at) => (norm < (norms[best] ?? 0) ? at : best), 0);
  const strong = norms.reduce((best, norm, at) => (norm > (norms[best] ?? 0) ? at : best), 0);
  const ratio = (norms[strong] ?? 0) / (norms[weak] ?? 1);
  if (!(ratio >= UNEQUAL) || !Number.isFinite(ratio) || name(weak) === name(strong)) return [];
  const args = { weak: name(weak), strong: name(strong), n: times(ratio) };
  return [{ sentence: { id: "weaker", args }, weight: Math.log(ratio) - Math.log(UNEQUAL) }];
}

/** Outputs of one operation that go on to operations of one kind, such as q, k and v: the most unequal ones. */
function overOutputs(graph: Graph, { through }: Norms): Remark[] {
  let most: Remark[] = [];
  for (let node = 0; node < graph.nodes.count; node++) {
    if (!isSplit(graph, node)) continue;
    const leaving = Array.from(graph.out(node));
    const norms = leaving.map(through);
    if (norms.some((norm) => !(norm > 0))) continue;
    const remarks = unequal(norms, (at) => nameOf(graph, node, graph.edges.target[leaving[at] ?? 0] ?? 0));
    if ((remarks[0]?.weight ?? 0) > (most[0]?.weight ?? -1)) most = remarks;
  }
  return most;
}

/** Whether a node sends to several operations of one kind. */
function isSplit({ nodes, edges, outStart, outEdges, position }: Graph, node: number): boolean {
  const from = outStart[node] ?? 0;
  const to = outStart[node + 1] ?? 0;
  if (to - from < 2 || to - from > MOST_OUTPUTS) return false;
  const type = nodes.type[edges.target[outEdges[from] ?? 0] ?? 0];
  for (let at = from; at < to; at++) {
    const target = edges.target[outEdges[at] ?? 0] ?? 0;
    if (nodes.type[target] !== type || position[target] === -1) return false;
  }
  return true;
}

/** The name of a node as a sibling of others: of the largest group that begins with it, else its code. */
function nameOf(graph: Graph, source: number, node: number): string {
  const [place] = graph.range(node);
  const apart = graph.range(source)[0];
  let item: Item = node;
  for (let group = graph.parentOf(node); group > 0; group = graph.parentOf(~group)) {
    const [from, to] = graph.range(~group);
    if (from !== place || (apart >= from && apart < to)) break;
    item = ~group;
  }
  const code = graph.string(graph.nodes.text[node] ?? -1);
  return item < 0 || code === "" ? titleOf(graph, item).title : code;
}

/** A ratio as one says it: 9, 40, 1300, 2.4e6. */
function times(ratio: number): string | number {
  if (ratio >= 1e5) return number(ratio);
  return ratio < 20 ? Math.round(ratio) : Number(ratio.toPrecision(2));
}
