import type { JupyterFrontEnd, JupyterFrontEndPlugin } from "@jupyterlab/application";
import { ICommandPalette } from "@jupyterlab/apputils";
import { ILauncher } from "@jupyterlab/launcher";
import { ITranslator, nullTranslator } from "@jupyterlab/translation";
import { CourseCommand } from "../course/commands";
import { LanguageChoice } from "../language/choice";
import { ILanguage } from "../language/token";
import { word } from "../words";

/** The card on the launcher and the palette's entries of the course. */
export const launcher: JupyterFrontEndPlugin<void> = {
  id: "torchloupe:launcher",
  description: "Opens the course from the launcher and the command palette.",
  autoStart: true,
  optional: [ILauncher, ICommandPalette, ILanguage, ITranslator],
  activate: (
    app: JupyterFrontEnd,
    cards: ILauncher | null,
    palette: ICommandPalette | null,
    language: ILanguage | null,
    translator: ITranslator | null,
  ): void => {
    const spoken = language ?? new LanguageChoice((translator ?? nullTranslator).languageCode);
    const trans = (translator ?? nullTranslator).load("torchloupe");
    void app.started.then(() => {
      if (app.commands.hasCommand(CourseCommand.show)) {
        palette?.addItem({
          command: CourseCommand.show,
          category: trans.__("Torchloupe"),
          args: { isPalette: true },
        });
        placeCard();
      }
    });
    function placeCard(): void {
      let card = add();
      spoken.changed.connect(() => {
        card?.dispose();
        card = add();
      });
    }
    function add() {
      return cards?.add({
        command: CourseCommand.show,
        category: word(spoken.current, "launcher.category"),
        rank: 0,
      });
    }
  },
};
