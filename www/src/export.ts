/**
 * Drawings and texts to take away. A drawing gets the colours that it has on the
 * page written into it, always light, with its title, version and a legend.
 */
import { drawings } from "./draw/drawings";
import type { Kind } from "./draw/mark";
import type { Session } from "./session.svelte";

const NS = "http://www.w3.org/2000/svg";
const STYLES = ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "font-family", "font-size", "font-weight", "text-decoration-line", "opacity"];
const HTML_STYLES = ["color", "font-family", "font-size", "font-weight", "line-height", "text-align", "display", "background-color", "margin", "padding", "white-space", "text-decoration-line"];
const MARGIN = 24;
const HEAD = 54;
const FOOT = 40;

export function fileName(session: Session, ending: string): string {
  const name = session.title.trim().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "definition";
  return `${name.toLowerCase()}.${ending}`;
}

/** The drawing that is shown, Graphviz' first. */
export function shownKind(): Kind | undefined {
  return drawings.dot ? "dot" : drawings.mermaid ? "mermaid" : undefined;
}

export function svgText(session: Session, kind: Kind): string {
  const drawn = drawings[kind];
  if (!drawn) throw new Error("there is no drawing to save");
  const root = document.documentElement;
  const theme = root.dataset.theme;
  root.dataset.theme = "light";
  let copy: SVGSVGElement;
  try {
    copy = drawn.svg.cloneNode(true) as SVGSVGElement;
    inline(drawn.svg, copy);
  } finally {
    if (theme === undefined) delete root.dataset.theme;
    else root.dataset.theme = theme;
  }
  copy.querySelectorAll(".vs-hit").forEach((one) => one.remove());
  copy.querySelectorAll("[tabindex], [role]").forEach((one) => {
    for (const name of ["tabindex", "role", "aria-label", "aria-disabled"]) one.removeAttribute(name);
  });
  return new XMLSerializer().serializeToString(framed(session, copy, drawn.whole));
}

function inline(from: Element, to: Element): void {
  const style = getComputedStyle(from);
  const names = from instanceof SVGElement ? STYLES : HTML_STYLES;
  const text = names.map((name) => `${name}:${style.getPropertyValue(name)}`).join(";");
  if (from instanceof SVGElement ? /^(path|polygon|polyline|ellipse|circle|rect|text|tspan|line)$/.test(from.localName) : true) {
    to.setAttribute("style", `${from.getAttribute("style") ?? ""};${text}`);
  }
  [...from.children].forEach((child, index) => {
    const twin = to.children[index];
    if (twin) inline(child, twin);
  });
}

function framed(session: Session, drawing: SVGSVGElement, whole: { x: number; y: number; width: number; height: number }): SVGSVGElement {
  const { object_type, version } = session.machine!.definition;
  const width = Math.max(whole.width, 420) + 2 * MARGIN;
  const height = whole.height + HEAD + FOOT + MARGIN;
  const svg = document.createElementNS(NS, "svg");
  svg.setAttribute("xmlns", NS);
  svg.setAttribute("width", String(Math.ceil(width)));
  svg.setAttribute("height", String(Math.ceil(height)));
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const paper = document.createElementNS(NS, "rect");
  paper.setAttribute("width", "100%");
  paper.setAttribute("height", "100%");
  paper.setAttribute("fill", "#ffffff");
  const now = session.snapshot?.states.map((state) => session.displayName(state)).join(", ");
  svg.append(
    paper,
    line(session.title, MARGIN, 28, 17, "#1d1e22", 700),
    line(`${object_type}, version ${version ?? 1}${now ? `, now in ${now}` : ""}`, MARGIN, 46, 12, "#5a5c63"),
    line(
      "Filled: the current state. Solid: may be taken now. Dashed: leaves the current state, but may not. Grey: the rest. Drawn by Veristate.",
      MARGIN, height - 14, 10, "#5a5c63",
    ),
  );
  drawing.setAttribute("x", String((width - whole.width) / 2));
  drawing.setAttribute("y", String(HEAD));
  drawing.setAttribute("width", String(whole.width));
  drawing.setAttribute("height", String(whole.height));
  drawing.setAttribute("viewBox", `${whole.x} ${whole.y} ${whole.width} ${whole.height}`);
  svg.append(drawing);
  return svg;
}

function line(text: string, x: number, y: number, size: number, fill: string, weight = 400): SVGTextElement {
  const element = document.createElementNS(NS, "text");
  element.textContent = text;
  for (const [name, value] of Object.entries({ x, y, fill, "font-size": size, "font-weight": weight })) element.setAttribute(name, String(value));
  element.setAttribute("font-family", "Helvetica, Arial, sans-serif");
  return element;
}

export async function pngBlob(session: Session, kind: Kind): Promise<Blob> {
  const text = svgText(session, kind);
  const image = new Image();
  // A blob address would taint the canvas when the drawing holds HTML labels.
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const scale = Math.min(2, 8000 / Math.max(image.width, image.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(image.width * scale);
  canvas.height = Math.round(image.height * scale);
  canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the browser made no picture"))), "image/png");
  });
}

export function saveAs(name: string, content: Blob | string, type = "text/plain;charset=utf-8"): void {
  const address = URL.createObjectURL(typeof content === "string" ? new Blob([content], { type }) : content);
  const anchor = document.createElement("a");
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
