import type { Cell } from "@jupyterlab/cells";
import type { Notebook } from "@jupyterlab/notebook";

/** Where a person is reading: a cell and its distance from the top of the notebook's window, in pixels. */
export interface Place {
  cell: Cell;
  top: number;
}

/** The topmost cell that is in view. */
export function placeOf(notebook: Notebook): Place | undefined {
  for (const cell of notebook.widgets) {
    if (!cell.isHidden && cell.node.isConnected) {
      const { top, bottom } = distance(notebook, cell);
      if (bottom > 0) {
        return { cell, top };
      }
    }
  }
  return undefined;
}

/** Bring the notebook back to a place, also when cells above it get their real height only now. */
export async function returnTo(notebook: Notebook, { cell, top }: Place): Promise<void> {
  if (!cell.node.isConnected) {
    await notebook.scrollToItem(notebook.widgets.indexOf(cell), "start").catch(() => undefined);
  }
  for (let frame = 0; frame < SETTLING_FRAMES && !notebook.isDisposed && cell.node.isConnected; frame++) {
    notebook.outerNode.scrollTop += distance(notebook, cell).top - top;
    await new Promise(requestAnimationFrame);
  }
}

const SETTLING_FRAMES = 4;

function distance(notebook: Notebook, cell: Cell): { top: number; bottom: number } {
  const window = notebook.outerNode.getBoundingClientRect();
  const { top, bottom } = cell.node.getBoundingClientRect();
  return { top: top - window.top, bottom: bottom - window.top };
}
