import { type Cell, CodeCell } from "@jupyterlab/cells";
import { type Notebook, NotebookActions, type NotebookPanel } from "@jupyterlab/notebook";
import { LENS_MIME } from "./renderer";

/** Run the cell that `node` stands in, or, for a view elsewhere, the one whose output made `model`. */
export function runOwningCell(panel: NotebookPanel, node: Node, model = ""): void {
  const cell = owningCell(panel.content, node, model);
  if (cell) {
    void NotebookActions.runCells(panel.content, [cell], panel.sessionContext);
  }
}

/** Run `code` in a cell below the one that `node` stands in; false when it stands in none. */
export function runBelow(panel: NotebookPanel, node: Node, code: string): boolean {
  const { content: notebook, sessionContext } = panel;
  const above = notebook.widgets.findIndex((cell) => cell.node.contains(node));
  if (above < 0 || notebook.model === null) {
    return false;
  }
  // Asked a second time, the line that stands there already is run again.
  if (notebook.widgets[above + 1]?.model.sharedModel.getSource() !== code) {
    notebook.model.sharedModel.insertCell(above + 1, { cell_type: "code", source: code });
  }
  const below = notebook.widgets[above + 1];
  if (below === undefined) {
    return false;
  }
  notebook.activeCellIndex = above + 1;
  void NotebookActions.runCells(notebook, [below], sessionContext);
  return true;
}

function owningCell(notebook: Notebook, node: Node, model: string): Cell | undefined {
  return (
    notebook.widgets.find((cell) => cell.node.contains(node)) ??
    notebook.widgets.find((cell) => cell instanceof CodeCell && made(cell, model))
  );
}

function made(cell: CodeCell, model: string): boolean {
  const { outputs } = cell.model;
  for (let index = 0; index < outputs.length; index++) {
    const ours = outputs.get(index).data[LENS_MIME];
    if (typeof ours === "object" && ours !== null && "model_id" in ours && ours.model_id === model) {
      return true;
    }
  }
  return false;
}
