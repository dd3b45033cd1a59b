import { ILabShell, ILayoutRestorer, type JupyterFrontEnd, type JupyterFrontEndPlugin } from "@jupyterlab/application";
import { IDocumentManager } from "@jupyterlab/docmanager";
import { INotebookTracker } from "@jupyterlab/notebook";
import { ITranslator, nullTranslator, type TranslationBundle } from "@jupyterlab/translation";
import { Menu } from "@lumino/widgets";
import { loupeIcon } from "../icon";
import { LanguageChoice } from "../language/choice";
import { ILanguage } from "../language/token";
import { word } from "../words";
import { CourseCommand } from "./commands";
import { Course } from "./course";
import { followFiles, followNotebooks, sectionAt } from "./follow";
import { CoursePanel } from "./panel";
import { askAndReset } from "./reset";
import { visitChapter, visitSection } from "./visit";

/** The panel at the left: chapters, progress, and where the person is. */
export const course: JupyterFrontEndPlugin<void> = {
  id: "torchloupe:course",
  description: "Lists the course's chapters with the person's progress.",
  autoStart: true,
  requires: [IDocumentManager, INotebookTracker],
  optional: [ILanguage, ITranslator, ILayoutRestorer, ILabShell],
  activate: (
    app: JupyterFrontEnd,
    documents: IDocumentManager,
    notebooks: INotebookTracker,
    language: ILanguage | null,
    translator: ITranslator | null,
    restorer: ILayoutRestorer | null,
    shell: ILabShell | null,
  ): void => {
    const spoken = language ?? new LanguageChoice((translator ?? nullTranslator).languageCode);
    const contents = app.serviceManager.contents;
    const here = new Course(notebooks, (path) => contents.localPath(path));
    const menu = new Menu({ commands: app.commands });
    const panel = new CoursePanel(here, spoken, language !== null, {
      open: ({ id }) => void app.commands.execute(CourseCommand.open, { chapter: id }),
      visit: (chapter, section) => void visitSection(documents, chapter, section, spoken.current),
      menu: ({ id }, x, y, byKey) => {
        menu.clearItems();
        menu.addItem({ command: CourseCommand.open, args: { chapter: id } });
        menu.addItem({ command: CourseCommand.reset, args: { chapter: id } });
        menu.open(x, y);
        menu.activeIndex = byKey ? 0 : -1;
      },
      activeSection: (chapter) => {
        const content = here.opened(chapter)?.content;
        return content ? sectionAt(content, chapter.sections) : -1;
      },
    });
    menu.aboutToClose.connect(() => panel.focusBody());
    followNotebooks(notebooks, panel);
    followFiles(contents, here);
    addCommands(app, documents, here, spoken, (translator ?? nullTranslator).load("torchloupe"));
    app.shell.add(panel, "left", { rank: 150, type: "Torchloupe" });
    restorer?.add(panel, panel.id);
    void greet(app, here, shell, panel.id);
  },
};

/** On a fresh start in a course folder the panel is what the person sees first. */
async function greet(app: JupyterFrontEnd, here: Course, shell: ILabShell | null, id: string): Promise<void> {
  const [layout] = await Promise.all([shell?.restored, app.restored, here.refresh()]);
  if (layout?.fresh && here.laidOut && window.innerWidth > 900) {
    shell?.activateById(id);
  }
}

function addCommands(
  app: JupyterFrontEnd,
  documents: IDocumentManager,
  here: Course,
  language: ILanguage,
  trans: TranslationBundle,
): void {
  const { commands } = app;
  const chapterOf = (id: unknown) => here.chapters.find((chapter) => chapter.id === id);
  const describedBy = {
    args: { type: "object", properties: { chapter: { type: "string" } }, required: ["chapter"] },
  };
  commands.addCommand(CourseCommand.show, {
    label: (args) => (args.isPalette ? trans.__("Show the Course") : word(language.current, "launcher.card")),
    caption: () => word(language.current, "launcher.caption"),
    icon: loupeIcon,
    execute: () => app.shell.activateById("torchloupe-course"),
    describedBy: { args: { type: "object", properties: {} } },
  });
  commands.addCommand(CourseCommand.open, {
    label: () => word(language.current, "course.open"),
    execute: async ({ chapter }) => {
      const found = chapterOf(chapter);
      if (found?.state === "missing") {
        await here.layOut();
      }
      return found && visitChapter(documents, found);
    },
    describedBy,
  });
  commands.addCommand(CourseCommand.reset, {
    label: () => word(language.current, "course.reset"),
    isEnabled: ({ chapter }) => chapterOf(chapter)?.state !== "missing",
    execute: async ({ chapter }) => {
      const found = chapterOf(chapter);
      await (found && askAndReset(here, found, language.current));
    },
    describedBy,
  });
}
