/** Which boxes and lines lie on the ways up and down from the selected box. */

import type { Plot } from "./plot";
import type { Session } from "./session";
import type { Key, Strand } from "./tree";

export type Way = "up" | "down";

/** What `kept` has for a key, or what `find` gives, kept. */
export function asked<Value>(kept: Map<Key, Value>, key: Key, find: () => Value): Value {
  const known = kept.get(key);
  if (known !== undefined || kept.has(key)) return known as Value;
  const found = find();
  kept.set(key, found);
  return found;
}

export class Ways {
  readonly #sides = new Map<Key, Way | undefined>();
  #from: Key | undefined;

  constructor(
    private readonly session: Session,
    /** Whether the graph is so small that nothing is dimmed unless it is asked for. */
    private readonly small: () => boolean,
  ) {
    session.onChange((change) => {
      if (change !== "selection" || session.selected !== this.#from) this.#sides.clear();
    });
  }

  /** Whether what is not on a way is dimmed. */
  get shown(): boolean {
    const { selected, lit, graph } = this.session;
    return selected !== undefined && graph !== undefined && (lit !== "both" || !this.small());
  }

  /** Whether a box is dimmed. */
  dims(key: Key): boolean {
    return this.shown && key !== this.session.selected && this.#side(key) === undefined;
  }

  /** Which way a box lies on, when ways are shown. */
  of(key: Key): Way | undefined {
    return this.shown && key !== this.session.selected ? this.#side(key) : undefined;
  }

  #side(key: Key): Way | undefined {
    const { session } = this;
    this.#from = session.selected;
    return asked(this.#sides, key, () => {
      if (session.lit !== "down" && session.isUp(key)) return "up";
      return session.lit !== "up" && session.isDown(key) ? "down" : undefined;
    });
  }

  /** Whether a line lies on a way. */
  holds(strand: Strand, plot: Plot): boolean {
    if (!this.shown) return false;
    const from = this.#end(strand, plot, true);
    const to = this.#end(strand, plot, false);
    const { selected } = this.session;
    const on = (key: Key | undefined, way: Way): boolean => key === undefined || this.#side(key) === way;
    if (from === undefined && to === undefined) return false;
    if (on(from, "up") && (to === selected || on(to, "up"))) return true;
    return on(to, "down") && (from === selected || on(from, "down"));
  }

  /** The closed box at an end of a line, beyond the border of its level or inside an open group if need be. */
  #end(strand: Strand, plot: Plot, first: boolean): Key | undefined {
    const box = plot.level.boxes[first ? strand.source : strand.target];
    const { graph, tree } = this.session;
    const edge = strand.edges[0];
    if (box?.open === false || graph === undefined || edge === undefined || edge < 0) return box?.key;
    const node = first ? graph.edges.source[edge] : graph.edges.target[edge];
    return node === undefined ? undefined : tree.boxOf(node);
  }
}
