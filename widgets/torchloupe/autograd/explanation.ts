/** What broke a backward: the lines of code, who kept and who changed a tensor, the node that needs it, the fix. */

import { html, on, svg } from "../core/element";
import { icon } from "../core/icon";
import type { Say } from "../core/words";
import { marks, slotAt, track } from "./explanation_track";
import type { CodeLine, Explanation, Fault, Sentence } from "./state";

/** From the top of the node box to the middle of its slot, or of its title where it has none. */
const TO_SLOT = 52;
const TO_TITLE = 20;
/** Letters of a name that fit above the versions. */
const LONGEST = 10;

/** Arguments of a sentence that are code, and what marks them while the sentence is worded. */
const CODE = new Set(["op", "slot", "rule", "name", "names", "function", "module", "shape", "got", "wanted", "error"]);
const OPEN = "\ue000";
const CLOSE = "\ue001";
const PIECE = /[\ue000\ue001]/;

const KEEPS: Readonly<Record<Fault, string>> = {
  in_place: "explain_keeps",
  behind: "explain_keeps",
  freed: "explain_frees",
  not_scalar: "explain_called",
  leaf: "explain_called",
  no_graph: "explain_called",
  custom: "explain_called",
  other: "explain_called",
};

const CHANGES: Readonly<Record<Fault, string>> = {
  in_place: "explain_changes",
  behind: "explain_unseen",
  freed: "explain_again",
  not_scalar: "explain_fails",
  leaf: "explain_fails",
  no_graph: "explain_fails",
  custom: "explain_fails",
  other: "explain_fails",
};

/** Draws an explanation as wide as its place. */
export function explanationBlock(
  explanation: Explanation,
  say: Say,
  actions: { copy(text: string): void },
): HTMLElement {
  const block = html("section", { class: "tl-explain" });
  const heading = html("h3", { class: "tl-explain-heading" }, ...told(explanation.heading, say));
  const detail = html("p", { class: "tl-explain-detail" }, ...told(explanation.detail, say));
  block.append(html("header", { class: "tl-explain-top" }, heading, detail));
  const stage = scene(explanation, say);
  if (stage !== undefined) block.append(stage);
  block.append(fix(explanation, say, actions));
  const { unknown } = explanation;
  if (unknown !== null) block.append(html("p", { class: "tl-explain-unknown" }, ...told(unknown, say)));
  if (explanation.error !== "") block.append(said(explanation, say));
  return block;
}

/** The name of the operation in a sentence, as PyTorch calls it. */
export function operation(title: string): string {
  const stem = title.replace(/Backward\d*$/, "");
  return /\d$/.test(title) ? stem.replace(/([a-z\d])(?=[A-Z])/g, "$1_").toLowerCase() : stem;
}

/** A sentence with what is code in the font of code. */
function told(sentence: Sentence, say: Say): (Node | string)[] {
  const marked = Object.entries(sentence.args).map(([name, value]) => {
    return [name, typeof value === "string" && CODE.has(name) ? `${OPEN}${value}${CLOSE}` : value];
  });
  const pieces = say(sentence.id, Object.fromEntries(marked)).split(PIECE);
  return pieces.map((piece, at) => (at % 2 === 1 ? html("code", {}, piece) : piece));
}

function scene(fault: Explanation, say: Say): HTMLElement | undefined {
  const rows = rowsOf(fault.lines);
  const numbers = rows.map((row) => row?.number ?? -1);
  const found = marks(fault, numbers);
  const node = fault.node_title === "" ? undefined : nodeBox(fault, say);
  if (rows.length === 0 && node === undefined) return undefined;
  const grid = html("div", { class: node === undefined ? "tl-explain-scene tl-explain-alone" : "tl-explain-scene" });
  if (rows.length > 0) {
    const versioned = fault.kind === "in_place" && found.length > 0;
    const above = versioned ? versionWords(fault, say) : "";
    grid.append(
      html("div", { class: "tl-explain-column tl-explain-code-title" }, placeWords(fault, say)),
      html("div", { class: "tl-explain-column tl-explain-track-title" }, above),
      code(fault, rows, say),
      track(found, rows.length, node !== undefined, description(fault, say)),
    );
  }
  if (node !== undefined) {
    const middle = fault.slot === "" ? TO_TITLE : TO_SLOT;
    const drop = rows.length === 0 ? 0 : Math.max(0, slotAt(found, rows.length) - middle);
    node.style.setProperty("--tl-explain-drop", `${drop}px`);
    grid.append(node);
  }
  return grid;
}

/** Lines and, where numbers jump, gaps. */
function rowsOf(lines: readonly CodeLine[]): (CodeLine | undefined)[] {
  return lines.flatMap((line, at) => {
    const before = lines[at - 1];
    const jumps = before !== undefined && line.number > before.number + 1;
    return jumps ? [undefined, line] : [line];
  });
}

