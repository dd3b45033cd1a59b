/** What the plot draws: curves as pixel columns, flags, ways back and the strip of layers. */

/** Numbers by place: any typed array. */
export type Numbers = ArrayLike<number>;

/** A curve between two steps as one entry a pixel column, those without points left out. */
export interface Columns {
  /** The step at the left edge of column 0, and at the right edge of the last one. */
  readonly left: number;
  readonly right: number;
  readonly count: number;
  readonly column: Numbers;
  readonly first: Numbers;
  readonly low: Numbers;
  readonly high: Numbers;
  readonly last: Numbers;
  readonly points: Numbers;
  readonly bad: Numbers;
  /** The last step in each column, where it is known; else a column's own steps stand for it. */
  readonly step?: Numbers;
  /** The mean of the finite values in each column, where it is known; else that of `first` and `last`. */
  readonly mean?: Numbers;
}

/** What draws a split: training is a line, validation circles, a test squares. */
export type Mark = "line" | "circle" | "square";

/** One of the four colours of runs, or 0: the grey of the rest. */
export type Colour = 0 | 1 | 2 | 3 | 4;

export interface Curve {
  readonly id: string;
  readonly colour: Colour;
  readonly mark: Mark;
  readonly columns: Columns;
  /** The name at the curve's end, and in a reading. */
  readonly name: string;
  /** Whether the newest value stands beside the name. */
  readonly valued: boolean;
  /** Whether it belongs to the run a person looks at: drawn last, thicker, with raw columns. */
  readonly selected: boolean;
  /** The newest recorded value. */
  readonly newest?: { readonly step: number; readonly value: number };
  /** The curve that this one goes on from, and the step where it leaves it. */
  readonly parent?: { readonly id: string; readonly step: number };
  /** The step at which a branch left this curve: what follows is pale. */
  readonly left?: number;
  readonly end?: "dot" | "square" | "error";
}

export type Scale = "auto" | "log" | "linear";

/** One quantity on axes of its own. */
export interface Panel {
  readonly quantity: string;
  readonly scale: Scale;
  readonly curves: readonly Curve[];
}

export interface Flag {
  readonly step: number;
  /** What changed, and a shorter way to say it. */
  readonly words: string;
  readonly short: string;
  readonly colour: Colour;
  /** Received, but not yet in effect. */
  readonly waiting: boolean;
}

/** A way back: from the end of one branch to a step on the curve that the next one leaves. */
export interface Rewind {
  readonly from: number;
  readonly to: number;
  readonly words: string;
  readonly colour: Colour;
  /** The curve left behind, and the one that begins. */
  readonly old: string;
  readonly next: string;
}

export interface Layer {
  readonly name: string;
  /** What is wrong with it, where in steps, or nothing. */
  readonly trouble?: { readonly words: string; readonly since: number };
  /** The newest measured value. */
  readonly newest: number;
}

/** Values of layers over steps, one row a layer. */
export interface Strip {
  readonly measure: "norm" | "ratio";
  readonly layers: readonly Layer[];
  readonly left: number;
  readonly right: number;
  readonly count: number;
  /**
   * Row after row, `count` values each, the one furthest from healthy in each cell: NaN where nothing was
   * measured, an infinity where a NaN or an infinity was.
   */
  readonly cells: Numbers;
}

/** Where to go back to, while a person chooses. */
export interface Choosing {
  readonly step: number;
  readonly checkpoints: readonly number[];
}

export interface PlotModel {
  readonly panels: readonly Panel[];
  readonly flags: readonly Flag[];
  readonly rewinds: readonly Rewind[];
  readonly strip?: Strip;
  /** The newest step of all curves, -1 when there is none. */
  readonly latest: number;
  /** How many steps there will be, where it is known. */
  readonly total?: number;
  /** Nothing more will come: the axis ends with the curves. */
  readonly finished: boolean;
  /** The kernel is gone: everything is pale. */
  readonly gone: boolean;
  /** The step at which an error ended the run. */
  readonly error?: number;
  readonly choosing?: Choosing;
  /** Half-life of the smoothing in steps; undefined = 1 % of the steps in view. */
  readonly halfLife?: number;
}

/** What a curve is worth at a step. */
export interface CurveReading {
  readonly id: string;
  /** The step of the values: at or before the one asked, off by at most half a column where columns do not tell. */
  readonly step: number;
  readonly raw: number;
  /** The smoothed value; absent where a curve is drawn as it is. */
  readonly smoothed?: number;
  /** Whether `raw` is the recorded value itself rather than one of several in the same column. */
  readonly exact: boolean;
}

export interface Reading {
  readonly step: number;
  /** Whether a person points at this step; else it is the newest. */
  readonly pointed: boolean;
  readonly pinned: boolean;
  readonly curves: readonly CurveReading[];
  /** By row of the strip as it is folded; empty without a strip. */
  readonly layers: readonly number[];
}

/** The window of steps whose columns the plot needs. */
export interface Want {
  readonly left: number;
  readonly right: number;
  /** Columns of a curve, and cells of the strip. */
  readonly columns: number;
  readonly cells: number;
}

/** What the plot tells. */
export interface PlotActions {
  /** The values at the crosshair, or at the newest step. */
  read(reading: Reading): void;
  /** Other columns are needed; until they come the old ones are stretched. */
  want(want: Want): void;
  /** Following the latest step was turned on or off. */
  following(on: boolean): void;
}
