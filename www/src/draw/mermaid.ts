/** Draws Mermaid text. The library is large and is loaded when a Mermaid drawing is first shown. */
import type { Mermaid } from "mermaid";

let loading: Promise<Mermaid> | undefined;
let count = 0;
let tail: Promise<unknown> = Promise.resolve();

function load(): Promise<Mermaid> {
  loading ??= import("mermaid").then(({ default: mermaid }) => {
    mermaid.initialize({
      startOnLoad: false,
      securityLevel: "strict",
      layout: "dagre",
      htmlLabels: true,
      maxTextSize: 2_000_000,
      maxEdges: 5_000,
      theme: "base",
      fontFamily: "Helvetica, Arial, 'Liberation Sans', sans-serif",
      themeVariables: { fontSize: "13px" },
      // A label of no width, as one of blanks only, would be given no place.
      themeCSS: ".edgeLabel p { padding: 0 2px; min-height: 1em; }",
      suppressErrorRendering: true,
      deterministicIds: true,
    });
    return mermaid;
  });
  loading.catch(() => {
    loading = undefined;
  });
  return loading;
}

/** Mermaid keeps state of its own, so drawings wait for each other. */
export function drawMermaid(text: string, signal: AbortSignal): Promise<string> {
  const drawn = tail.then(async () => {
    const mermaid = await load();
    if (signal.aborted) throw new DOMException("superseded", "AbortError");
    const id = `mermaid-${++count}`;
    try {
      return (await mermaid.render(id, text)).svg;
    } finally {
      // Left behind when a drawing fails.
      document.getElementById(`d${id}`)?.remove();
    }
  });
  tail = drawn.catch(() => undefined);
  return drawn;
}
