/** Draws what is pointed at: the links from elements down to their cell, and the hops that reach it. */

import { caption, svg } from "../core/element";
import type { Say } from "../core/words";
import { hueClass } from "./axis";
import type { BlockDrawing } from "./block";
import { GAP, type Scene } from "./layout";
import type { Hit, Pointing } from "./pointing";
import type { StripDrawing } from "./strip";

const MOST_LINKS = 3;

export interface Drawn {
  readonly scene: Scene;
  readonly blocks: readonly BlockDrawing[];
  readonly strips: readonly StripDrawing[];
}

export class Trace {
  /** Behind the cells. */
  readonly links = svg("g", { class: "tl-links", "aria-hidden": "true" });
  /** Below the storage. */
  readonly hops = svg("g", { class: "tl-hops", "aria-hidden": "true" });
  #marked: Element[] = [];
  readonly #indexed = new Set<number>();

  constructor(private readonly say: Say) {}

  /** Shows `pointing`, or the rest state. */
  show(drawn: Drawn, pointing: Pointing | undefined): void {
    this.#clear(drawn);
    if (pointing === undefined) return;
    const strip = drawn.strips.find((item) => item.strip.storage.id === pointing.storage);
    if (strip === undefined) return;
    const { lead } = pointing;
    strip.showRuler({ cell: Math.floor(pointing.byte / strip.strip.unit.itemsize), tensor: lead?.tensor });
    this.#markCells(strip, pointing);
    if (lead === undefined) return;
    if (drawn.scene.beside) {
      this.#fan(drawn, strip, lead);
      return;
    }
    const shown = [lead, ...pointing.twins].filter((hit) => this.#mark(drawn, hit, hit === lead));
    for (const [lane, hit] of shown.slice(0, MOST_LINKS).entries()) this.#link(drawn, strip, hit, lane, hit === lead);
    this.#more(drawn, strip, pointing, Math.min(shown.length, MOST_LINKS));
    this.#walk(strip, lead);
  }

  /** One hop of an axis' stride, again and again from the offset: what that stride means. */
  showStride(drawn: Drawn, tensorId: number, axis: number): void {
    this.#clear(drawn);
    const strip = drawn.strips.find((item) => item.strip.tensors.some((tensor) => tensor.id === tensorId));
    const tensor = strip?.strip.tensors.find((item) => item.id === tensorId);
    const stride = tensor?.stride[axis] ?? 0;
    const size = tensor?.shape[axis] ?? 0;
    if (strip === undefined || tensor === undefined || tensor.itemsize !== strip.strip.unit.itemsize) return;
    this.hops.setAttribute("class", `tl-hops ${hueClass(tensor.id)}`);
    for (let i = 0; i + 1 < size && i < 16; i++) {
      const from = tensor.offset + i * stride;
      if (stride > 0 && strip.holds(from)) this.#hop(strip, from, from + stride, i === 0 ? `+${stride}` : "");
    }
  }

  #clear(drawn: Drawn): void {
    for (const element of this.#marked) element.classList.remove("tl-pointed", "tl-twin", ...HUES);
    this.#marked = [];
    this.#indexed.clear();
    this.links.replaceChildren();
    this.hops.replaceChildren();
    for (const strip of drawn.strips) strip.showRuler(undefined);
    for (const block of drawn.blocks) block.showIndex(undefined, false);
  }

  #add(element: Element | undefined, name: "tl-pointed" | "tl-twin", hue: string): void {
    if (element === undefined) return;
    element.classList.add(name, hue);
    this.#marked.push(element);
  }

