import type { INotebookTracker, NotebookPanel } from "@jupyterlab/notebook";
import { loupeIcon } from "../icon";
import type { Course } from "./course";

/** Name the tabs of open chapters after their folders: every chapter's file is called `chapter.ipynb`. */
export function nameTabs(course: Course, notebooks: INotebookTracker): void {
  const name = (panel: NotebookPanel) => {
    const chapter = course.chapters.find((candidate) => course.opened(candidate) === panel);
    const label = chapter && `${chapter.id} / ${chapter.path.split("/").at(-1) ?? ""}`;
    if (label && panel.title.label !== label) {
      panel.title.label = label;
      panel.title.icon = loupeIcon;
    }
  };
  // JupyterLab writes the file's name again when it was read or saved.
  const follow = (panel: NotebookPanel) => {
    name(panel);
    panel.title.changed.connect(() => name(panel));
  };
  notebooks.forEach(follow);
  notebooks.widgetAdded.connect((_, panel) => follow(panel));
  course.changed.connect(() => notebooks.forEach(name));
}
