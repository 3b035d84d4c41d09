// Runs in the browser: draws a text with one renderer and tells what a person would see.

const RENDERERS = { "mermaid-12": mermaid, "mermaid-11": mermaid, graphviz };
const PACKAGES = { "mermaid-12": "mermaid", "mermaid-11": "mermaid-11" };

const name = location.search.slice(1);
const element = document.getElementById("drawing");
const globals = new Set(Object.getOwnPropertyNames(Object.prototype));
globalThis.draw = await RENDERERS[name](name);

async function mermaid(renderer) {
  const module = `/node_modules/${PACKAGES[renderer]}/dist/mermaid.esm.min.mjs`;
  const { default: mermaid } = await import(module);
  mermaid.initialize({ startOnLoad: false, layout: "dagre", htmlLabels: true });
  let count = 0;
  return async (text) => {
    count += 1;
    const id = `drawing${count}`;
    try {
      const { svg } = await mermaid.render(id, text);
      element.innerHTML = svg;
    } finally {
      document.getElementById(`d${id}`)?.remove();
    }
    await settled();
    const all = (selector) => [...element.querySelectorAll(selector)];
    const nodes = all("g.node").map((node) => ({
      id: node.id.match(/state-(.+)-\d+$/)?.[1],
      // The circles for the beginning and the end say nothing.
      isMark: node.querySelector("foreignObject") === null,
      ...shown(node.querySelector("foreignObject") ?? node, node),
    }));
    const clusters = all("g.statediagram-cluster:has(.cluster-label)").map((cluster) => ({
      id: cluster.dataset.id,
      ...shown(cluster.querySelector(".cluster-label foreignObject"), cluster),
    }));
    return {
      clusters,
      states: nodes.filter((node) => !node.isMark),
      marks: nodes.filter((node) => node.isMark).length,
      edges: all("path[data-id]").map((path) => ({ id: path.dataset.id, ...line(path) })),
      labels: all("g.edgeLabel g.label[data-id]")
        .map((label) => ({ id: label.dataset.id, ...shown(label.querySelector("foreignObject"), label) })),
      events: strange(),
    };
  };
}

async function graphviz() {
  const { instance } = await import("/node_modules/@viz-js/viz/dist/viz.js");
  const viz = await instance();
  return async (text) => {
    const result = viz.render(text, { format: "svg" });
    if (result.status !== "success") throw new Error(result.errors.map((e) => e.message).join("; "));
    element.replaceChildren(
      document.importNode(new DOMParser().parseFromString(result.output, "image/svg+xml").documentElement, true),
    );
    await settled();
    const all = (selector) => [...element.querySelectorAll(selector)];
    return {
      warnings: result.errors.map((error) => error.message),
      clusters: all("g.cluster").map((cluster) => ({ id: cluster.id, name: title(cluster), ...shown(cluster, cluster) })),
      states: all("g.node").map((node) => ({
        id: node.id,
        name: title(node),
        rings: node.querySelectorAll("polygon, path, ellipse").length,
        ...shown(node, node),
      })),
      edges: all("g.edge").map((edge) => ({ id: edge.id, ...line(edge.querySelector("path")) })),
      labels: all("g.edge").map((edge) => ({ id: edge.id, ...shown(edge, edge) })),
      events: strange(),
    };
  };
}

/** What Graphviz calls a part of a drawing. */
function title(part) {
  return part.querySelector("title").textContent;
}

function settled() {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

/** The text in `part` as it is read, where it is, and whether `part` of `whole` is wide enough for it. */
function shown(part, whole) {
  const html = part.querySelector("div");
  const texts = html ? [html] : [...part.querySelectorAll("text")];
  const boxes = texts.map((text) => {
    if (!html) return text.getBoundingClientRect();
    const range = document.createRange();
    range.selectNodeContents(text);
    return range.getBoundingClientRect();
  });
  const text = texts.map((text) => (html ? text.innerText : text.textContent)).join("\n");
  const left = Math.min(...boxes.map((box) => box.left));
  const right = Math.max(...boxes.map((box) => box.right));
  const top = Math.min(...boxes.map((box) => box.top));
  const bottom = Math.max(...boxes.map((box) => box.bottom));
  const frame = part.getBoundingClientRect();
  const cut = html && (left < frame.left - 2 || right > frame.right + 2 || top < frame.top - 2 || bottom > frame.bottom + 2);
  return {
    text,
    box: [left, top, right, bottom],
    frame: rectangle(whole.getBoundingClientRect()),
    isCut: Boolean(cut),
  };
}

function rectangle({ left, top, right, bottom }) {
  return [left, top, right, bottom];
}

/** How long a path is, and where it begins and ends on the screen. */
function line(path) {
  const length = path.getTotalLength();
  const at = (distance) => {
    const { x, y } = path.getPointAtLength(distance).matrixTransform(path.getScreenCTM());
    return [x, y];
  };
  return { length, d: path.getAttribute("d"), start: at(0), end: at(length) };
}

/** What a text must never cause. */
function strange() {
  const added = Object.getOwnPropertyNames(Object.prototype).filter((key) => !globals.has(key));
  const markup = [...element.querySelectorAll("script, img, iframe, a, object, embed, form, input, math, i")];
  return [
    ...(globalThis.__pwned ? ["a script ran"] : []),
    ...added.map((key) => `Object.prototype.${key} was added`),
    ...markup.map((found) => `made the element ${found.outerHTML.slice(0, 100)}`),
    ...[...element.querySelectorAll("*")]
      .flatMap((found) => found.getAttributeNames().filter((attribute) => attribute.startsWith("on")))
      .map((attribute) => `has the attribute ${attribute}`),
  ];
}
