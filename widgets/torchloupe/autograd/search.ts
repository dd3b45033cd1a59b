/** Search over names, classes, scopes and code; hits are grouped by place. */

import type { Graph } from "./graph";
import { split } from "./titles";

/** Hits whose scopes differ only in numbers. */
export interface Place {
  /** `h.*.attn.c_attn`, or the name of the operation outside any module. */
  readonly name: string;
  readonly count: number;
  /** Its hits in the order of execution. */
  readonly nodes: Int32Array;
}

export interface Found {
  readonly query: string;
  readonly total: number;
  /** In the order of execution; their counts add up to `total`. */
  readonly places: readonly Place[];
}

export const NOTHING: Found = { query: "", total: 0, places: [] };

export class Search {
  #lower: string[] = [];
  #found: Found = NOTHING;
  #hits: Int32Array = new Int32Array(0);
  /** Hits before each place of the reading order. */
  #before: Int32Array = new Int32Array(0);
  #current = -1;

  constructor(private readonly graph: Graph) {}

  get found(): Found {
    return this.#found;
  }

  /** The hit that `next` and `previous` went to last. */
  get current(): number | undefined {
    return this.#hits[this.#current];
  }

  /** Finds nodes that hold every word of `query` in their class, module, name or code. */
  find(query: string): Found {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    const matches = words.map((word) => this.#matching(word));
    const { nodes, leaves } = this.graph;
    const hits: number[] = [];
    for (let node = 0; node < nodes.count && words.length > 0; node++) {
      const [type = -1, scope = -1, text = -1] = [nodes.type[node], nodes.scope[node], nodes.text[node]];
      const name = leaves.name[this.graph.leafOf(node)] ?? -1;
      const found = (match: Uint8Array): boolean =>
        match[type] === 1 || match[scope] === 1 || match[text] === 1 || match[name] === 1;
      if (matches.every(found)) hits.push(node);
    }
    this.#hits = Int32Array.from(hits);
    this.#current = -1;
    this.#before = this.#counts();
    this.#found = { query, total: hits.length, places: this.#grouped() };
    return this.#found;
  }

  /** Which strings hold a word. */
  #matching(word: string): Uint8Array {
    for (let place = this.#lower.length; place < this.graph.strings; place++) {
      this.#lower.push(this.graph.string(place).toLowerCase());
    }
    return Uint8Array.from(this.#lower, (string) => Number(string.includes(word)));
  }

  /** A parameter counts where it is drawn first, so that counts add up. */
  #counts(): Int32Array {
    const { graph } = this;
    const before = new Int32Array(graph.order.length + 1);
    for (const node of this.#hits) {
      const after = (graph.position[graph.home(node)] ?? 0) + 1;
      before[after] = (before[after] ?? 0) + 1;
    }
    for (let place = 1; place < before.length; place++) before[place] = (before[place] ?? 0) + (before[place - 1] ?? 0);
    return before;
  }

  #grouped(): Place[] {
    const groups = new Map<string, { nodes: number[]; scopes: Set<string> }>();
    const keys = new Map<string, string>();
    for (const node of this.#hits) {
      const place = this.#placeOf(node);
      const key = keys.get(place) ?? starred(place);
      keys.set(place, key);
      const group = groups.get(key) ?? { nodes: [], scopes: new Set() };
      group.nodes.push(node);
      group.scopes.add(place);
      groups.set(key, group);
    }
    return [...groups].map(([key, { nodes, scopes }]) => {
      const [only = key] = scopes;
      return { name: scopes.size === 1 ? only : key, count: nodes.length, nodes: Int32Array.from(nodes) };
    });
  }

  #placeOf(node: number): string {
    const { graph } = this;
    const scope = graph.string(graph.nodes.scope[node] ?? -1);
    if (scope !== "") return scope;
    const name = graph.string(graph.leaves.name[graph.leafOf(node)] ?? -1);
    return name === "" ? split(graph.typeOf(node)).title : name;
  }

  /** Hits at places `from` to `to - 1` of the reading order. */
  between(from: number, to: number): number {
    return (this.#before[to] ?? 0) - (this.#before[from] ?? 0);
  }

  next(): number | undefined {
    return this.#go(this.#current + 1);
  }

  previous(): number | undefined {
    return this.#go(this.#current < 0 ? -1 : this.#current - 1);
  }

  #go(to: number): number | undefined {
    const { length } = this.#hits;
    if (length === 0) return undefined;
    this.#current = (to + length) % length;
    return this.current;
  }
}

/** `h.11.attn` as `h.*.attn`. */
function starred(scope: string): string {
  return scope.replace(/(^|\.)\d+(?=\.|$)/g, "$1*");
}
