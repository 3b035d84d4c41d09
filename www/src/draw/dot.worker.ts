/** Graphviz in a worker: a drawing that takes long can be stopped without stopping the page. */
import { instance, type Viz } from "@viz-js/viz";
import type { DotAnswer, DotQuestion } from "./dot";

let viz: Promise<Viz> | undefined;

/** Defaults only: what the DOT text says itself wins. Helvetica's widths are built into Graphviz. */
const DEFAULTS = {
  graphAttributes: { bgcolor: "transparent", pad: 0.15, nodesep: 0.35, ranksep: 0.42 },
  nodeAttributes: { fontname: "Helvetica", fontsize: 14, margin: "0.2,0.1", penwidth: 1.2 },
  edgeAttributes: { fontname: "Helvetica", fontsize: 12, arrowsize: 0.7 },
};

addEventListener("message", async (event: MessageEvent<DotQuestion>) => {
  const { id, dot } = event.data;
  let answer: DotAnswer;
  try {
    viz ??= instance();
    const result = (await viz).render(dot, { format: "svg", ...DEFAULTS });
    answer =
      result.status === "success"
        ? { id, svg: result.output }
        : { id, error: result.errors.map((one) => one.message).join("\n") || "Graphviz drew nothing" };
  } catch (error) {
    answer = { id, error: error instanceof Error ? error.message : String(error) };
  }
  postMessage(answer);
});
