/** What is written on a box. */

import type { Graph, Item } from "./graph";

export interface Title {
  readonly title: string;
  readonly suffix: string;
}

const MOST_NAMED = 3;
const TYPE = /^(.+?)(Backward\d*)$/;

/** `PowBackward0` as a name and the part that is dimmed. */
export function split(type: string): Title {
  const [, title = type, suffix = ""] = TYPE.exec(type) ?? [];
  return { title, suffix };
}

/** The title of a node or group. Groups without a name are named after what they hold. */
export function titleOf(graph: Graph, item: Item): Title {
  if (item >= 0) return nodeTitle(graph, item);
  const group = ~item;
  const name = graph.string(graph.groups.name[group] ?? -1);
  const suffix = graph.string(graph.groups.cls[group] ?? -1);
  const kind = graph.kindOf(group);
  if (kind === "fold") {
    const members = graph.childrenOf(group);
    const first = members[0];
    const title = name !== "" || first === undefined ? name : titleOf(graph, first).title;
    return { title: `${title} × ${members.length}`, suffix };
  }
  if (kind === "repeat")
    return { title: name === "" ? contents(graph, group, "").title : name, suffix: suffix || ordinal(graph, group) };
  return name === "" ? contents(graph, group, suffix) : { title: name, suffix };
}

/** Members of a fold that all have one name are told apart by their place: `#3`. */
function ordinal(graph: Graph, group: number): string {
  return `#${graph.childrenOf(graph.parentOf(~group)).indexOf(~group) + 1}`;
}

function nodeTitle(graph: Graph, node: number): Title {
  const row = graph.leafOf(node);
  const name = row < 0 ? "" : graph.string(graph.leaves.name[row] ?? -1);
  return name === "" ? split(graph.typeOf(node)) : { title: name, suffix: "" };
}

/** "View, Transpose", or "View … Mul" when there are more than three. */
function contents(graph: Graph, group: number, suffix: string): Title {
  const children = graph.childrenOf(group);
  const few = children.length <= MOST_NAMED;
  const shown = few ? Array.from(children) : [children[0] ?? 0, children.at(-1) ?? 0];
  const titles = shown.map((item) => titleOf(graph, item));
  const tails = new Set(titles.map((each) => each.suffix));
  const tail = tails.size === 1 && titles.every((each) => /^Backward\d*$/.test(each.suffix)) ? titles[0]?.suffix : "";
  return { title: titles.map(({ title }) => title).join(few ? ", " : " … "), suffix: suffix || (tail ?? "") };
}

/** The title of the members `from` to `to` of a fold: "h.11 … h.7" and "Block × 5". */
export function stackTitle(graph: Graph, fold: number, from: number, to: number): Title {
  const members = graph.childrenOf(fold);
  const first = titleOf(graph, members[from] ?? 0);
  const last = titleOf(graph, members[to] ?? 0);
  const title = first.title === last.title ? first.title : `${first.title} … ${last.title}`;
  return { title, suffix: `${graph.string(graph.groups.cls[fold] ?? -1)} × ${to - from + 1}`.trim() };
}
