/** The card of a leaf: what came in, what `.grad` was and is, and who uses it. */

import { html } from "../core/element";
import type { Say } from "../core/words";
import { facts, link, pill, section } from "./card_parts";
import { bytes } from "./figures";
import { LOOK, number } from "./looks";
import type { Session } from "./session";
import type { Key } from "./tree";

const MOST_PARTS = 12;

/** The parts for the leaf `node`. */
export function leafParts(node: number, session: Session, say: Say, select: (key: Key) => void): HTMLElement[] {
  const { graph } = session;
  if (graph === undefined) return [];
  const row = graph.leafOf(node);
  const { leaves } = graph;
  const kept = [
    [say("fact_shape"), html("code", {}, graph.string(leaves.shape[row] ?? -1) || "()")],
    [say("fact_bytes"), bytes(leaves.bytes[row] ?? 0)],
  ] as const;
  const parts: HTMLElement[] = [facts(kept)];
  if (leaves.shared[row]) {
    const uses = say("shared_use", { n: graph.into(node).length });
    parts.push(section(say("shared"), html("p", {}, uses)));
  }
  if (session.frame.mode !== "look") parts.push(...gradients(node, session, say, select));
  return parts;
}

function gradients(node: number, session: Session, say: Say, select: (key: Key) => void): HTMLElement[] {
  const { graph, tree } = session;
  const well = session.well(node);
  const name = tree.named(`n${node}`).title;
  const { sentence } = session.gradSentence(node);
  const grad = section(`${name}.grad`, html("p", { class: "tl-grad" }, say(sentence.id, sentence.args)));
  const rows = well.slots.slice(0, MOST_PARTS).map((slot) => {
    const source = graph?.edges.source[slot.edge] ?? -1;
    const from = tree.trail(`n${source}`).at(-1);
    const words =
      from === undefined
        ? tree.named(`n${source}`).title
        : `${tree.named(from).title}, ${tree.named(`n${source}`).title}`;
    const size = slot.look === LOOK.value && Number.isFinite(slot.norm) ? number(slot.norm) : "";
    return html(
      "tr",
      {},
      html(
        "th",
        { scope: "row" },
        link(words, () => select(`n${source}`)),
      ),
      html("td", {}, pill(slot)),
      html("td", { class: "tl-quiet" }, size === slot.text ? "" : size),
    );
  });
  if (well.slots.length > MOST_PARTS) {
    rows.push(
      html("tr", {}, html("td", { colspan: 3, class: "tl-quiet" }, say("more", { n: well.slots.length - MOST_PARTS }))),
    );
  }
  const total = well.sum === undefined ? [] : [html("p", {}, say("together", { sum: well.sum }))];
  const heading = say("arrived", { in: well.arrived, of: well.of });
  const parts = section(heading, html("table", { class: "tl-grid" }, html("tbody", {}, ...rows)), ...total);
  if (well.slots.length < 2) return [parts, grad];
  // Norms do not add: the parts may point different ways.
  const norms = well.slots.every(({ look, text, norm }) => look !== LOOK.value || text === number(norm));
  if (norms) parts.append(html("p", { class: "tl-quiet" }, say("norms_do_not_add")));
  return [parts, grad];
}
