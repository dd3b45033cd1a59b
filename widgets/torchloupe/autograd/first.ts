/** The first picture as a level, before the tables came. */

import { keyOf, ROOT } from "./keys";
import type { Box, Level } from "./level";
import type { First, FirstBox } from "./state";

/** The level of a first picture; its keys are those the boxes will have when the tables are there. */
export function firstLevel({ boxes, edges }: First): Level {
  let edge = 0;
  return {
    key: ROOT,
    boxes: boxes.map(boxOf),
    strands: edges.map(({ source, target, edges: count }) => ({
      source,
      target,
      edges: Int32Array.from({ length: count }, () => --edge),
    })),
    shape: -1,
  };
}

function boxOf(first: FirstBox): Box {
  const { kind, id, title, suffix, nodes, members, parameters, more_parameters } = first;
  const single = kind === "node" || kind === "leaf";
  return {
    key: keyOf(single ? id : ~id),
    kind,
    node: single ? id : -1,
    group: single ? -1 : id,
    title: kind === "fold" ? `${title} × ${members}` : title,
    suffix,
    count: nodes,
    members,
    open: false,
    expandable: !single,
    chips: parameters.map((name) => ({ name, detail: "", leaf: -1, shared: name.includes(" = ") })),
    moreChips: more_parameters,
  };
}
