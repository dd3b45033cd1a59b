import type { JupyterFrontEnd, JupyterFrontEndPlugin } from "@jupyterlab/application";
import { INotebookTracker, type NotebookPanel } from "@jupyterlab/notebook";
import type { Kernel } from "@jupyterlab/services";
import { ITranslator, nullTranslator } from "@jupyterlab/translation";
import { DisposableDelegate, type IDisposable } from "@lumino/disposable";
import { LanguageChoice } from "../language/choice";
import { ILanguage } from "../language/token";
import { KernelModels } from "./models";
import { RUN_CELL } from "./picture";
import { LENS_MIME, LensRenderer } from "./renderer";
import { runBelow, runOwningCell } from "./rerun";

/** States of a kernel after which none of its objects live. */
const ENDED: ReadonlySet<Kernel.Status> = new Set(["restarting", "autorestarting", "terminating", "dead"]);

/** A lens asks for code to be run below its cell. It bubbles; whoever runs it prevents the default. */
const RUN_BELOW = "torchloupe-run-below";

// The widget manager stands at -10; the lowest rank is asked first.
const BEFORE_WIDGETS = -20;

/** Shows a lens live while its model lives, and as a picture after that. */
export const lens: JupyterFrontEndPlugin<void> = {
  id: "torchloupe:lens",
  description: "Shows lenses live, or as their picture when the kernel that made them is gone.",
  autoStart: true,
  requires: [INotebookTracker],
  optional: [ILanguage, ITranslator],
  activate: (
    app: JupyterFrontEnd,
    notebooks: INotebookTracker,
    language: ILanguage | null,
    translator: ITranslator | null,
  ): void => {
    const spoken = language ?? new LanguageChoice((translator ?? nullTranslator).languageCode);
    const served = new WeakSet<NotebookPanel>();
    const createNew = (panel: NotebookPanel): IDisposable | undefined => {
      if (served.has(panel)) {
        return undefined;
      }
      served.add(panel);
      return serve(panel, spoken);
    };
    app.docRegistry.addWidgetExtension("Notebook", { createNew });
    notebooks.forEach(createNew);
  },
};

function serve(panel: NotebookPanel, language: ILanguage): IDisposable {
  const { rendermime } = panel.content;
  const models = new KernelModels(panel.sessionContext);
  const open = new Set<LensRenderer>();
  const reword = () => {
    for (const renderer of open) {
      renderer.reword();
    }
  };
  const loseKernel = () => {
    for (const renderer of open) {
      renderer.loseKernel();
    }
  };
  language.changed.connect(reword);
  panel.sessionContext.kernelChanged.connect(loseKernel);
  panel.sessionContext.statusChanged.connect((_, status) => ENDED.has(status) && loseKernel());
  // A lens inside another widget has no renderer of ours around it.
  panel.node.addEventListener(RUN_CELL, ({ target }) => target instanceof Node && runOwningCell(panel, target));
  panel.node.addEventListener(RUN_BELOW, (event) => {
    const { target } = event;
    const lens = target instanceof Element ? target.closest(".torchloupe-lens") : null;
    if (lens && event instanceof CustomEvent && runBelow(panel, lens, String(event.detail))) {
      event.preventDefault();
    }
  });
  const createRenderer = () => {
    const renderer = new LensRenderer({
      rendermime,
      models,
      language: () => language.current,
      runCell: (node, model) => runOwningCell(panel, node, model),
    });
    open.add(renderer);
    renderer.disposed.connect(() => open.delete(renderer));
    return renderer;
  };
  rendermime.addFactory({ safe: true, mimeTypes: [LENS_MIME], createRenderer }, BEFORE_WIDGETS);
  return new DisposableDelegate(() => {
    language.changed.disconnect(reword);
    models.dispose();
  });
}
