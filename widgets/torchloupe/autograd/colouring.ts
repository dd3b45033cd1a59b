/** The colour of boxes by gradient norm, saved bytes or order, on a scale that stays while a backward is stepped. */

import { type Gradient, LOOK } from "./looks";
import { type Colour, linearScale, nbytes, normScale, type Scale, type Shade, shadeOn } from "./scale";

/** What is coloured. */
export interface Subject {
  readonly gradient: Gradient | undefined;
  readonly bytes: number;
  /** The step it begins with, or 0. */
  readonly step: number;
}

export class Colouring {
  #norms: Scale = normScale(1, 1);
  /** The norms the scale was fitted to. */
  #fitted: { readonly least: number; readonly most: number } | undefined;
  #bytes = linearScale("bytes", 1);
  #order = linearScale("order", 1);

  /** Lets the scale grow until norms from `least` to `most` lie on it, as far as seven decades reach. */
  growNorms(least: number, most: number): void {
    if (least > most) return;
    const { low, high, perDecade } = this.#norms;
    const inside = this.#fitted !== undefined && (least >= low * 0.999 || perDecade === 1) && most < high;
    if (inside) return;
    this.fitNorms(Math.min(least, this.#fitted?.least ?? least), Math.max(most, this.#fitted?.most ?? most));
  }

  fitNorms(least: number, most: number): void {
    if (least > most) return;
    this.#fitted = { least, most };
    this.#norms = normScale(least, most);
  }

  fitBytes(most: number): void {
    this.#bytes = linearScale("bytes", most);
  }

  fitOrder(steps: number): void {
    this.#order = linearScale("order", steps);
  }

  scale(colour: Colour): Scale {
    return { norm: this.#norms, bytes: this.#bytes, order: this.#order }[colour];
  }

  /** The colour of a subject; undefined when there is nothing to colour. */
  shade(colour: Colour, { gradient, bytes, step }: Subject): Shade | undefined {
    if (colour === "bytes") return bytes === 0 ? "zero" : shadeOn(this.#bytes, bytes);
    if (colour === "order") return step === 0 ? undefined : shadeOn(this.#order, step);
    if (gradient === undefined || gradient.look === LOOK.notRun) return undefined;
    if (gradient.look === LOOK.value) return shadeOn(this.#norms, gradient.norm);
    return ({ [LOOK.zero]: "zero", [LOOK.none]: "none", [LOOK.bad]: "nan" } as const)[gradient.look];
  }
}

/** What the tile of a subject says. */
export function tileOf(colour: Colour, { gradient, bytes, step }: Subject, norm: (value: number) => string): string {
  if (colour === "bytes") return bytes === 0 ? "0" : nbytes(bytes);
  if (colour === "order") return step === 0 ? "" : String(step);
  if (gradient === undefined) return "";
  if (gradient.look === LOOK.bad) return /inf/i.test(gradient.text) && !gradient.text.includes("NaN") ? "Inf" : "NaN";
  return gradient.look === LOOK.value ? norm(gradient.norm) : gradient.text;
}
