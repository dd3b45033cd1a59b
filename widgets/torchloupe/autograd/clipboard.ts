/** A button that copies text. */

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

/** The clipboard, or a selection where the page may not use it (plain http). */
export async function toClipboard(text: string, near: HTMLElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = html("textarea", { class: "tl-speech", readonly: true });
    area.value = text;
    near.after(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}
