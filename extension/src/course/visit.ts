import type { IDocumentManager } from "@jupyterlab/docmanager";
import { NotebookPanel } from "@jupyterlab/notebook";
import { returnTo } from "../place";
import type { Language } from "../words";
import type { Chapter, Section } from "./chapter";

/** Open a chapter's notebook, or bring it to the front. */
export async function visitChapter(documents: IDocumentManager, chapter: Chapter): Promise<NotebookPanel | undefined> {
  const panel = documents.openOrReveal(chapter.path);
  if (!(panel instanceof NotebookPanel)) {
    return undefined;
  }
  await panel.revealed;
  return panel;
}

/** Open a chapter at the heading of one of its sections. */
export async function visitSection(
  documents: IDocumentManager,
  chapter: Chapter,
  section: Section,
  language: Language,
): Promise<void> {
  const panel = await visitChapter(documents, chapter);
  const { content } = panel ?? {};
  const cell = content?.widgets.find(({ model }) => model.id === section.cells[language]);
  if (content && cell) {
    const index = content.widgets.indexOf(cell);
    content.mode = "command";
    content.activeCellIndex = index;
    content.deselectAll();
    await content.scrollToItem(index, "start");
    await returnTo(content, { cell, top: 0 });
    cell.node.focus({ preventScroll: true });
  }
}
