// GENERATED from state.py by `make state`: change that file, not this one.

export type OutcomeKind = "view" | "copy" | "same" | "refused";
export type Carry = "cell" | "index" | "ravel" | "flip";
export type Family = "reorder" | "reshape" | "pick" | "repeat" | "copy";

/**
 * Everything the view needs to draw, always complete.
 */
export interface Frame {
  /**
   * Those to draw, in order: the person's, then the source and the result of the last step.
   */
  tensors: TensorState[];
  storages: StorageState[];
  /**
   * First samples, so that the first picture needs no second message.
   */
  cells: Cells[];
  step: Step | null;
  /**
   * The lines that lead from the person's tensors to the last result.
   */
  script: string;
  /**
   * The tensor operations act on.
   */
  active: number;
  /**
   * Tensors that can be made active.
   */
  candidates: number[];
  menu: MenuEntry[];
  advice: Advice[];
  can_undo: boolean;
  can_redo: boolean;
  /**
   * Set when a tensor was freed, moved or resized after it was shown, or an argument was not legal.
   */
  status: Sentence | null;
}
/**
 * One tensor of the lens: a person's (`root`) or the result of an operation tried in the lens.
 */
export interface TensorState {
  id: number;
  name: string;
  root: boolean;
  shape: number[];
  /**
   * In elements; empty when the layout has none (`storage` is then -1).
   */
  stride: number[];
  /**
   * `storage_offset()`, in elements.
   */
  offset: number;
  numel: number;
  itemsize: number;
  /**
   * Logical bytes, `numel * itemsize`.
   */
  nbytes: number;
  /**
   * Distinct cells addressed; None when counting them would not be O(1).
   */
  distinct: number | null;
  dtype: string;
  device: string;
  layout: string;
  /**
   * Class name when it is not a plain `torch.Tensor`, else empty.
   */
  kind: string;
  /**
   * Id of its storage in `Frame.storages`, or -1 when it has no strided storage.
   */
  storage: number;
  /**
   * Name of the shown tensor that is its `_base`, else empty.
   */
  base_name: string;
  /**
   * Shape of its `_base`, or None when it is not a view.
   */
  base_shape: number[] | null;
  contiguous: boolean;
  /**
   * Memory formats it is contiguous in, such as `channels_last`.
   */
  formats: string[];
  overlaps: boolean;
  version: number | null;
  requires_grad: boolean;
  leaf: boolean;
  alive: boolean;
  /**
   * What is special about it, or why it has no picture.
   */
  notes: Sentence[];
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
 * A block of memory. An `imagined` one is what a copy would allocate; the lens never allocates it.
 */
export interface StorageState {
  id: number;
  nbytes: number;
  device: string;
  /**
   * Hexadecimal address of byte 0, or empty (meta, imagined).
   */
  address: string;
  imagined: boolean;
}
/**
 * Bounded samples: what `tensor` reads at storage cells `cells` (in its own items).
 */
export interface Cells {
  tensor: number;
  cells: number[];
  /**
   * Short, as PyTorch prints it: `18.`, `nan`.
   */
  labels: string[];
  /**
   * In full: `18.0`.
   */
  values: string[];
}
/**
 * An operation tried in the lens.
 */
export interface Step {
  operation: string;
  arguments: Argument[];
  tokens: Token[];
  /**
   * The Python line, `y = x.transpose(0, 2)`.
   */
  line: string;
  source: number;
  /**
   * Id of the resulting tensor, or -1 when refused.
   */
  result: number;
  outcome: OutcomeKind;
  /**
   * Beside the badge: "same storage, 0 B copied".
   */
  price: Sentence;
  /**
   * How an element of the result finds the source element it came from: same cell, same index, same row-major position, or same index with `flipped` axes reversed.
   */
  carry: Carry;
  flipped: number[];
  refusal: Refusal | null;
}
/**
 * One number a person can edit in the code line, with the bounds PyTorch allows where they are known.
 */
export interface Argument {
  text: string;
  low: number | null;
  high: number | null;
}
/**
 * A piece of the code line: `tensor` colours it, `argument` is the index of the number shown, or -1.
 */
export interface Token {
  text: string;
  tensor: number;
  argument: number;
}
/**
 * Why PyTorch said no: in words, as a walk through the storage where that helps, and its own message.
 */
export interface Refusal {
  heading: Sentence;
  detail: Sentence;
  walk: Point[];
  error: string;
}
/**
 * One stop on a walk through the storage: the element and its cell.
 */
export interface Point {
  label: string;
  cell: number;
}
/**
 * An operation in the menu, with what it would do said before it is pressed.
 */
export interface MenuEntry {
  family: Family;
  operation: string;
  arguments: string[];
  label: string;
  outcome: OutcomeKind;
}
/**
 * A heading and the lines that follow from it: ways out, in-place writes, letting memory go.
 */
export interface Advice {
  heading: Sentence;
  ways: Way[];
}
/**
 * A line of code offered to the person, with its outcome and its price.
 */
export interface Way {
  tokens: Token[];
  outcome: OutcomeKind;
  price: Sentence;
  /**
   * What "Try" applies, or empty when it cannot be tried in the lens.
   */
  operation: string;
  arguments: string[];
  /**
   * The tensor "Try" acts on.
   */
  tensor: number;
}
