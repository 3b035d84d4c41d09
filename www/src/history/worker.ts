/** The worker that reads histories: the package, a log and the source live here, so that nothing blocks the page. */
import { loadCore } from "../core";
import { Engine } from "./engine";
import type { FromWorker, ToWorker } from "./messages";

const loaded = loadCore();
const engine = new Engine((message: FromWorker, transfer: Transferable[]) => postMessage(message, { transfer }));

addEventListener("message", async ({ data }: MessageEvent<ToWorker>) => {
  try {
    await loaded;
  } catch (error) {
    const message = `the package could not be loaded: ${error instanceof Error ? error.message : String(error)}`;
    if ("id" in data) postMessage({ id: data.id, failure: { code: "worker-failed", message } } satisfies FromWorker);
    return;
  }
  await engine.hear(data);
});
