/** A button that copies text. */

import { toClipboard } from "../core/clipboard";
import { html, on } from "../core/element";
import { icon } from "../core/icon";

const SAID_MS = 1200;

/** A button that puts `text` on the clipboard and says so in place. */
export function copyButton(text: string, label: string, done: string): HTMLButtonElement {
  const button = html(
    "button",
    { type: "button", class: "tl-icon-button", "aria-label": label, title: label },
    icon("clipboard"),
  );
  on(button, "click", () => {
    void toClipboard(text, button).then(() => {
      button.replaceChildren(icon("check"), html("span", { class: "tl-copied", role: "status" }, done));
      setTimeout(() => button.replaceChildren(icon("clipboard")), SAID_MS);
    });
  });
  return button;
}
