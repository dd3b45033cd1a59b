/** What a level of the tree is made of: boxes and the strands between them. */

/** `n12` a node, `g3` a group, `s3:0-4` members 0 to 4 of fold 3, both included. */
export type Key = string;

/** A parameter whose gradient leaves a box. */
export interface Chip {
  /** Its names, the one inside the box first: `weight = wte.weight`. */
  readonly name: string;
  /** Its shape: `768×2304`. */
  readonly detail: string;
  /** Its node, or -1 before the tables came. */
  readonly leaf: number;
  /** Whether it has several names. */
  readonly shared: boolean;
}

export type Kind = "node" | "leaf" | "module" | "chain" | "repeat" | "section" | "fold" | "stack";

export interface Box {
  readonly key: Key;
  readonly kind: Kind;
  /** The node of a node or leaf, else -1. */
  readonly node: number;
  /** The group; of a stack its fold; of a node or leaf -1. */
  readonly group: number;
  readonly title: string;
  /** What is dimmed after the title: `Backward0`, or the class of a module. */
  readonly suffix: string;
  /** Operations inside, leaves not counted; 1 for a node or leaf. */
  readonly count: number;
  /** Members of a fold or stack, else 1. */
  readonly members: number;
  readonly open: boolean;
  readonly expandable: boolean;
  /** At most three of the parameters whose gradients leave this box; none while it is open. */
  readonly chips: readonly Chip[];
  readonly moreChips: number;
}

/** Edges of the graph between two boxes of one level. */
export interface Strand {
  /** Index in `Level.boxes`, or -1: they come from outside through the level's top. */
  readonly source: number;
  /** Index in `Level.boxes`, or -1: they leave through the level's bottom. */
  readonly target: number;
  /** Edge ids, ascending; before the tables came negative numbers, each its own. */
  readonly edges: readonly number[] | Int32Array;
}

export interface Level {
  /** `g0` is the root. */
  readonly key: Key;
  /** In the order of execution, root first. */
  readonly boxes: readonly Box[];
  readonly strands: readonly Strand[];
  /** Levels of equal shape whose boxes are equally open are laid out equally; -1 for one of its own kind. */
  readonly shape: number;
}
