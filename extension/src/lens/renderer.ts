import type { IRenderMime, IRenderMimeRegistry } from "@jupyterlab/rendermime";
import { type Message, MessageLoop } from "@lumino/messaging";
import { Panel, Widget } from "@lumino/widgets";
import type { Language } from "../words";
import type { KernelModels } from "./models";
import { drawPicture, RUN_CELL } from "./picture";

/** What a view hears when the kernel that made it has ended; it does not bubble. */
const KERNEL_GONE = "torchloupe-kernel-gone";

export const LENS_MIME = "application/vnd.torchloupe.lens+json";
const WIDGET_MIME = "application/vnd.jupyter.widget-view+json";

/** What a lens output needs of the notebook it belongs to. */
export interface Surroundings {
  readonly rendermime: IRenderMimeRegistry;
  readonly models: KernelModels;
  language(): Language;
  /** Run the cell that made the lens shown in `node`. */
  runCell(node: HTMLElement, model: string): void;
}

/** The output of a lens: the live widget while the kernel holds its model, else the picture beside it. */
export class LensRenderer extends Panel implements IRenderMime.IRenderer {
  private shown: IRenderMime.IMimeModel | undefined;
  private modelId = "";
  private live: Widget | undefined;
  private picture: Widget | undefined;

  constructor(private readonly around: Surroundings) {
    super();
    this.addClass("torchloupe-output");
    around.models.connected.connect(this.onConnected, this);
    this.node.addEventListener(RUN_CELL, (event) => {
      event.stopPropagation();
      around.runCell(this.node, this.modelId);
    });
  }

  async renderModel(model: IRenderMime.IMimeModel): Promise<void> {
    this.shown = model;
    const modelId = identify(model);
    if (this.isLive && modelId === this.modelId) {
      return;
    }
    this.modelId = modelId;
    this.live?.dispose();
    if (model.trusted && this.around.models.holds(modelId)) {
      await this.goLive();
    } else {
      this.showPicture();
      void this.revive();
    }
  }

  /** Tell a live lens that its kernel is gone; it keeps its picture and says so. */
  loseKernel(): void {
    for (const lens of this.node.querySelectorAll(".torchloupe-lens")) {
      lens.dispatchEvent(new CustomEvent(KERNEL_GONE));
    }
  }

  /** Word the picture anew. */
  reword(): void {
    if (this.picture) {
      this.showPicture();
    }
  }

  private get isLive(): boolean {
    return this.live instanceof Panel && this.live.widgets.length > 0;
  }

  private onConnected(): void {
    void this.revive();
  }

  /** Turn the picture into the live lens if the kernel still holds its model. */
  private async revive(): Promise<void> {
    const { modelId } = this;
    if (!this.shown?.trusted || this.live || !(await this.around.models.has(modelId))) {
      return;
    }
    if (!this.isDisposed && !this.live && modelId === this.modelId) {
      await this.goLive();
    }
  }

  private async goLive(): Promise<void> {
    const { rendermime } = this.around;
    if (!rendermime.getFactory(WIDGET_MIME)) {
      this.showPicture();
      return;
    }
    const live = rendermime.createRenderer(WIDGET_MIME);
    live.addClass("torchloupe-live");
    this.live = live;
    live.disposed.connect(() => {
      this.live = this.live === live ? undefined : this.live;
    });
    MessageLoop.installMessageHook(live, (_, message) => this.onLiveMessage(live, message));
    live.setHidden(this.picture !== undefined);
    this.insertWidget(0, live);
    const data = { [WIDGET_MIME]: { version_major: 2, version_minor: 0, model_id: this.modelId } };
    await live.renderModel(rendermime.createModel({ data, trusted: true }));
    // The widget manager may still be restoring: then the view comes later, as a child.
    if (this.live === live && !this.isLive) {
      live.hide();
      this.showPicture();
    }
  }

  private onLiveMessage(live: Widget, message: Message): boolean {
    if (this.live === live && !this.isDisposed) {
      if (message.type === "child-added") {
        live.show();
        this.picture?.dispose();
        this.picture = undefined;
      } else if (message.type === "child-removed" && !live.isDisposed) {
        this.live = undefined;
        live.hide();
        this.showPicture();
      }
    }
    return true;
  }

  private showPicture(): void {
    this.picture?.dispose();
    if (this.shown) {
      this.picture = new Widget({ node: drawPicture(this.shown, this.around.language()) });
      this.addWidget(this.picture);
    }
  }
}

function identify(model: IRenderMime.IMimeModel): string {
  const ours = model.data[LENS_MIME];
  const id = typeof ours === "object" && ours !== null && "model_id" in ours ? ours.model_id : undefined;
  return typeof id === "string" ? id : "";
}
