// GENERATED from state.py by `make state`: change that file, not this one.

export type Mode = "look" | "live" | "replay";
export type Phase = "empty" | "ready" | "waiting" | "running" | "done" | "stopped" | "failed" | "freed";
export type BoxKind = "node" | "leaf" | "module" | "chain" | "repeat" | "section" | "fold";
export type Scopes = "traced" | "inferred" | "none";
export type Fault = "in_place" | "behind" | "freed" | "not_scalar" | "leaf" | "no_graph" | "custom" | "other";

/**
 * Everything the view needs for its first picture and controls, always complete.
 */
export interface Frame {
  /**
   * Another number means another record: a view drops its tables and pulls them again.
   */
  epoch: number;
  /**
   * What was looked at, as written: `y`, `loss`, `y.backward()`.
   */
  name: string;
  mode: Mode;
  phase: Phase;
  why_empty: Sentence | null;
  /**
   * One line that would give `why_empty` a graph.
   */
  way_out: Sentence | null;
  roots: Root[];
  /**
   * Parts of the output that are no tensors or have no graph: listed, not drawn.
   */
  others: string[];
  first: First;
  rows: Rows;
  nodes: number;
  edges: number;
  scopes: Scopes;
  /**
   * Whether source lines were recorded.
   */
  lines: boolean;
  /**
   * The person's lines the nodes came from, when they are few; else empty.
   */
  code: CodeLine[];
  /**
   * Live and waiting: the node that runs next, else -1.
   */
  next: number;
  /**
   * Live and waiting: whether the next node stands inside a module, so that "step out" means something.
   */
  leaves_module: boolean;
  /**
   * Node a run was asked to stop at, or -1.
   */
  run_ahead: number;
  /**
   * First node whose finite arriving gradient left it as NaN or infinite, or -1.
   */
  first_bad: number;
  /**
   * What is worth saying under the picture, most important first.
   */
  notes: Sentence[];
  failure: Failure | null;
  explanation: Explanation | null;
}
/**
 * A sentence not yet worded: its id in the room's `words.json`, and what fills its slots.
 */
export interface Sentence {
  id: string;
  args: {
    [k: string]: string | number;
  };
}
/**
 * An output the graph was read from.
 */
export interface Root {
  name: string;
  node: number;
  /**
   * Which output of the node it is (`output_nr`).
   */
  output: number;
  shape: number[];
  dtype: string;
  /**
   * Its value when it has one element, else empty.
   */
  value: string;
}
/**
 * The first picture: at most 64 boxes, root first.
 */
export interface First {
  boxes: FirstBox[];
  edges: FirstEdge[];
}
/**
 * One box of the first picture, collapsed by module.
 */
export interface FirstBox {
  kind: BoxKind;
  /**
   * Node id of a node or leaf, else group id.
   */
  id: number;
  title: string;
  /**
   * Class of a module; `Backward0` of a node; else empty.
   */
  suffix: string;
  nodes: number;
  /**
   * Identical siblings in a fold; 1 otherwise.
   */
  members: number;
  /**
   * Names of the parameters whose gradients leave this box, at most three.
   */
  parameters: string[];
  more_parameters: number;
  /**
   * How its arriving gradient looks: 0 not run, 1 value, 2 zero, 3 None, 4 NaN or infinite.
   */
  look: number;
  /**
   * L2 norm of the arriving gradient, or None.
   */
  norm: number | null;
  /**
   * The gradient itself when it has at most four elements, else empty.
   */
  value: string;
  /**
   * The line of code that made a node, or empty.
   */
  text: string;
}
/**
 * A lifted edge between two boxes of the first picture.
 */
export interface FirstEdge {
  /**
   * Index in `First.boxes`.
   */
  source: number;
  target: number;
  /**
   * Edges of the graph it stands for.
   */
  edges: number;
}
/**
 * How many rows each table has by now; see `tables.py` for their columns.
 */
export interface Rows {
  strings: number;
  nodes: number;
  edges: number;
  groups: number;
  leaves: number;
  steps: number;
  arrivals: number;
  flows: number;
}
/**
 * A line of the person's code.
 */
export interface CodeLine {
  number: number;
  text: string;
}
/**
 * Where and why a backward stopped on its own.
 */
