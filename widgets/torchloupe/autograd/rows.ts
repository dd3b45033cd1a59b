/** Heights of layers and of the gaps between them, and the paths of lines through them. */

import type { Body } from "./anatomy";
import type { Placed } from "./layout";
import type { Path } from "./route";
import type { Thread } from "./threads";

/** A box as the rows see it: its size, and its axis from its left side. */
export interface Standing {
  readonly body: Body;
  readonly w: number;
  readonly h: number;
  readonly left: number;
  readonly open: boolean;
}

/** Height of a gap whose lines are all straight, of one with curves, and of one above a well. */
export interface Gaps {
  readonly straight: number;
  readonly bent: number;
  readonly well: number;
}

/** The way of one line: its x at the source, in each layer it passes, at the target. */
interface Way {
  readonly first: number;
  readonly xs: number[];
}

const TRACK = 6;
/** However many tracks a gap holds. */
const HIGHEST = 96;
const STEEP = 8;
const APART = 40;
const ASIDE = 0.38;

export class Rows {
  readonly height: number;
  readonly #tops: number[] = [];
  readonly #heights: number[] = [];
  readonly #gaps: number[] = [];
  readonly #ways: Way[];
  readonly #flat = new Map<string, number>();
  readonly #flats: number[] = [];
  readonly #wanted: number[] = [];
  readonly #layers: number;

  /**
   * @param lines in the order of `placed.routes`
   * @param above room over the first layer, where names or a header stand
   * @param below room under the last layer
   */
  constructor(
    private readonly boxes: readonly Standing[],
    private readonly placed: Placed,
    private readonly lines: readonly Thread[],
    private readonly gaps: Gaps,
    above: number,
    below: number,
  ) {
    this.#layers = boxes.length === 0 ? 0 : 1 + placed.layer.reduce((most, layer) => Math.max(most, layer), 0);
    for (let layer = 0; layer < this.#layers; layer++) this.#heights.push(0);
    boxes.forEach(({ h }, index) => {
      const layer = this.#layer(index);
      this.#heights[layer] = Math.max(this.#heights[layer] ?? 0, h);
    });
    this.#ways = lines.map((line, place) => this.#way(line, place));
    this.#assignPorts();
    this.#countFlats();
    this.#measureGaps();
    let y = above;
    for (let layer = 0; layer < this.#layers; layer++) {
      if (layer > 0 || (this.#flats[0] ?? 0) > 0) y += this.#gap(layer);
      this.#tops.push(y);
      y += this.#heights[layer] ?? 0;
    }
    this.#gaps.push(below + TRACK * (this.#flats[this.#layers] ?? 0));
    this.height = y + (this.#gaps.at(-1) ?? 0);
  }

  /** The upper side of a box. */
  top(index: number): number {
    const layer = this.#layer(index);
    return (this.#tops[layer] ?? 0) + ((this.#heights[layer] ?? 0) - (this.boxes[index]?.h ?? 0)) / 2;
  }

  /** One for each line. */
  paths(): Path[] {
    return this.lines.map((line, place) => this.#path(line, place));
  }

  #layer(index: number): number {
    return this.placed.layer[index] ?? 0;
  }

  #x(index: number): number {
    return this.placed.x[index] ?? 0;
  }

  #way({ source, target }: Thread, place: number): Way {
    const first = source < 0 ? -1 : this.#layer(source);
    const last = target < 0 ? this.#layers : this.#layer(target);
    const route = this.placed.routes[place] ?? new Float64Array(0);
    const between = Math.max(last - first - 1, 0);
    const inner = route.length / 2 - 2;
    const xs: number[] = [];
    for (let layer = 0; layer < between; layer++)
      xs.push(route[2 * (1 + Math.min(layer, Math.max(inner, 1) - 1))] ?? 0);
    const lead = xs[0] ?? (target < 0 ? 0 : this.#x(target));
    const tail = xs.at(-1) ?? (source < 0 ? 0 : this.#x(source));
    return { first, xs: [source < 0 ? lead : this.#x(source), ...xs, target < 0 ? tail : this.#x(target)] };
  }

  /** Gives each line its own place on the sides of its boxes. */
  #assignPorts(): void {
    const below: number[][] = this.boxes.map(() => []);
    const above: number[][] = this.boxes.map(() => []);
    this.lines.forEach(({ source, target }, place) => {
      if (source >= 0) below[source]?.push(place);
      if (target >= 0) above[target]?.push(place);
    });
    this.boxes.forEach((box, index) => {
      this.#spread(box, index, below[index] ?? [], true);
      this.#spread(box, index, above[index] ?? [], false);
    });
    this.lines.forEach(({ source, target }, place) => {
      const xs = this.#ways[place]?.xs ?? [];
      if (source < 0 && xs.length === 2) xs[0] = xs[1] ?? 0;
      if (target < 0 && xs.length === 2) xs[1] = xs[0] ?? 0;
    });
  }

  #spread(box: Standing, index: number, places: readonly number[], leaving: boolean): void {
    const own = this.#x(index);
    const far = (place: number): number => {
      const xs = this.#ways[place]?.xs ?? [];
      return (leaving ? xs[1] : xs.at(-2)) ?? own;
    };
    const set = (place: number, x: number): void => {
      const xs = this.#ways[place]?.xs ?? [];
      xs[leaving ? 0 : xs.length - 1] = x;
    };
    const ordered = [...places].sort((a, b) => far(a) - far(b) || a - b);
    const offsets = leaving ? undefined : slotsFor(box.body.slots, ordered.length);
    const free =
      offsets ??
      spread(
        ordered.map((place) => far(place) - own),
        box.w,
      );
    ordered.forEach((place, rank) => {
      const line = this.lines[place];
      const port = leaving ? line?.leaving : line?.arriving;
      set(
        place,
        port === undefined
          ? own - (offsets === undefined ? 0 : box.body.axis) + (free[rank] ?? 0)
          : own - box.left + port,
      );
    });
  }

  /** Finds the level pieces of lanes: each gets a track of its own in its gap. */
  #countFlats(): void {
    this.lines.forEach((line, place) => {
      const way = this.#ways[place];
      if (way === undefined || this.#curved(line, way)) return;
      for (let step = 0; step + 1 < way.xs.length; step++) {
        if (Math.abs((way.xs[step] ?? 0) - (way.xs[step + 1] ?? 0)) < 1) continue;
        const gap = way.first + step + 1;
        const track = this.#flats[gap] ?? 0;
        this.#flat.set(`${place} ${step}`, track);
        this.#flats[gap] = track + 1;
      }
    });
  }

  #curved({ source, target }: Thread, { first, xs }: Way): boolean {
    if (xs.length !== 2 || source < 0 || target < 0) return false;
    const whole = this.#fills(source, first) && this.#fills(target, first + 1);
    return whole && Math.abs((xs[0] ?? 0) - (xs[1] ?? 0)) <= STEEP * this.gaps.bent;
  }

  #fills(index: number, layer: number): boolean {
    return (this.#heights[layer] ?? 0) - (this.boxes[index]?.h ?? 0) < TRACK;
  }

  /** What the lines want of the gap above each layer. */
  #measureGaps(): void {
    const want = (gap: number, height: number): void => {
      this.#wanted[gap] = Math.max(this.#wanted[gap] ?? 0, height);
    };
    this.#ways.forEach(({ first, xs }, place) => {
      for (let step = 0; step + 1 < xs.length; step++) {
        const bent = Math.abs((xs[step] ?? 0) - (xs[step + 1] ?? 0)) >= 1;
        if (bent && first + step >= 0) want(first + step + 1, this.gaps.bent);
      }
      const target = this.lines[place]?.target ?? -1;
      const slots = this.boxes[target]?.body.slots.length ?? 0;
      if (slots > 0) want(first + xs.length - 1, this.gaps.well);
    });
  }

  /** Height of the gap above `layer`. */
  #gap(layer: number): number {
    const height = Math.max(this.#wanted[layer] ?? 0, layer === 0 ? 0 : this.gaps.straight);
    const tracks = this.#flats[layer] ?? 0;
    return Math.max(height, tracks === 0 ? 0 : Math.min(2 * TRACK + 2 + TRACK * tracks, HIGHEST));
  }

  #path(line: Thread, place: number): Path {
    const { first, xs } = this.#ways[place] as Way;
    const start = line.source < 0 ? 0 : this.top(line.source) + (this.boxes[line.source]?.h ?? 0);
    const end = line.target < 0 ? this.height : this.top(line.target);
    const points = [xs[0] ?? 0, start];
    for (let step = 0; step + 1 < xs.length; step++) {
      const track = this.#flat.get(`${place} ${step}`);
      if (track === undefined) continue;
      const y = this.#trackY(first + step + 1, track);
      points.push(xs[step] ?? 0, y, xs[step + 1] ?? 0, y);
    }
    points.push(xs.at(-1) ?? 0, end);
    return Float64Array.from(points);
  }

