import type { IRenderMime } from "@jupyterlab/rendermime";
import { type Language, word } from "../words";

/** What a view or a picture asks of the notebook it stands in: run the cell that made it. It bubbles. */
export const RUN_CELL = "torchloupe-run-cell";

/** Draw the static picture of an output bundle, with a way to make it live again. */
export function drawPicture(model: IRenderMime.IMimeModel, language: Language): HTMLElement {
  const text = read(model, "text/plain");
  const figure = document.createElement("figure");
  figure.className = "torchloupe-picture";
  figure.append(showFirst(sources(model), text), wayBack(language));
  return figure;
}

function wayBack(language: Language): HTMLElement {
  const caption = document.createElement("figcaption");
  const told = document.createElement("span");
  told.textContent = word(language, "lens.run-again");
  const run = document.createElement("button");
  run.type = "button";
  run.className = "torchloupe-button";
  run.textContent = word(language, "lens.run");
  run.addEventListener("click", () => run.dispatchEvent(new CustomEvent(RUN_CELL, { bubbles: true })));
  caption.append(told, run);
  return caption;
}

/** As an image no SVG can run a script or load anything, so this is safe in an untrusted notebook too. */
function sources(model: IRenderMime.IMimeModel): string[] {
  const svg = read(model, "image/svg+xml");
  const png = read(model, "image/png").replace(/\s/g, "");
  return [
    ...(svg ? [`data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`] : []),
    ...(png ? [`data:image/png;base64,${png}`] : []),
  ];
}

/** The first source that the browser can show, and the text when it can show none. */
function showFirst(sources: string[], text: string): HTMLElement {
  const [source, ...rest] = sources;
  if (source === undefined) {
    const plain = document.createElement("pre");
    plain.textContent = text;
    return plain;
  }
  const image = document.createElement("img");
  image.alt = text;
  image.addEventListener("error", () => image.replaceWith(showFirst(rest, text)), { once: true });
  image.src = source;
  return image;
}

function read(model: IRenderMime.IMimeModel, mime: string): string {
  const value = model.data[mime];
  return Array.isArray(value) ? value.join("") : typeof value === "string" ? value : "";
}