export interface Failure {
  /**
   * The node that failed, or -1 when it is not known.
   */
  node: number;
  heading: Sentence;
  detail: Sentence | null;
  /**
   * What Python said, type first.
   */
  error: string;
  traceback: string;
}
/**
 * What broke a backward. In place: the saved tensor, the line that changed it, and the fix.
 *
 * `behind` is a change PyTorch did not see (`.data`, NumPy): no error, but a wrong gradient. In the other
 * faults `culprit` is the line that failed, and `keeper` the line that made it fail, where there is one.
 */
export interface Explanation {
  kind: Fault;
  heading: Sentence;
  detail: Sentence;
  /**
   * Where the lines stand: `In[7]` for a cell, a file name, or empty.
   */
  place: string;
  lines: CodeLine[];
  /**
   * Number of the line whose operation saved the tensor, or 0.
   */
  keeper: number;
  /**
   * Number of the line that changed it, or 0 when it is not known.
   */
  culprit: number;
  /**
   * Every line that changed it, in order.
   */
  culprits: number[];
  /**
   * Name of the tensor that was changed, or empty.
   */
  tensor: string;
  /**
   * The node that needs it, or -1.
   */
  node: number;
  node_title: string;
  slot: string;
  expected: number;
  found: number;
  /**
   * The version after each of `culprits`.
   */
  versions: number[];
  fix_old: string;
  /**
   * What stands there and what to write instead, each up to two lines; empty when no fix is known.
   */
  fix_new: string;
  /**
   * Number of the line where `fix_old` begins, or 0.
   */
  fix_line: number;
  /**
   * What the fix does, or what to do where no single line can be written for the person.
   */
  way: Sentence | null;
  /**
   * What the fix costs.
   */
  price: Sentence | null;
  /**
   * PyTorch's own words.
   */
  error: string;
  /**
   * What cannot be known after the fact, and how to know it next time.
   */
  unknown: Sentence | null;
}
/**
 * What is known of one node, asked for when a person selects it.
 */
export interface Card {
  node: number;
  title: string;
  suffix: string;
  /**
   * Path of its module, or empty.
   */
  scope: string;
  /**
   * Class of that module, or empty.
   */
  cls: string;
  /**
   * What its gradient is multiplied by, such as `2·x`, when that is simple enough; else empty.
   */
  rule: string;
  into: Gradient[];
  out_of: Gradient[];
  saved: Saved[];
  /**
   * Where its line stands: `In[7]` for a cell, a file name, or empty.
   */
  place: string;
  /**
   * Number of that line, or 0.
   */
  line: number;
  /**
   * The whole line, or empty.
   */
  code: string;
  /**
   * The part of `code` that made the node, or empty.
   */
  fragment: string;
  /**
   * Hooks the person registered on it.
   */
  hooks: string[];
  /**
   * A custom Function: what `ctx` holds.
   */
  context: string[];
  /**
   * Order, module and what is special about it.
   */
  notes: Sentence[];
}
/**
 * One gradient that entered or left a node. Numbers that are not finite, or not known, are None.
 */
export interface Gradient {
  /**
   * What it belongs to: an argument (`query`), a leaf (`x`), or empty.
   */
  name: string;
  /**
   * 0 not run, 1 value, 2 zero, 3 None, 4 NaN or infinite.
   */
  look: number;
  shape: number[];
  dtype: string;
  numel: number;
  norm: number | null;
  smallest: number | null;
  largest: number | null;
  mean: number | null;
  /**
   * Share of elements that are exactly zero, 0 to 1.
   */
  zeros: number | null;
  /**
   * Elements that are NaN or infinite.
   */
  nonfinite: number;
  /**
   * The gradient itself when it has at most four elements, else empty.
   */
  text: string;
}
/**
 * Something a node keeps for its backward: a tensor, a number, or nothing.
 */
export interface Saved {
  /**
   * PyTorch's own name: `self`, `result`, `exponent`.
   */
  slot: string;
  /**
   * None when it is no tensor.
   */
  shape: number[] | null;
  dtype: string;
  nbytes: number;
  /**
   * The name whose storage it is (`x`, `fc.weight`), or empty when the node keeps its own.
   */
  owner: string;
  version: number | null;
  /**
   * A number, `None` or another value as text; empty for a tensor.
   */
  text: string;
  /**
   * Whether `look_at` can give a line of code that reads it.
   */
  readable: boolean;
}
