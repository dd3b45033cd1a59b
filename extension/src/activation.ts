import type { JupyterFrontEndPlugin } from "@jupyterlab/application";

const TOTAL = "torchloupe:activate";

let total = 0;
let first: number | undefined;

/** Let `performance` tell what activating a plugin costs: one measure each and their sum, `torchloupe:activate`. */
export function timed<T>(plugin: JupyterFrontEndPlugin<T>): JupyterFrontEndPlugin<T> {
  const activate: typeof plugin.activate = (...services) => {
    const start = performance.now();
    const provided = plugin.activate(...services);
    const duration = performance.now() - start;
    total += duration;
    first ??= start;
    performance.measure(`${TOTAL}:${plugin.id}`, { start, duration });
    performance.clearMeasures(TOTAL);
    performance.measure(TOTAL, { start: first, duration: total });
    return provided;
  };
  return { ...plugin, activate };
}
