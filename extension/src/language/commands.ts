import type { ICommandPalette } from "@jupyterlab/apputils";
import type { ITranslator } from "@jupyterlab/translation";
import type { CommandRegistry } from "@lumino/commands";
import type { ILanguage, LanguageSetting } from "./token";

/** Ids of the commands that choose the language; `set` takes `{ language: "auto" | "en" | "zh-CN" }`. */
export const LanguageCommand = { set: "torchloupe:set-language", toggle: "torchloupe:toggle-language" } as const;

const SETTINGS: LanguageSetting[] = ["auto", "en", "zh-CN"];

export function addLanguageCommands(
  commands: CommandRegistry,
  language: ILanguage,
  translator: ITranslator,
  palette: ICommandPalette | null,
): void {
  const trans = translator.load("torchloupe");
  const names: Record<LanguageSetting, string> = {
    auto: trans.__("Course Language: Same as JupyterLab"),
    en: trans.__("Course Language: English"),
    "zh-CN": trans.__("Course Language: 中文"),
  };
  commands.addCommand(LanguageCommand.set, {
    label: (args) => names[setting(args.language)],
    caption: trans.__("The language of chapters, lenses and the course panel"),
    isToggled: (args) => language.setting === args.language,
    execute: (args) => language.set(setting(args.language)),
    describedBy: {
      args: { type: "object", properties: { language: { type: "string", enum: SETTINGS } }, required: ["language"] },
    },
  });
  commands.addCommand(LanguageCommand.toggle, {
    label: trans.__("Switch the Course Between English and 中文"),
    caption: trans.__("The language of chapters, lenses and the course panel"),
    execute: () => language.set(language.current === "en" ? "zh-CN" : "en"),
    describedBy: { args: { type: "object", properties: {} } },
  });
  language.changed.connect(() => commands.notifyCommandChanged(LanguageCommand.set));
  const category = trans.__("Torchloupe");
  palette?.addItem({ command: LanguageCommand.toggle, category });
  for (const choice of SETTINGS) {
    palette?.addItem({ command: LanguageCommand.set, category, args: { language: choice } });
  }
}

function setting(asked: unknown): LanguageSetting {
  return SETTINGS.find((known) => known === asked) ?? "auto";
}
