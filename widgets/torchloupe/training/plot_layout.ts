/** Where the parts of the plot stand, in px from its top left. */

export interface Place {
  readonly top: number;
  readonly bottom: number;
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly narrow: boolean;
  /** The ends of the x axis. */
  readonly left: number;
  readonly right: number;
  /** How far the text in the gutters reaches. */
  readonly edge: number;
  readonly panels: readonly Place[];
  readonly rows: readonly Place[];
  /** The middle of the strip's heading. */
  readonly heading: number;
  readonly axis: number;
}

/** Below this width in px the plot has less room around it. */
const NARROW = 600;
/** Room for flags and ways back above the curves. */
const LANE = 44;
export const ROW = 12;
const CELL = 10.5;
const EDGE = 15;
const BETWEEN = 22;
const HEADING = 18;
const FIRST_ROW = 30;
const BELOW = 27;

/** Lays out so many panels above each other and so many rows of a strip. */
export function layoutOf(width: number, panels: number, rows: number): Layout {
  const narrow = width < NARROW;
  const [left, gutter] = narrow ? [74, 86] : [92, 104];
  const tall = panelHeight(narrow, panels);
  const places = Array.from({ length: Math.max(panels, 1) }, (_, at) => {
    const top = LANE + at * (tall + BETWEEN);
    return { top, bottom: top + tall };
  });
  const bottom = places.at(-1)?.bottom ?? LANE + tall;
  const first = bottom + FIRST_ROW;
  const axis = rows > 0 ? first + rows * ROW : bottom;
  return {
    width,
    height: axis + BELOW,
    narrow,
    left,
    right: Math.max(width - gutter, left + 40),
    edge: EDGE,
    panels: places,
    rows: Array.from({ length: rows }, (_, at) => ({ top: first + at * ROW, bottom: first + at * ROW + CELL })),
    heading: bottom + HEADING,
    axis,
  };
}

function panelHeight(narrow: boolean, panels: number): number {
  if (panels <= 1) return narrow ? 196 : 216;
  return narrow ? 124 : 136;
}
