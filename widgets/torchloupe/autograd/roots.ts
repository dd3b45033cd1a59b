/** The lines of the roots: every level from the outermost to the root's own box gets one through its top. */

import { ROOT } from "./keys";
import type { Root } from "./state";
import type { Key, Level, Strand, Tree } from "./tree";

/** Edges of roots are numbered downwards from here, apart from those of the graph and of the first picture. */
const FIRST_EDGE = -1_000_000_000;

/** Which root a strand belongs to, if it is the line of a root. */
export function rootOf({ source, edges }: Strand): number | undefined {
  const edge = edges[0];
  return source < 0 && edge !== undefined && edge <= FIRST_EDGE ? FIRST_EDGE - edge : undefined;
}

/** Per open group: its boxes that hold a root. */
type Holders = ReadonlyMap<Key, readonly { readonly box: Key; readonly root: number }[]>;

/** Levels of a tree with the lines of its roots. A level that holds no root is the tree's own object. */
export class Rooted {
  readonly #kept = new WeakMap<Level, Level>();
  #holders: Holders = new Map();
  #version = -1;

  constructor(
    private readonly tree: Tree,
    private readonly roots: readonly Root[],
  ) {}

  get version(): number {
    return this.tree.version;
  }

  parentOf(key: Key): Key | undefined {
    return this.tree.parentOf(key);
  }

  level(key: Key): Level {
    const level = this.tree.level(key);
    const held = this.#held().get(key);
    if (held === undefined) return level;
    const known = this.#kept.get(level);
    if (known !== undefined) return known;
    const lines = held.flatMap(({ box, root }): Strand[] => {
      const target = level.boxes.findIndex((each) => each.key === box);
      return target < 0 ? [] : [{ source: -1, target, edges: [FIRST_EDGE - root] }];
    });
    const made = { ...level, strands: [...level.strands, ...lines] };
    this.#kept.set(level, made);
    return made;
  }

  #held(): Holders {
    if (this.#version === this.tree.version) return this.#holders;
    this.#version = this.tree.version;
    const holders = new Map<Key, { box: Key; root: number }[]>();
    this.roots.forEach(({ node }, root) => {
      if (node < 0) return;
      let box: Key | undefined = this.#boxOf(node);
      while (box !== undefined) {
        const parent: Key | undefined = this.tree.parentOf(box);
        if (parent === undefined) break;
        holders.set(parent, [...(holders.get(parent) ?? []), { box, root }]);
        box = parent;
      }
    });
    this.#holders = holders;
    return holders;
  }

  /** The visible box of a root. Before the tables came a folded one is in the first box. */
  #boxOf(node: number): Key | undefined {
    const box = this.tree.visible(`n${node}`);
    return box === ROOT ? this.tree.level(ROOT).boxes[0]?.key : box;
  }
}
