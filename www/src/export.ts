/**
 * Drawings and texts to take away. A drawing gets the colours that it has on the
 * page written into it, always light, with its title, version and a legend.
 */
import { drawings } from "./draw/drawings";
import { LEGEND, SWATCH, swatchOf } from "./draw/legend";
import type { Kind } from "./draw/mark";
import type { Session } from "./session.svelte";

const NS = "http://www.w3.org/2000/svg";
const STYLES = ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "font-family", "font-size", "font-weight", "text-decoration-line", "opacity"];
const HTML_STYLES = ["color", "font-family", "font-size", "font-weight", "line-height", "text-align", "display", "background-color", "margin", "padding", "white-space", "text-decoration-line"];
const MARGIN = 24;
const HEAD = 54;
const SMALL = 11;
const LINE = 20;
/** What a title, a name and the legend have at least. */
const NARROWEST = 480;
const WIDEST_HEAD = 900;
const FONT = "Helvetica, Arial, sans-serif";
/** What XML 1.0 cannot hold, not even escaped. */
const NOT_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

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
  const copy = drawn.svg.cloneNode(true) as SVGSVGElement;
  const colours = inLight(() => {
    inline(drawn.svg, copy);
    return palette();
  });
  copy.querySelectorAll(".vs-hit, .vs-fold").forEach((one) => one.remove());
  copy.querySelectorAll("[tabindex], [role]").forEach((one) => {
    for (const name of ["tabindex", "role", "aria-label", "aria-disabled"]) one.removeAttribute(name);
  });
  return new XMLSerializer().serializeToString(framed(session, copy, drawn.whole, colours)).replace(NOT_XML, "\uFFFD");
}

function inLight<Result>(act: () => Result): Result {
  const root = document.documentElement;
  const { theme } = root.dataset;
  root.dataset.theme = "light";
  try {
    return act();
  } finally {
    if (theme === undefined) delete root.dataset.theme;
    else root.dataset.theme = theme;
  }
}

/** The values of the colours that the legend names, as they are now. */
function palette(): Map<string, string> {
  const probe = document.createElement("span");
  document.body.append(probe);
  const names = ["--node", ...LEGEND.flatMap((entry) => [entry.stroke, entry.fill ?? "--node"])];
  const values = names.map((name) => {
    probe.style.color = `var(${name})`;
    return [name, getComputedStyle(probe).color] as const;
  });
  probe.remove();
  return new Map(values);
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

function framed(
  session: Session,
  drawing: SVGSVGElement,
  whole: { x: number; y: number; width: number; height: number },
  colours: ReadonlyMap<string, string>,
): SVGSVGElement {
  const { object_type, version } = session.definition!;
  const now = session.snapshot?.states.map((state) => session.displayName(state)).join(", ");
  const about = `${object_type}, version ${version ?? 1}${now ? `, now in ${now}` : ""}`;
  const head = Math.max(widthOf(session.title, 17, 700), widthOf(about, 12));
  const inner = Math.max(whole.width, NARROWEST, Math.min(head, WIDEST_HEAD));
  const foot = legend(inner, colours);
  const width = inner + 2 * MARGIN;
  const height = whole.height + HEAD + MARGIN + foot.height;
  const svg = document.createElementNS(NS, "svg");
  svg.setAttribute("xmlns", NS);
  svg.setAttribute("width", String(Math.ceil(width)));
  svg.setAttribute("height", String(Math.ceil(height)));
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const paper = document.createElementNS(NS, "rect");
  paper.setAttribute("width", "100%");
  paper.setAttribute("height", "100%");
  paper.setAttribute("fill", "#ffffff");
  foot.group.setAttribute("transform", `translate(${MARGIN} ${whole.height + HEAD + MARGIN / 2})`);
  svg.append(
    paper,
    line(fitted(session.title, inner, 17, 700), MARGIN, 28, 17, "#1d1e22", 700),
    line(fitted(about, inner, 12), MARGIN, 46, 12, "#5a5c63"),
    foot.group,
  );
  drawing.setAttribute("x", String((width - whole.width) / 2));
  drawing.setAttribute("y", String(HEAD));
  drawing.setAttribute("width", String(whole.width));
  drawing.setAttribute("height", String(whole.height));
  drawing.setAttribute("viewBox", `${whole.x} ${whole.y} ${whole.width} ${whole.height}`);
  svg.append(drawing);
  return svg;
}

/** The legend, in as many lines as the width asks for. */
function legend(width: number, colours: ReadonlyMap<string, string>): { group: SVGGElement; height: number } {
  const group = document.createElementNS(NS, "g");
  let x = 0;
  let y = LINE / 2;
  const put = (text: string, swatch?: SVGGElement): void => {
    const indent = swatch ? SWATCH.width + 5 : 0;
    const size = indent + widthOf(text, SMALL) + 16;
    if (x > 0 && x + size > width) {
      x = 0;
      y += LINE;
    }
    swatch?.setAttribute("transform", `translate(${x} ${y - SWATCH.height / 2})`);
    if (swatch) group.append(swatch);
    group.append(line(text, x + indent, y + 4, SMALL, "#5a5c63"));
    x += size;
  };
  for (const entry of LEGEND) put(entry.text, swatchOf(entry, (name) => colours.get(name) ?? "#5a5c63"));
  put("Drawn by Veristate");
  return { group, height: y + LINE / 2 + MARGIN / 2 };
}

let pen: CanvasRenderingContext2D | null | undefined;

function widthOf(text: string, size: number, weight = 400): number {
  pen ??= document.createElement("canvas").getContext("2d");
  if (!pen) return text.length * size * 0.6;
  pen.font = `${weight} ${size}px ${FONT}`;
  return pen.measureText(text).width;
}

/** Text that is too long for its place ends in an ellipsis. */
function fitted(text: string, width: number, size: number, weight = 400): string {
  if (widthOf(text, size, weight) <= width) return text;
  const units = [...text].slice(0, 2_000);
  while (units.length > 1 && widthOf(`${units.join("")}…`, size, weight) > width) units.pop();
  return `${units.join("")}…`;
}

function line(text: string, x: number, y: number, size: number, fill: string, weight = 400): SVGTextElement {
  const element = document.createElementNS(NS, "text");
  element.textContent = text;
  for (const [name, value] of Object.entries({ x, y, fill, "font-size": size, "font-weight": weight })) element.setAttribute(name, String(value));
  element.setAttribute("font-family", FONT);
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

const NO_COPY = "The browser does not let this page copy. Save it as a file instead.";

/** Says in plain words when the browser has no clipboard, as without TLS, or refuses it. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    throw new Error(NO_COPY);
  }
}

/** The picture is made first, so that its own troubles are told as such. */
export async function copyPng(blob: Promise<Blob>): Promise<void> {
  try {
    // Given as a promise, the browser still knows that a click has asked for it.
    await navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]);
  } catch {
    await blob;
    throw new Error(NO_COPY);
  }
}
