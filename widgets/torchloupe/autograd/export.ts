/** Saving the picture: what is seen as PNG, the first picture and DOT from the kernel. */

import { html } from "../core/element";
import type { Reply } from "../core/link";

export type Format = "svg" | "png" | "dot";
const TYPES: Readonly<Record<Format, string>> = { svg: "image/svg+xml", png: "image/png", dot: "text/vnd.graphviz" };

/** Lets the browser save `content` under a name made from `name`. */
function save(content: Blob, name: string, format: Format): void {
  const address = URL.createObjectURL(content);
  const link = html("a", { href: address, download: `${fileName(name)}.${format}` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address));
}

function fileName(name: string): string {
  return name.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "") || "graph";
}

/** Saves the canvas as it is seen. */
export function saveCanvas(canvas: HTMLCanvasElement, name: string): void {
  canvas.toBlob((blob) => {
    if (blob !== null) save(blob, name, "png");
  });
}

/** Saves what the kernel made, if `reply` is that; `text` of a PNG is base64. */
export function saveReply(reply: Reply, name: string): boolean {
  if (reply.type !== "export" || typeof reply.text !== "string") return false;
  const format = reply.format as Format;
  const text = reply.text;
  const content = format === "png" ? Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)) : text;
  save(new Blob([content], { type: TYPES[format] }), name, format);
  return true;
}
