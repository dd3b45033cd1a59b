/** Gives a lens the keys it owns while it has focus, and leaves every other shortcut to JupyterLab. */

const SUPPRESS = "lmSuppressShortcuts";

/**
 * JupyterLab's shortcuts listen on the document in the capture phase and skip elements that carry
 * `data-lm-suppress-shortcuts`; the attribute stops every binding, so it is set for one key press only.
 */
export function ownKeys(root: HTMLElement, owns: (event: KeyboardEvent) => boolean, signal: AbortSignal): void {
  const listener = (event: KeyboardEvent): void => {
    if (!(event.target instanceof Node) || !root.contains(event.target) || !owns(event)) return;
    root.dataset[SUPPRESS] = "true";
    queueMicrotask(() => setTimeout(() => delete root.dataset[SUPPRESS]));
  };
  window.addEventListener("keydown", listener, { capture: true, signal });
}
