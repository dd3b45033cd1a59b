import { Dialog, Notification, showDialog, showErrorMessage } from "@jupyterlab/apputils";
import { type Language, word } from "../words";
import type { Chapter } from "./chapter";
import { COURSE_FOLDER, type Course } from "./course";
import { resetChapter } from "./server";

/** Ask, keep the person's copy aside, put the shipped chapter back and show it where it is open. */
export async function askAndReset(course: Course, chapter: Chapter, language: Language): Promise<void> {
  const title = chapter.title[language];
  const context = course.opened(chapter)?.context;
  if (!(await confirmed(chapter, language, context?.model.dirty ?? false))) {
    return;
  }
  try {
    if (context?.model.dirty) {
      await context.save();
    }
    const { aside } = await resetChapter(COURSE_FOLDER, chapter.id);
    await context?.revert();
    const told =
      aside === null
        ? word(language, "course.reset-same", { title })
        : word(language, "course.reset-was", { title, aside });
    Notification.success(told, { autoClose: 8000 });
  } catch (error) {
    await showErrorMessage(word(language, "course.failed-reset"), error instanceof Error ? error : String(error));
  }
  await course.refresh();
}

async function confirmed(chapter: Chapter, language: Language, unsaved: boolean): Promise<boolean> {
  const told = word(language, "course.reset-told");
  const { button } = await showDialog({
    title: word(language, "course.reset-ask", { title: chapter.title[language] }),
    body: unsaved ? `${told} ${word(language, "course.reset-unsaved")}` : told,
    buttons: [
      Dialog.cancelButton({ label: word(language, "course.reset-cancel") }),
      Dialog.warnButton({ label: word(language, "course.reset-do") }),
    ],
    defaultButton: 0,
  });
  return button.accept;
}
