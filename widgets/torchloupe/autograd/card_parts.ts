/** What cards are made of. */

import { html, on, svg } from "../core/element";
import { LOOK } from "./looks";
import type { Session } from "./session";
import type { Key } from "./tree";

/** A part with a small heading. */
export function section(heading: string, ...content: (Node | string | undefined)[]): HTMLElement {
  return html("section", {}, html("h4", {}, heading), ...content);
}

/** A gradient in one of its looks; undefined: it comes with the next step, null: nothing is claimed. */
export function pill(gradient: { readonly look: number; readonly text: string } | undefined | null): HTMLElement {
  if (gradient === undefined) return html("span", { class: "tl-pill tl-coming" }, "?");
  if (gradient === null || gradient.look === LOOK.notRun) return html("span", { class: "tl-pill tl-waiting" }, "…");
  if (gradient.look === LOOK.none) return html("span", { class: "tl-pill tl-unused" }, "None");
  const kind = gradient.look === LOOK.zero ? "tl-zero" : gradient.look === LOOK.bad ? "tl-nan" : "tl-value";
  return html(
    "span",
    { class: `tl-pill ${kind}` },
    html("span", {}, gradient.look === LOOK.zero ? "0" : gradient.text),
  );
}

/** Names and values under each other. */
export function facts(rows: readonly (readonly [string, Node | string])[]): HTMLElement {
  const list = html("dl", { class: "tl-facts" });
  for (const [name, value] of rows) list.append(html("dt", {}, name), html("dd", {}, value));
  return list;
}

/** A link to another box. */
export function link(words: string, go: () => void): HTMLButtonElement {
  const button = html("button", { type: "button", class: "tl-link" }, words);
  on(button, "click", go);
  return button;
}

const WIDTH = 264;
const HEIGHT = 64;
const MOST_BARS = 64;
const LABELLED = 24;

/** Whose bars, and which of them is the one looked at, or -1. */
interface Bar {
  readonly key: Key;
  readonly name: string;
  readonly own: boolean;
}

/** One bar a key, as high as its gradient's norm; the chosen one is outlined, a click chooses another. */
export function bars(
  keys: readonly Key[],
  names: readonly string[],
  own: number,
  session: Session,
  choose: (key: Key) => void,
): SVGSVGElement {
  const every = Math.ceil(keys.length / MOST_BARS);
  const all = keys.map((key, at): Bar => ({ key, name: names[at] ?? "", own: at === own }));
  const shown = all.filter((bar, at) => at % every === 0 || bar.own);
  const finite = shown.map(({ key }) => session.arrival(key)?.norm ?? 0).filter(Number.isFinite);
  const most = Math.max(...finite, Number.MIN_VALUE);
  const pitch = WIDTH / Math.max(shown.length, 6);
  const picture = svg("svg", {
    class: "tl-bars",
    viewBox: `0 0 ${WIDTH} ${HEIGHT + 18}`,
    width: "100%",
    role: "group",
  });
  shown.forEach((bar, place) => {
    const drawn = barOf(bar, place * pitch + 1, pitch - 2, most, session);
    if (shown.length <= LABELLED || bar.own) {
      drawn.append(svg("text", { x: (place + 0.5) * pitch, y: HEIGHT + 13, "text-anchor": "middle" }, bar.name));
    }
    on(drawn, "click", () => choose(bar.key));
    picture.append(drawn);
  });
  picture.append(svg("line", { x1: 0, x2: WIDTH, y1: HEIGHT + 0.5, y2: HEIGHT + 0.5 }));
  return picture;
}

function barOf({ key, name, own }: Bar, x: number, w: number, most: number, session: Session): SVGGElement {
  const gradient = session.arrival(key);
  const look = gradient?.look ?? LOOK.notRun;
  const shade = session.shade(key);
  const ramp = typeof shade === "number" ? `tl-w${shade}` : "tl-w-none";
  const kind = look === LOOK.bad ? "tl-w-nan" : ramp;
  const share = look === LOOK.bad ? 1 : look === LOOK.notRun ? 0 : (gradient?.norm ?? 0) / most;
  const height = Math.max(share * HEIGHT, 1.5);
  return svg(
    "g",
    { class: own ? "tl-bar tl-own" : "tl-bar" },
    svg("title", {}, `${name}: ${gradient?.text ?? ""}`),
    svg("rect", { class: "tl-bar-room", x, y: 0, width: w, height: HEIGHT }),
    svg("rect", { class: kind, x, y: HEIGHT - height, width: Math.max(w, 1), height }),
  );
}
