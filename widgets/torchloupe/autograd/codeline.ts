/** The person's code, large, with what runs next underlined. */

import { html } from "../core/element";
import type { CodeLine } from "./state";

const LETTER = /[\p{L}\p{N}_]/u;

/** Every place of `fragment` in `text` that is not a part of a longer name. */
export function places(text: string, fragment: string): number[] {
  const found: number[] = [];
  if (fragment === "") return found;
  for (let at = text.indexOf(fragment); at >= 0; at = text.indexOf(fragment, at + fragment.length)) {
    const before = text[at - 1] ?? "";
    const after = text[at + fragment.length] ?? "";
    const cut = (one: string, other: string): boolean => LETTER.test(one) && LETTER.test(other);
    if (!cut(before, fragment[0] ?? "") && !cut(fragment.at(-1) ?? "", after)) found.push(at);
  }
  return found;
}

/** `text` with `fragment` marked; every place when `all`, else the first. */
export function marked(text: string, fragment: string, all = false): HTMLElement {
  const line = html("code", { class: "tl-code" });
  const starts = places(text, fragment);
  let from = 0;
  for (const at of all ? starts : starts.slice(0, 1)) {
    line.append(text.slice(from, at), html("mark", {}, fragment));
    from = at + fragment.length;
  }
  line.append(text.slice(from));
  return line;
}

/** What is marked: the code that made a node, or every use of a leaf. */
export interface Marked {
  readonly fragment: string;
  readonly everywhere: boolean;
}

/** The lines, if they are few; undefined when there are none. */
export function codeBlock(lines: readonly CodeLine[], mark: Marked | undefined): HTMLElement | undefined {
  if (lines.length === 0) return undefined;
  const block = html("div", { class: lines.length === 1 ? "tl-line tl-alone" : "tl-line" });
  const first = lines.find(({ text }) => mark !== undefined && places(text, mark.fragment).length > 0);
  for (const line of lines) {
    const wanted = mark !== undefined && (mark.everywhere || line === first) ? mark.fragment : "";
    const text = marked(line.text.trimEnd(), wanted, mark?.everywhere);
    if (lines.length > 1)
      block.append(html("span", { class: "tl-number", "aria-hidden": "true" }, String(line.number)));
    block.append(text);
  }
  return block;
}
