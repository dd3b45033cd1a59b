import type { INotebookTracker, Notebook } from "@jupyterlab/notebook";
import { NotebookActions, type NotebookPanel } from "@jupyterlab/notebook";
import type { Contents } from "@jupyterlab/services";
import type { Widget } from "@lumino/widgets";
import type { Section } from "./chapter";
import type { Course } from "./course";

/** Redraw the panel when something that it shows moves in a notebook. */
export function followNotebooks(notebooks: INotebookTracker, panel: Widget): void {
  const redraw = () => panel.update();
  const follow = (opened: NotebookPanel) => {
    opened.content.model?.cells.changed.connect(redraw);
    opened.context.pathChanged.connect(redraw);
    void opened.context.ready.then(redraw);
    opened.disposed.connect(redraw);
  };
  notebooks.forEach(follow);
  notebooks.widgetAdded.connect((_, opened) => follow(opened));
  notebooks.currentChanged.connect(redraw);
  notebooks.activeCellChanged.connect(redraw);
  NotebookActions.executed.connect(redraw);
  NotebookActions.outputCleared.connect(redraw);
}

/** Read the course again when one of its files was saved, renamed or deleted. */
export function followFiles(contents: Contents.IManager, course: Course): void {
  contents.fileChanged.connect((_, { oldValue, newValue }) => {
    const paths = course.chapters.map(({ path }) => path);
    if ([oldValue?.path, newValue?.path].some((path) => path && paths.includes(contents.localPath(path)))) {
      void course.refresh();
    }
  });
}

/** Index of the section that the notebook's active cell stands in, or -1 above the first. */
export function sectionAt(notebook: Notebook, sections: readonly Section[]): number {
  const starts = new Map(sections.flatMap(({ cells }, index) => Object.values(cells).map((id) => [id, index])));
  for (let index = notebook.activeCellIndex; index >= 0; index--) {
    const found = starts.get(notebook.widgets[index]?.model.id ?? "");
    if (found !== undefined) {
      return found;
    }
  }
  return -1;
}