  #markCells(strip: StripDrawing, pointing: Pointing): void {
    const { itemsize } = strip.strip.unit;
    const last = Math.floor((pointing.byte + pointing.nbytes - 1) / itemsize);
    const hue = hueClass(pointing.lead?.tensor.id ?? 0);
    const name = pointing.lead ? "tl-pointed" : "tl-twin";
    for (let cell = Math.floor(pointing.byte / itemsize); cell <= last; cell++) {
      this.#add(strip.cells.get(cell), name, hue);
    }
  }

  /** Marks the element's cell; says whether it is on the picture. */
  #mark(drawn: Drawn, hit: Hit, lead: boolean): boolean {
    const block = drawn.blocks.find((item) => item.block.tensor.id === hit.tensor.id);
    const cell = block?.cells.get(hit.index.join());
    if (block === undefined) return false;
    const taken = cell?.classList.contains("tl-pointed") ?? false;
    if (!taken) this.#add(cell, lead ? "tl-pointed" : "tl-twin", hueClass(hit.tensor.id));
    if (!this.#indexed.has(hit.tensor.id)) block.showIndex(hit.index, lead);
    this.#indexed.add(hit.tensor.id);
    return cell !== undefined;
  }

  #link(drawn: Drawn, strip: StripDrawing, hit: Hit, lane: number, lead: boolean): void {
    const { scene } = drawn;
    const block = drawn.blocks.find((item) => item.block.tensor.id === hit.tensor.id)?.block;
    const box = block?.cells.find((item) => item.index.join() === hit.index.join());
    if (block === undefined || box === undefined) return;
    const cell = (hit.cell * hit.tensor.itemsize) / strip.strip.unit.itemsize;
    if (!strip.holds(Math.floor(cell))) return;
    const bottom = Math.max(...scene.blocks.map((item) => item.y + item.height));
    const bus = bottom + 4 + lane * 6;
    const inside = block.cells.some((item) => item.y === box.y && Math.abs(item.x - box.x - scene.pitch) < 1);
    const out = box.x + scene.cell + (inside ? GAP / 2 : 7 - lane * 2);
    const to = strip.middle(Math.floor(cell)) + (lane === 0 ? 3 : lane === 1 ? -5 : 9);
    const y = box.y + scene.tall / 2;
    const path = rounded([
      [box.x + scene.cell, y],
      [out, y],
      [out, bus],
      [to, bus],
      [to, strip.strip.cellsY - 1],
    ]);
    const name = `tl-link ${hueClass(hit.tensor.id)}${lead ? " tl-lead" : ""}`;
    this.links.append(svg("path", { d: path, class: `${name} tl-halo` }), svg("path", { d: path, class: name }));
  }

  /** Every drawn element that reads the cell, its line led to the storage at the right. */
  #fan(drawn: Drawn, strip: StripDrawing, lead: Hit): void {
    const block = drawn.blocks[0];
    if (block === undefined) return;
    const { tall, pitch } = drawn.scene;
    const to = [strip.strip.x - 5, strip.strip.cellsY + tall / 2] as const;
    const right = Math.max(...block.block.cells.map((box) => box.x)) + pitch + 5;
    const hue = hueClass(lead.tensor.id);
    const readers = block.block.cells.filter((box) => box.cell === lead.cell);
    for (const box of readers) {
      const leads = box.index.join() === lead.index.join();
      const y = box.y + tall / 2;
      const middle = (right + to[0]) / 2;
      const d = `M${right} ${y}C${middle} ${y} ${middle} ${to[1]} ${to[0]} ${to[1]}`;
      this.links.append(svg("path", { d, class: leads ? `tl-link tl-lead ${hue}` : "tl-funnel" }));
      this.#add(block.cells.get(box.index.join()), leads ? "tl-pointed" : "tl-twin", hue);
    }
    const head = `M${to[0] - 6} ${to[1] - 4}L${to[0]} ${to[1]}L${to[0] - 6} ${to[1] + 4}`;
    this.links.append(svg("path", { d: head, class: `tl-link tl-lead ${hue}` }));
    block.showIndex(lead.index, true);
    this.#walk(strip, lead);
  }

  #more(drawn: Drawn, strip: StripDrawing, pointing: Pointing, shown: number): void {
    const more = pointing.count - shown;
    if (more <= 0 || shown === 0) return;
    const words = this.say(pointing.complete ? "more" : "more_at_least", { count: more });
    this.links.append(caption(drawn.scene.width, strip.strip.y, "tl-ink2 tl-11 tl-end tl-halo-text", words));
  }

  /** The walk to an element: from the offset, one hop per axis that moves. */
  #walk(strip: StripDrawing, lead: Hit): void {
    const { tensor } = lead;
    const { strip: at } = strip;
    if (tensor.itemsize !== at.unit.itemsize) return;
    this.hops.setAttribute("class", `tl-hops ${hueClass(tensor.id)}`);
    const y = at.hopsY + 36;
    const labels: [number, string, string][] = [[strip.middle(tensor.offset), String(tensor.offset), "tl-ink2"]];
    let from = tensor.offset;
    for (const [axis, i] of lead.index.entries()) {
      const length = i * (tensor.stride[axis] ?? 0);
      if (length === 0) continue;
      const visible = strip.holds(from) || strip.holds(from + length);
      if (visible) {
        this.#hop(strip, from, from + length, "");
        labels.push([(strip.middle(from) + strip.middle(from + length)) / 2, `+${length}`, "tl-bold tl-hue-text"]);
      }
      from += length;
    }
    labels.push([strip.middle(lead.cell), `= ${lead.cell}`, "tl-bold tl-hue-text"]);
    this.#labels(labels, y, from === tensor.offset);
  }

  /** Labels of the hops; one without air on both sides is dropped, the last and the first are kept. */
  #labels(labels: readonly [number, string, string][], y: number, still: boolean): void {
    const boxes: [number, number][] = [];
    const half = (words: string): number => words.length * 3.7;
    const order = still ? [labels.length - 1] : [labels.length - 1, 0, ...labels.keys()].slice(0, labels.length + 1);
    const done = new Set<number>();
    for (const at of order) {
      const label = labels[at];
      if (label === undefined || done.has(at)) continue;
      done.add(at);
      const [x, words, name] = label;
      const box: [number, number] = [x - half(words) - 4, x + half(words) + 4];
      if (boxes.some(([from, to]) => box[0] < to && box[1] > from)) continue;
      boxes.push(box);
      this.hops.append(caption(x, y, `tl-mono tl-12 tl-middle ${name}`, words));
    }
  }

  #hop(strip: StripDrawing, from: number, to: number, label: string): void {
    const [x0, x1] = [strip.middle(from) + 4, strip.middle(to) - 3];
    const y = strip.strip.hopsY + 1;
    const deep = y + Math.min(24, 10 + Math.abs(x1 - x0) * 0.06);
    const d = `M${x0} ${y}C${x0 + 3} ${deep} ${x1 - 9} ${deep} ${x1} ${y + 1}`;
    const head = `M${x1 - 6.5} ${y + 2.5}L${x1} ${y}L${x1 + 0.5} ${y + 7}`;
    this.hops.append(svg("path", { d, class: "tl-hop" }), svg("path", { d: head, class: "tl-hop" }));
    if (label === "") return;
    const at = { x: (x0 + x1) / 2, y: y + 35, class: "tl-mono tl-bold tl-12 tl-middle tl-hue-text" };
    this.hops.append(svg("text", at, label));
  }
}

const HUES = [1, 2, 3, 4, 5].map((hue) => `tl-hue-${hue}`);

/** A path through right angles with rounded corners. */
function rounded(points: readonly (readonly [number, number])[]): string {
  let path = "";
  points.forEach(([x, y], at) => {
    const before = points[at - 1];
    const after = points[at + 1];
    if (before === undefined) path += `M${x} ${y}`;
    else if (after === undefined) path += `L${x} ${y}`;
    else {
      const radius = Math.min(5, distance(before, [x, y]) / 2, distance([x, y], after) / 2);
      const [ax, ay] = towards([x, y], before, radius);
      const [bx, by] = towards([x, y], after, radius);
      path += `L${ax} ${ay}Q${x} ${y} ${bx} ${by}`;
    }
  });
  return path;
}

function distance(a: readonly [number, number], b: readonly [number, number]): number {
  return Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1]);
}

function towards(from: readonly [number, number], to: readonly [number, number], by: number): [number, number] {
  const length = distance(from, to) || 1;
  return [from[0] + ((to[0] - from[0]) / length) * by, from[1] + ((to[1] - from[1]) / length) * by];
}
