import type { Cell, ICellModel } from "@jupyterlab/cells";
import { MarkdownCell } from "@jupyterlab/cells";
import { type Notebook, NotebookActions, type NotebookPanel } from "@jupyterlab/notebook";
import type { IDisposable } from "@lumino/disposable";
import { Signal } from "@lumino/signaling";
import { placeOf, returnTo } from "../place";
import type { ILanguage } from "./token";
import { isVeiled, languageOf, pairOf, unveil, veil, veilChanged } from "./veil";

/** Keeps one open notebook in the chosen language. */
export class BilingualNotebook implements IDisposable {
  private readonly notebook: Notebook;
  private readonly watched = new WeakSet<ICellModel>();
  private active = -1;
  isDisposed = false;

  constructor(
    panel: NotebookPanel,
    private readonly language: ILanguage,
  ) {
    this.notebook = panel.content;
    this.notebook.modelChanged.connect(this.onModelChanged, this);
    this.notebook.activeCellChanged.connect(this.onActiveCellChanged, this);
    this.notebook.stateChanged.connect(this.apply, this);
    this.notebook.disposed.connect(this.dispose, this);
    language.changed.connect(this.onLanguageChanged, this);
    this.onModelChanged();
    void panel.context.ready.then(() => this.apply());
  }

  dispose(): void {
    if (!this.isDisposed) {
      this.isDisposed = true;
      Signal.clearData(this);
    }
  }

  private onModelChanged(): void {
    this.notebook.model?.cells.changed.connect(this.onCellsChanged, this);
    this.onCellsChanged();
  }

  private onCellsChanged(): void {
    for (const cell of this.notebook.widgets) {
      if (!this.watched.has(cell.model)) {
        this.watched.add(cell.model);
        cell.model.metadataChanged.connect(this.apply, this);
      }
    }
    this.apply();
  }

  private onLanguageChanged(): void {
    const place = placeOf(this.notebook);
    this.apply();
    if (place) {
      const pair = isVeiled(place.cell) ? this.counterpart(place.cell) : undefined;
      const cell = this.notebook.widgets[pair ?? -1] ?? place.cell;
      void returnTo(this.notebook, { cell, top: place.top });
    }
  }

  private apply(): void {
    if (this.isDisposed || this.notebook.isDisposed) {
      return;
    }
    const turned = this.notebook.widgets.filter((cell) => this.isForeign(cell) !== isVeiled(cell));
    if (turned.length === 0) {
      return;
    }
    for (const cell of turned) {
      isVeiled(cell) ? unveil(cell) : veil(cell);
    }
    this.leaveVeiledCell();
    void this.collapseAgain();
    veilChanged.emit(this.notebook);
  }

  private isForeign(cell: Cell): boolean {
    const language = languageOf(cell);
    if (language === undefined || language === this.language.current) {
      return false;
    }
    return !(cell === this.notebook.activeCell && this.notebook.mode === "edit");
  }

  private onActiveCellChanged(): void {
    this.apply();
    this.leaveVeiledCell();
    this.active = this.notebook.activeCellIndex;
  }

  private leaveVeiledCell(): void {
    const { activeCell, activeCellIndex } = this.notebook;
    if (activeCell && isVeiled(activeCell)) {
      const next = this.seat(activeCell, activeCellIndex);
      if (next !== undefined) {
        this.notebook.activeCellIndex = next;
      }
    }
  }

  /** Where to go from a veiled cell: on in the direction of a step, else to its counterpart, else to the nearest. */
  private seat(cell: Cell, index: number): number | undefined {
    const step = index - this.active;
    const below = this.visible(index, 1);
    const above = this.visible(index, -1);
    if (step === 1) {
      return below ?? above;
    }
    if (step === -1) {
      return above ?? below;
    }
    return this.counterpart(cell) ?? below ?? above;
  }

  private counterpart(cell: Cell): number | undefined {
    const pair = pairOf(cell);
    const found = this.notebook.widgets.findIndex((other) => !isVeiled(other) && pairOf(other) === pair);
    return pair === undefined || found < 0 ? undefined : found;
  }

  private visible(from: number, step: 1 | -1): number | undefined {
    for (let index = from + step; ; index += step) {
      const cell = this.notebook.widgets[index];
      if (!cell?.isHidden) {
        return cell && index;
      }
    }
  }

  /** Unveiled cells came back whole: hide again what a collapsed heading of this language covers. */
  private async collapseAgain(): Promise<void> {
    const { widgets } = this.notebook;
    const collapsed = widgets.filter(
      (cell): cell is MarkdownCell => cell instanceof MarkdownCell && cell.headingCollapsed,
    );
    if (collapsed.length === 0) {
      return;
    }
    await Promise.all(widgets.map((cell) => cell.getHeadings()));
    if (this.isDisposed || this.notebook.isDisposed) {
      return;
    }
    for (const cell of this.notebook.widgets) {
      cell.setHidden(false);
    }
    for (const cell of collapsed) {
      NotebookActions.setHeadingCollapse(cell, cell.headingCollapsed, this.notebook);
    }
  }
}
