/** Gives a lens the keys it owns while it has focus, and leaves every other shortcut to JupyterLab. */

const SUPPRESS = "data-lm-suppress-shortcuts";

/**
 * JupyterLab looks for a shortcut from the focused element upwards and stops at one that carries the attribute.
 * Some of its selectors match the focused element itself, so that is where it must stand; and it stops every
 * binding, so it stands for one key press only.
 */
export function ownKeys(root: HTMLElement, owns: (event: KeyboardEvent) => boolean, signal: AbortSignal): void {
  const listener = (event: KeyboardEvent): void => {
    const { target } = event;
    if (!(target instanceof Element) || !root.contains(target) || !owns(event)) return;
    target.setAttribute(SUPPRESS, "");
    setTimeout(() => target.removeAttribute(SUPPRESS));
  };
  window.addEventListener("keydown", listener, { capture: true, signal });
}
