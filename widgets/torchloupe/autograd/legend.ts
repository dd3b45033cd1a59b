/** What the marks mean: the four looks of a gradient, the states of a node, and the ramp. */

import { html, svg } from "../core/element";
import type { Say } from "../core/words";
import type { Session } from "./session";

type Shape = SVGElement;
type Samples = Readonly<Record<string, () => SVGSVGElement>>;

function sample(width: number, ...shapes: Shape[]): SVGSVGElement {
  return svg(
    "svg",
    { class: "tl-sample", width, height: 22, viewBox: `0 0 ${width} 22`, "aria-hidden": "true" },
    ...shapes,
  );
}

function line(name: string, from: number, to: number): Shape {
  return svg("line", { class: name, x1: from, y1: 11, x2: to, y2: 11 });
}

function words(x: number, text: string, name: string): Shape {
  return svg("text", { class: name, x, y: 15, "text-anchor": "middle" }, text);
}

const EDGES: Samples = {
  value: () =>
    sample(
      64,
      line("tl-l-value", 0, 56),
      svg("path", { class: "tl-l-head", d: "M54 6.5l9 4.5l-9 4.5z" }),
      svg("rect", { class: "tl-l-pill", x: 16, y: 2, width: 22, height: 18, rx: 9 }),
      words(27, "4", "tl-l-number"),
    ),
  zero: () =>
    sample(
      64,
      line("tl-l-zero", 0, 54),
      svg("path", { class: "tl-l-hollow", d: "M54 6.5l9 4.5l-9 4.5z" }),
      svg("rect", { class: "tl-l-square", x: 17, y: 2, width: 20, height: 18, rx: 2 }),
      words(27, "0", "tl-l-number"),
    ),
  unused: () =>
    sample(
      64,
      line("tl-l-cut", 0, 8),
      svg("path", { class: "tl-l-cut", d: "M8.5 4v14M55.5 4v14" }),
      line("tl-l-cut", 56, 64),
      words(32, "None", "tl-l-none"),
    ),
  not_run: () => sample(64, line("tl-l-dots", 0, 64)),
};

const NODES: Samples = {
  done: () => box("done"),
  next: () => box("next"),
  not_run: () => box("waiting"),
};

function box(state: string): SVGSVGElement {
  return sample(
    30,
    svg("rect", { class: `tl-l-box tl-l-${state}`, x: 2, y: 3, width: 26, height: 16, rx: 3.5 }),
    svg("circle", { class: `tl-l-badge tl-l-${state}`, cx: 15, cy: 11, r: 5 }),
  );
}

const STEP_W = 27;
const MOST_TICKS = 5;

export class Legend {
  readonly element = html("div", { class: "tl-legend" });

  constructor(
    private readonly say: Say,
    private readonly session: Session,
  ) {}

  /**
   * @param large whether boxes are coloured tiles
   * @param colours the switch between colours, when it stands here
   */
  show(large: boolean, colours: HTMLElement | undefined): void {
    const { frame } = this.session;
    const rows: HTMLElement[] = [];
    const ran = frame.mode !== "look";
    if (large) rows.push(this.#ramp(colours));
    else if (ran) rows.push(this.#row("legend_edges", EDGES, (id) => this.say(`look_${id}`)));
    if (!large && ran) rows.push(this.#row("legend_nodes", NODES, (id) => this.say(`state_${id}`)));
    this.element.hidden = rows.length === 0;
    this.element.replaceChildren(...rows);
  }

  #row(heading: string, samples: Samples, meaning: (id: string) => string): HTMLElement {
    const items = Object.entries(samples).map(([id, draw]) =>
      html("span", { class: "tl-meaning" }, draw(), meaning(id)),
    );
    return html(
      "div",
      { class: "tl-legend-row" },
      html("span", { class: "tl-legend-name" }, this.say(heading)),
      ...items,
    );
  }

  /** The ramp with its marks, then the looks beside it. */
  #ramp(colours: HTMLElement | undefined): HTMLElement {
    const scale = this.session.scale();
    const steps = Array.from({ length: 7 }, (_, step) => {
      return svg("rect", { class: `tl-w${step}`, x: 0.5 + step * STEP_W, y: 0.5, width: STEP_W, height: 14 });
    });
    const every = scale.ticks.length > MOST_TICKS ? 2 : 1;
    const ticks = scale.ticks
      .filter((_, at) => at % every === 0)
      .map(({ at, text }) => svg("text", { class: "tl-tick", x: at * STEP_W, y: 28 }, text));
    const width = 7 * STEP_W + 30;
    const ramp = svg(
      "svg",
      { class: "tl-ramp", width, height: 32, viewBox: `-14 0 ${width} 32`, "aria-hidden": "true" },
      ...steps,
      ...ticks,
    );
    const kind =
      scale.colour === "norm" ? `log_${scale.perDecade}` : scale.colour === "bytes" ? "linear" : "first_last";
    const title = html(
      "div",
      { class: "tl-ramp-name" },
      html("b", {}, this.say(`ramp_${scale.colour}`)),
      html("span", {}, this.say(`ramp_${kind}`)),
    );
    const row = html("div", { class: "tl-legend-row tl-heat" }, colours, title, ramp);
    if (scale.colour === "norm") {
      row.append(
        html("span", { class: "tl-meaning" }, html("i", { class: "tl-tile tl-tile-zero" }, "0"), this.say("look_zero")),
        html("span", { class: "tl-meaning" }, html("i", { class: "tl-tile tl-tile-nan" }), "NaN"),
        html("span", { class: "tl-meaning" }, html("i", { class: "tl-tile tl-tile-none" }), this.say("look_not_run")),
      );
    }
    if (this.session.selected !== undefined) row.append(html("span", { class: "tl-ways" }, this.say("legend_ways")));
    return row;
  }
}
