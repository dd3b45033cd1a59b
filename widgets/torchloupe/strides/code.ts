/** Lines of code: the one in force, with numbers to edit in place, and the ones offered. */

import { toClipboard } from "../core/clipboard";
import { html, on } from "../core/element";
import { type IconName, icon } from "../core/icon";
import type { Say } from "../core/words";
import { hueClass } from "./axis";
import type { Argument, OutcomeKind, Token } from "./state";

const ICONS: Readonly<Record<OutcomeKind, IconName>> = {
  view: "view",
  copy: "copied",
  same: "same",
  refused: "refused",
};

/** The badge that says view, copy, same or refused, by icon and word. */
export function badge(outcome: OutcomeKind, say: Say): HTMLElement {
  return html("span", { class: `tl-badge tl-${outcome}` }, icon(ICONS[outcome]), say(outcome));
}

/** A button that puts `text()` on the clipboard and says so in place. */
export function copyButton(text: () => string, label: string, done: string): HTMLButtonElement {
  const button = html("button", {
    type: "button",
    class: "tl-icon-button tl-copy-button",
    "aria-label": label,
    title: label,
  });
  button.append(icon("clipboard"));
  on(button, "click", () => {
    void toClipboard(text(), button).then(() => {
      button.replaceChildren(icon("check"), html("span", { class: "tl-copied", role: "status" }, done));
      setTimeout(() => button.replaceChildren(icon("clipboard")), 1200);
    });
  });
  return button;
}

/** A line of code that cannot be edited. */
export function codeLine(tokens: readonly Token[]): HTMLElement {
  return html("code", { class: "tl-code" }, ...tokens.map((token) => word(token)));
}

/** A line of code whose numbers can be edited: arrows step, Enter sets, Escape leaves. */
export function editableLine(
  tokens: readonly Token[],
  args: readonly Argument[],
  label: (at: number) => string,
  edit: (at: number, text: string) => void,
): HTMLElement {
  const line = html("code", { class: "tl-code" });
  for (const token of tokens) {
    const argument = args[token.argument];
    if (argument === undefined) line.append(word(token));
    else line.append(field(argument, label(token.argument), (text) => edit(token.argument, text)));
  }
  return line;
}

function word(token: Token): HTMLElement {
  return html("span", { class: token.tensor >= 0 ? `${hueClass(token.tensor)} tl-hue-text tl-bold` : "" }, token.text);
}

function field(argument: Argument, label: string, edit: (text: string) => void): HTMLInputElement {
  const input = html("input", {
    class: "tl-argument",
    value: argument.text,
    "aria-label": label,
    spellcheck: "false",
    autocomplete: "off",
  });
  const fit = (): void => {
    input.style.width = `${Math.max(1, input.value.length)}ch`;
  };
  const commit = (): void => {
    if (input.value.trim() !== argument.text) edit(input.value.trim());
  };
  fit();
  on(input, "input", fit);
  on(input, "change", commit);
  on(input, "keydown", (event) => {
    const by = STEPS[event.key];
    if (event.key === "Escape") input.value = argument.text;
    else if (event.key === "Enter") commit();
    else if (by === undefined || !/^-?\d+$/.test(input.value.trim())) return;
    else if (within(Number(input.value) + by, argument)) {
      input.value = String(Number(input.value) + by);
      commit();
    }
    fit();
    event.preventDefault();
    event.stopPropagation();
  });
  return input;
}

const STEPS: Readonly<Record<string, number>> = { ArrowUp: 1, ArrowDown: -1 };

function within(value: number, { low, high }: Argument): boolean {
  return value >= (low ?? Number.NEGATIVE_INFINITY) && value <= (high ?? Number.POSITIVE_INFINITY);
}
