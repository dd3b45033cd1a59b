import type { NotebookPanel } from "@jupyterlab/notebook";
import { loupeIcon } from "../icon";
import type { Chapter } from "./chapter";

/** Name a chapter's tab after its folder: every chapter's file is called `chapter.ipynb`. */
export function nameTab(panel: NotebookPanel, chapter: Chapter): void {
  const label = `${chapter.id} / ${chapter.path.split("/").at(-1) ?? ""}`;
  if (panel.title.label !== label) {
    panel.title.label = label;
    panel.title.icon = loupeIcon;
  }
}
