import type { JupyterFrontEnd, JupyterFrontEndPlugin } from "@jupyterlab/application";
import { ICommandPalette } from "@jupyterlab/apputils";
import { ISearchProviderRegistry } from "@jupyterlab/documentsearch";
import { INotebookTracker, type NotebookPanel, NotebookToCModel } from "@jupyterlab/notebook";
import { ISettingRegistry } from "@jupyterlab/settingregistry";
import { ITableOfContentsTracker } from "@jupyterlab/toc";
import { ITranslator, nullTranslator } from "@jupyterlab/translation";
import { BilingualNotebook } from "./bilingual";
import { LanguageChoice } from "./choice";
import { addLanguageCommands } from "./commands";
import { bilingualSearch } from "./search";
import { ILanguage, type LanguageSetting } from "./token";
import { veilChanged } from "./veil";

const ID = "torchloupe:language";

/** Shows chapters in the chosen language, and tells the page which one it is. */
export const language: JupyterFrontEndPlugin<ILanguage> = {
  id: ID,
  description: "Shows bilingual notebooks in one language and tells every lens which.",
  autoStart: true,
  provides: ILanguage,
  optional: [
    ISettingRegistry,
    ITranslator,
    INotebookTracker,
    ITableOfContentsTracker,
    ISearchProviderRegistry,
    ICommandPalette,
  ],
  activate: (
    app: JupyterFrontEnd,
    settings: ISettingRegistry | null,
    translator: ITranslator | null,
    notebooks: INotebookTracker | null,
    contents: ITableOfContentsTracker | null,
    search: ISearchProviderRegistry | null,
    palette: ICommandPalette | null,
  ): ILanguage => {
    const choice = new LanguageChoice((translator ?? nullTranslator).languageCode, async (setting) => {
      await settings?.set(ID, "language", setting);
    });
    publish(choice);
    choice.changed.connect(() => publish(choice));
    void follow(choice, settings);
    addLanguageCommands(app.commands, choice, translator ?? nullTranslator, palette);
    if (notebooks) {
      turnNotebooks(app, choice, notebooks);
      veilChanged.connect((_, notebook) => {
        const panel = notebooks.find((candidate) => candidate.content === notebook);
        const model = panel && contents?.get(panel);
        void (model instanceof NotebookToCModel && model.refresh());
      });
    }
    if (search) {
      // The first provider that fits a document serves it, so ours takes the place of JupyterLab's own.
      void app.started.then(() => search.add("jp-notebookSearchProvider", bilingualSearch));
    }
    return choice;
  },
};

function publish(language: ILanguage): void {
  document.documentElement.dataset.torchloupeLang = language.current;
  window.dispatchEvent(new CustomEvent("torchloupe-language", { detail: { language: language.current } }));
}

async function follow(choice: LanguageChoice, registry: ISettingRegistry | null): Promise<void> {
  const settings = await registry?.load(ID);
  const read = () => choice.adopt(settings?.get("language").composite as LanguageSetting);
  if (settings) {
    read();
    settings.changed.connect(read);
  }
}

function turnNotebooks(app: JupyterFrontEnd, choice: ILanguage, notebooks: INotebookTracker): void {
  const turned = new WeakSet<NotebookPanel>();
  const createNew = (panel: NotebookPanel): BilingualNotebook | undefined => {
    if (turned.has(panel)) {
      return undefined;
    }
    turned.add(panel);
    return new BilingualNotebook(panel, choice);
  };
  app.docRegistry.addWidgetExtension("Notebook", { createNew });
  notebooks.forEach(createNew);
}
