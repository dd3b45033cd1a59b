import type { ISessionContext } from "@jupyterlab/apputils";
import type { Kernel } from "@jupyterlab/services";
import type { IDisposable } from "@lumino/disposable";
import { Signal } from "@lumino/signaling";

/** Which widget models the kernel of one notebook holds. */
export class KernelModels implements IDisposable {
  /** Emitted when a kernel was connected, so that models may have come or gone. */
  readonly connected = new Signal<this, void>(this);
  isDisposed = false;
  private asked: { kernel: Kernel.IKernelConnection; answer: Promise<ReadonlySet<string>> } | undefined;

  constructor(private readonly session: ISessionContext) {
    session.connectionStatusChanged.connect(this.onConnection, this);
  }

  dispose(): void {
    this.isDisposed = true;
    Signal.clearData(this);
  }

  /** Whether the page is already in touch with the model; true for what a cell has just made. */
  holds(model: string): boolean {
    return this.kernel?.hasComm(model) ?? false;
  }

  /** Ask the kernel whether it holds the model; false when there is none to ask. */
  async has(model: string): Promise<boolean> {
    await this.session.ready;
    const kernel = this.kernel;
    if (!kernel) {
      return false;
    }
    return kernel.hasComm(model) || (await this.ask(kernel)).has(model);
  }

  private get kernel(): Kernel.IKernelConnection | undefined {
    return this.session.session?.kernel ?? undefined;
  }

  /** One question at a time serves all lenses of a notebook. */
  private ask(kernel: Kernel.IKernelConnection): Promise<ReadonlySet<string>> {
    if (this.asked?.kernel !== kernel) {
      const forget = () => {
        this.asked = undefined;
      };
      const answer = held(kernel);
      this.asked = { kernel, answer };
      void answer.then(forget, forget);
    }
    return this.asked?.answer ?? held(kernel);
  }

  private onConnection(_: ISessionContext, status: Kernel.ConnectionStatus): void {
    if (status === "connected") {
      this.connected.emit();
    }
  }
}

async function held(kernel: Kernel.IKernelConnection): Promise<ReadonlySet<string>> {
  try {
    const { content } = await kernel.requestCommInfo({ target_name: "jupyter.widget" });
    return new Set(content.status === "ok" ? Object.keys(content.comms) : []);
  } catch {
    return new Set(); // The kernel died before it could answer.
  }
}
