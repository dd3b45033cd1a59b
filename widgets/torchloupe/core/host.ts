/** What a view asks of the page it stands in; the extension answers in JupyterLab and Notebook. */

/** The code travels in `detail`. */
const RUN_BELOW = "torchloupe-run-below";

/** Runs `code` in a new cell below the one that shows `element`; false where nobody does that. */
export function runBelow(element: HTMLElement, code: string): boolean {
  const asked = new CustomEvent(RUN_BELOW, { bubbles: true, cancelable: true, detail: code });
  return !element.dispatchEvent(asked);
}