  /** The height of a track in the gap above `layer`. */
  #trackY(layer: number, track: number): number {
    const from = layer === 0 ? 0 : (this.#tops[layer - 1] ?? 0) + (this.#heights[layer - 1] ?? 0);
    const to = layer === this.#layers ? this.height : (this.#tops[layer] ?? 0);
    const count = this.#flats[layer] ?? 1;
    if (layer === 0) return to - TRACK * (count - track) - 2;
    const pitch = Math.min(TRACK + 2, (to - from) / (count + 1));
    return count === 1 ? (from + to) / 2 : from + (to - from - pitch * (count - 1)) / 2 + pitch * track;
  }
}

function slotsFor(slots: readonly number[], count: number): readonly number[] | undefined {
  if (slots.length === 0) return undefined;
  return Array.from({ length: count }, (_, place) => slots[Math.min(place, slots.length - 1)] ?? 0);
}

/** Places along a side of width `w` for lines that go to `far`, ascending: straight ones in the middle. */
function spread(far: readonly number[], w: number): number[] {
  const before = far.filter((x) => x < -1).length;
  const straight = far.filter((x) => Math.abs(x) <= 1).length;
  const after = far.length - before - straight;
  if (far.length === 1) return [straight === 1 || Math.abs(far[0] ?? 0) < w ? 0 : (Math.sign(far[0] ?? 0) * w) / 4];
  if (straight === 0) {
    const half = Math.min(APART * (far.length - 1), w / 2 - 16);
    return far.map((_, rank) => -half + (2 * half * rank) / (far.length - 1));
  }
  return far.map((_, rank) => {
    if (rank < before) return (-ASIDE * w * (before - rank)) / before;
    if (rank < before + straight) return 14 * (rank - before - (straight - 1) / 2);
    return (ASIDE * w * (rank - before - straight + 1)) / after;
  });
}
