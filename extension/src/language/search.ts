import type { CellSearchProvider } from "@jupyterlab/cells";
import type { IFilters, ISearchProviderFactory } from "@jupyterlab/documentsearch";
import { NotebookPanel, NotebookSearchProvider } from "@jupyterlab/notebook";
import type { ITranslator } from "@jupyterlab/translation";
import type { Widget } from "@lumino/widgets";
import { isVeiled, veilChanged } from "./veil";

/** Serves notebooks with a search that respects the language. */
export const bilingualSearch: ISearchProviderFactory = {
  isApplicable: (domain: Widget): domain is NotebookPanel => domain instanceof NotebookPanel,
  createNew: (domain, translator) => new BilingualSearchProvider(domain as NotebookPanel, translator),
};

/** Find in a notebook, but only in the cells of the language being read. */
class BilingualSearchProvider extends NotebookSearchProvider {
  constructor(panel: NotebookPanel, translator?: ITranslator) {
    super(panel, translator);
    veilChanged.connect(this.onVeilChanged, this);
  }

  override async startQuery(query: RegExp, filters: IFilters | undefined): Promise<void> {
    await super.startQuery(query, filters);
    this.selection = filters?.selection === true;
    await this.skipVeiled();
  }

  override dispose(): void {
    veilChanged.disconnect(this.onVeilChanged, this);
    super.dispose();
  }

  private selection = false;

  private onVeilChanged(_: object, notebook: unknown): void {
    if (notebook === this.widget?.content) {
      void this.skipVeiled();
    }
  }

  private async skipVeiled(): Promise<void> {
    // biome-ignore lint/complexity/useLiteralKeys: JupyterLab offers no other way to the search of one cell.
    const searches: (CellSearchProvider | undefined)[] = this["_searchProviders"];
    const content = this.widget?.content;
    if (!content) {
      return;
    }
    await Promise.all(
      content.widgets.map((cell, index) =>
        searches[index]?.setIsActive(!isVeiled(cell) && (!this.selection || content.isSelectedOrActive(cell))),
      ),
    );
    if ((this.matchesCount ?? 0) > 0 && this.currentMatchIndex === null) {
      await this.highlightNext(true, { from: "selection-start", scroll: false, select: false });
    }
    this._stateChanged.emit();
  }
}
