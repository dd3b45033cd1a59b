/** The card of a module, a chain, a section or a fold. */

import { html } from "../core/element";
import type { Say } from "../core/words";
import { bars, facts, pill, section } from "./card_parts";
import { bytes, grouped } from "./figures";
import { LOOK } from "./looks";
import type { Session } from "./session";
import type { Key } from "./tree";

/** The parts for the box `key`. */
export function groupParts(key: Key, session: Session, say: Say, select: (key: Key) => void): HTMLElement[] {
  const parts: HTMLElement[] = [facts([...rows(key, session, say)])];
  const members = session.membersOf(key);
  if (members.length > 1 && session.frame.mode !== "look") {
    const names = members.map((member) => session.tree.named(member).title.split(".").at(-1) ?? "");
    parts.push(section(say("norm_in_each"), bars(members, names, -1, session, select)));
  }
  const box = session.tree.box(key);
  if (box !== undefined && box.chips.length > 0) {
    const chips = box.chips.map(({ name, detail }) => html("li", {}, html("code", {}, name), ` ${detail}`));
    if (box.moreChips > 0) chips.push(html("li", { class: "tl-quiet" }, say("more", { n: box.moreChips })));
    parts.push(section(say("parameters_heading"), html("ul", {}, ...chips)));
  }
  return parts;
}

function* rows(key: Key, session: Session, say: Say): Iterable<readonly [string, Node | string]> {
  const box = session.tree.box(key);
  if (box !== undefined) yield [say("fact_nodes"), grouped(box.count)];
  if (session.frame.mode !== "look") {
    const { done, of } = session.progress(key);
    const arrival = session.arrival(key);
    if (arrival !== undefined && arrival.look !== LOOK.notRun) yield [say("gradient_in_heading"), pill(arrival)];
    if (done < of) yield [say("fact_done"), say("of", { n: grouped(done), of: grouped(of) })];
  }
  const kept = session.graph !== undefined && key.startsWith("g") ? savedIn(Number(key.slice(1)), session.graph) : 0;
  if (kept > 0) yield [say("saved_heading"), bytes(kept)];
}

type Groups = NonNullable<Session["graph"]>;

/** Bytes that the nodes inside a group keep for backward. */
function savedIn(group: number, { nodes, groups }: Groups): number {
  const inside = new Uint8Array(groups.count);
  inside[group] = 1;
  // A group stands after the one it is in.
  for (let each = group + 1; each < groups.count; each++) inside[each] = inside[groups.parent[each] ?? 0] ?? 0;
  let total = 0;
  for (let node = 0; node < nodes.count; node++) if (inside[nodes.group[node] ?? 0]) total += nodes.bytes[node] ?? 0;
  return total;
}