function code(fault: Explanation, rows: readonly (CodeLine | undefined)[], say: Say): HTMLElement {
  const list = html("ol", { class: "tl-explain-code" });
  for (const row of rows) {
    if (row === undefined) {
      list.append(html("li", { class: "tl-explain-gap", "aria-hidden": "true" }, "⋮"));
      continue;
    }
    const changed = fault.culprits.includes(row.number);
    const kept = row.number === fault.keeper;
    const item = html("li", { class: "tl-explain-line", value: row.number });
    if (changed) item.classList.add("tl-explain-culprit");
    else if (kept) item.classList.add("tl-explain-keeper");
    item.append(html("span", { class: "tl-explain-number", "aria-hidden": "true" }, String(row.number)));
    item.append(html("code", { title: row.text.trim() }, row.text));
    const words = changed ? changeWords(fault, row.number, say) : kept ? keepWords(fault, say) : "";
    if (words !== "") item.append(html("span", { class: "tl-explain-remark" }, words));
    list.append(item);
  }
  return list;
}

function keepWords(fault: Explanation, say: Say): string {
  return say(KEEPS[fault.kind], { op: operation(fault.node_title), name: fault.tensor || fault.slot });
}

function changeWords(fault: Explanation, line: number, say: Say): string {
  const times = fault.culprits.filter((other) => other === line).length;
  const words = say(CHANGES[fault.kind]);
  return times > 1 ? `${words} ×${times}` : words;
}

function placeWords(fault: Explanation, say: Say): string {
  const cell = /^In\[(\d+)\]$/.exec(fault.place);
  if (cell !== null) return say("explain_cell", { n: Number(cell[1]) });
  return fault.place === "" ? say("explain_code") : say("explain_file", { place: fault.place });
}

function versionWords(fault: Explanation, say: Say): string {
  return fault.tensor === "" || fault.tensor.length > LONGEST
    ? say("explain_version")
    : say("explain_version_of", { name: fault.tensor });
}

function description(fault: Explanation, say: Say): string {
  if (fault.kind !== "in_place") return "";
  return `${say("explain_expected")} ${fault.expected}, ${say("explain_found")} ${fault.found}`;
}

function nodeBox(fault: Explanation, say: Say): HTMLElement {
  const [, stem = fault.node_title, suffix = ""] = /^(.+?)(Backward\d*)?$/.exec(fault.node_title) ?? [];
  const wrong = fault.kind === "behind";
  const cross = svg(
    "svg",
    { class: "tl-explain-cross", viewBox: "0 0 22 22", width: 22, height: 22, "aria-hidden": "true" },
    svg("rect", { width: 22, height: 22, rx: 3 }),
    wrong ? svg("path", { d: "M11 5v7.5M11 15.5v1.5" }) : svg("path", { d: "M6 6l10 10M16 6l-10 10" }),
  );
  const title = html("b", { class: "tl-explain-title", title: fault.node_title }, stem, html("small", {}, suffix));
  const state = html("span", { class: "tl-explain-state" }, say(wrong ? "explain_wrong" : "explain_cannot_run"));
  const box = html(
    "div",
    { class: "tl-explain-node" },
    html("div", { class: "tl-explain-node-top" }, cross, title, state),
  );
  if (fault.slot !== "") box.append(slotRow(fault, say));
  return html("div", { class: "tl-explain-node-place" }, box);
}

function slotRow(fault: Explanation, say: Say): HTMLElement {
  const row = html("div", { class: "tl-explain-slot" }, html("code", {}, fault.slot));
  if (fault.kind === "behind") {
    row.append(html("span", { class: "tl-explain-bad" }, say("explain_same_version")));
    return row;
  }
  const expected = html("span", {}, `${say("explain_expected")} `, html("b", {}, String(fault.expected)));
  const found = html(
    "span",
    { class: "tl-explain-bad" },
    `${say("explain_found")} `,
    html("b", {}, String(fault.found)),
  );
  row.append(expected, found);
  return row;
}

function fix(explanation: Explanation, say: Say, actions: { copy(text: string): void }): HTMLElement {
  const part = html("div", { class: "tl-explain-fix" }, html("h4", {}, say("explain_fix")));
  const words = html("div", { class: "tl-explain-words" });
  const { way, price } = explanation;
  if (way !== null) words.append(html("p", { class: "tl-explain-way" }, ...told(way, say)));
  if (price !== null) words.append(html("p", { class: "tl-explain-price" }, ...told(price, say)));
  if (explanation.fix_new === "") {
    if (words.childElementCount === 0) return html("div", { hidden: true });
    part.append(words);
    return part;
  }
  const copy = html("button", { type: "button", class: "tl-primary-button" }, icon("clipboard"), say("explain_copy"));
  on(copy, "click", () => {
    actions.copy(explanation.fix_new);
    copy.replaceChildren(icon("check"), say("explain_copied"));
  });
  words.append(copy);
  part.append(html("div", { class: "tl-explain-change" }, diff(explanation), words));
  return part;
}

function diff(explanation: Explanation): HTMLElement {
  const table = html("div", { class: "tl-explain-diff" });
  const rows = (text: string, sign: string, name: string): void => {
    text.split("\n").forEach((line, at) => {
      const number = html("span", { class: "tl-explain-number" }, String(explanation.fix_line + at));
      const mark = html("span", { class: "tl-explain-sign" }, sign);
      table.append(html("div", { class: name }, mark, number, html("code", {}, line)));
    });
  };
  rows(explanation.fix_old, "−", "tl-explain-old");
  rows(explanation.fix_new, "+", "tl-explain-new");
  return table;
}

function said(explanation: Explanation, say: Say): HTMLElement {
  const summary = html("summary", {}, say("explain_said"));
  return html("details", { class: "tl-explain-said" }, summary, html("code", {}, explanation.error));
}
