/** Writing text where a person can paste it from. */

import { html } from "./element";

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
