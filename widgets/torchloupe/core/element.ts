/** Builds elements. Strings always become text nodes, never markup. */

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;
type Child = Node | string | undefined;

const SVG = "http://www.w3.org/2000/svg";

function fill<E extends Element>(element: E, attributes: Attributes, children: readonly Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child !== undefined) element.append(child);
  return element;
}

/** An HTML element with attributes and children; an undefined or false attribute is left out. */
export function html<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children);
}

/** An SVG element with attributes and children. */
export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** A line of SVG text with its baseline at `y`. */
export function caption(x: number, y: number, name: string, words: string): SVGTextElement {
  return svg("text", { x, y, class: name }, words);
}

/** Listens on an element. */
export function on<K extends keyof HTMLElementEventMap>(
  target: HTMLElement | SVGElement,
  type: K,
  listener: (event: HTMLElementEventMap[K]) => void,
  options?: AddEventListenerOptions,
): void {
  target.addEventListener(type, listener as EventListener, options);
}

/** The nearest element at or around an event's target that matches, or null. */
export function nearest(target: EventTarget | null, selector: string): SVGElement | HTMLElement | null {
  return target instanceof Element ? target.closest<SVGElement | HTMLElement>(selector) : null;
}
