/**
 * Finds states and transitions in a drawing by the ids that the package wrote
 * into it, and marks them by toggling classes. Nothing is drawn again for a mark.
 */
import type { Edge, State } from "../core";

export type Kind = "dot" | "mermaid";

/** `may`: can be taken. `not` and `unknown`: leave the current state, but not now. `rest`: start elsewhere. */
export type EdgeLook = "may" | "not" | "unknown" | "rest";

export interface Found {
  /** By index into the machine's states. */
  states: (SVGGElement | null)[];
  /** By index into the machine's edges. Self-loops of one state may share elements in Mermaid. */
  edges: SVGElement[][];
}

export interface Marks {
  active: readonly string[];
  visited: ReadonlySet<string>;
  selected: string | null;
  looks: readonly EdgeLook[];
  /** What each edge is called by a screen reader, with the reason when it cannot be taken. */
  names: readonly string[];
  /** Edges that are pointed at somewhere else on the page. */
  hot: ReadonlySet<number>;
}

const SVG = "http://www.w3.org/2000/svg";
const SHAPES = "path, polygon, polyline, ellipse, circle, rect";

export function find(svg: SVGSVGElement, kind: Kind, stateCount: number, edges: readonly Edge[]): Found {
  const states = Array.from({ length: stateCount }, (_, index) => {
    const selector = kind === "dot" ? `[id="st-s${index}"]` : `[id^="${svg.id}-state-s${index}-"]`;
    return svg.querySelector<SVGGElement>(selector);
  });
  const found = edges.map((edge) =>
    kind === "dot"
      ? [...svg.querySelectorAll<SVGElement>(`[id="${edge.id}"]`)]
      : [...svg.querySelectorAll<SVGElement>(`[data-id="${edge.mermaid}"], [data-id^="${edge.mermaid}-"]`)],
  );
  return { states, edges: found };
}

/** Prepares a new drawing: classes that never change, and wide invisible strokes to hit. */
export function prepare(
  found: Found,
  kind: Kind,
  paths: readonly string[],
  states: ReadonlyMap<string, State>,
  initial: string | undefined,
): void {
  found.states.forEach((group, index) => {
    const path = paths[index];
    const state = states.get(path ?? "");
    if (!group || path === undefined || !state) return;
    group.classList.add("vs-state", `vs-${state.kind ?? "stable"}`);
    if (state.is_terminal) group.classList.add("vs-terminal");
    group.dataset.vsState = path;
    const shapes = [...group.querySelectorAll(SHAPES)].filter((shape) => !shape.closest(".label"));
    shapes.forEach((shape, at) => shape.classList.add("vs-line", ...(at === 0 ? ["vs-shape"] : [])));
    const isInitial = state.name === initial;
    if (kind === "dot" && isInitial && !state.is_terminal) singleOutline(shapes);
    if (kind === "mermaid" && state.is_terminal) secondOutline(group);
    if (kind === "dot") squeeze(group);
    if (kind === "dot" && isInitial) group.append(startOf(group));
    if (state.kind === "faulty") group.append(warningOf(group));
  });
  const seen = new Set<SVGElement>();
  found.edges.forEach((elements, index) => {
    for (const element of [...elements]) {
      element.dataset.vsEdge = [element.dataset.vsEdge, index].filter((one) => one !== undefined).join(" ");
      if (seen.has(element)) continue;
      seen.add(element);
      element.classList.add("vs-edge");
      if (element instanceof SVGPathElement) {
        const hit = hitOf(element);
        element.after(hit);
        elements.push(hit);
      } else {
        for (const path of element.querySelectorAll<SVGPathElement>(":scope > path")) path.after(hitOf(path));
      }
    }
  });
}

function hitOf(path: SVGPathElement): SVGPathElement {
  const hit = document.createElementNS(SVG, "path");
  hit.setAttribute("d", path.getAttribute("d") ?? "");
  hit.classList.add("vs-hit");
  if (path.dataset.vsEdge !== undefined) hit.dataset.vsEdge = path.dataset.vsEdge;
  return hit;
}

/** Two lines around a state mean its end here, so the initial one, which DOT gives two, keeps the outer one only. */
function singleOutline(shapes: Element[]): void {
  const [inner, outer] = shapes;
  if (!inner || !outer) return;
  inner.remove();
  outer.classList.add("vs-shape");
}

/** Mermaid draws terminal states as any other: they get the second line that Graphviz gives them. */
function secondOutline(group: SVGGElement): void {
  const shape = group.querySelector<SVGGraphicsElement>(".vs-shape");
  if (!shape) return;
  const box = shape.getBBox();
  const inner = document.createElementNS(SVG, "rect");
  const inset = Math.min(3.5, box.width / 4, box.height / 4);
  const place = { x: box.x + inset, y: box.y + inset, width: box.width - 2 * inset, height: box.height - 2 * inset, rx: 3.5 };
  for (const [name, value] of Object.entries(place)) inner.setAttribute(name, String(value));
  const transform = shape.getAttribute("transform");
  if (transform) inner.setAttribute("transform", transform);
  inner.classList.add("vs-line", "vs-inner");
  shape.after(inner);
}

/** The sign of the initial state: a dot on the left of its line, where things enter. */
function startOf(group: SVGGElement): SVGGElement {
  const { x, y, height } = boxOf(group);
  const dot = document.createElementNS(SVG, "circle");
  dot.setAttribute("r", "3.4");
  return signOf("vs-start", x, y + height / 2, dot);
}

/** The sign of a faulty state, which colour alone must not say: an exclamation mark at the upper right corner. */
function warningOf(group: SVGGElement): SVGGElement {
  const { x, y, width, height } = boxOf(group);
  // The corner of a circle's box is empty: the sign goes onto its line.
  const onCircle = group.querySelector(".vs-shape")?.localName === "ellipse" ? 0.146 : 0;
  const disc = document.createElementNS(SVG, "circle");
  disc.setAttribute("r", "7");
  const mark = document.createElementNS(SVG, "path");
  mark.setAttribute("d", "M0 -3.8V0.6M0 3.2V3.4");
  return signOf("vs-warning", x + width * (1 - onCircle) - 3, y + height * onCircle + 2, disc, mark);
}

function signOf(name: string, x: number, y: number, ...shapes: SVGElement[]): SVGGElement {
  const sign = document.createElementNS(SVG, "g");
  sign.classList.add(name);
  sign.setAttribute("aria-hidden", "true");
  sign.setAttribute("transform", `translate(${x} ${y})`);
  sign.append(...shapes);
  return sign;
}

/** The box of a state's shape in the coordinates of its group. */
function boxOf(group: SVGGElement): { x: number; y: number; width: number; height: number } {
  // Graphviz' outer line comes last; Mermaid's shape comes first, before parts of the label.
  const lines = [...group.querySelectorAll<SVGGraphicsElement>(":scope > .vs-line, :scope > a > .vs-line")];
  const shape = (group.id.startsWith("st-") ? lines.at(-1) : undefined) ?? group.querySelector<SVGGraphicsElement>(".vs-shape") ?? group;
  const box = shape.getBBox();
  const outer = shape.transform?.baseVal.consolidate()?.matrix;
  return { x: box.x + (outer?.e ?? 0), y: box.y + (outer?.f ?? 0), width: box.width, height: box.height };
}

/** Graphviz has no widths for some scripts; a label that came out too wide is fitted into its shape. */
function squeeze(group: SVGGElement): void {
  const shape = group.querySelector<SVGGraphicsElement>(".vs-shape");
  if (!shape) return;
  const room = shape.getBBox().width - 8;
  for (const text of group.querySelectorAll("text")) {
    if (room > 0 && text.getBBox().width > room) {
      text.setAttribute("textLength", String(room));
      text.setAttribute("lengthAdjust", "spacingAndGlyphs");
    }
  }
}

export function apply(found: Found, marks: Marks): void {
  found.states.forEach((group) => {
    if (!group) return;
    const name = group.dataset.vsState ?? "";
    const active = marks.active.includes(name);
    group.classList.toggle("vs-active", active);
    group.classList.toggle("vs-visited", !active && marks.visited.has(name));
    group.classList.toggle("vs-selected", marks.selected === name);
    group.querySelector(":scope > .vs-badge")?.remove();
    if (active) group.append(badgeOf(group));
  });
  const focusable = new Set<number>();
  found.edges.forEach((elements, index) => {
    for (const element of elements) {
      // Of edges that share an element, the one that may be taken gives its look.
      const all = (element.dataset.vsEdge ?? String(index)).split(" ").map(Number);
      const shown = all.find((one) => marks.looks[one] === "may") ?? all.find((one) => marks.looks[one] !== "rest") ?? index;
      const look = marks.looks[shown] ?? "rest";
      for (const one of ["may", "not", "unknown", "rest"] as const) element.classList.toggle(`vs-${one}`, one === look);
      element.classList.toggle("vs-hot", all.some((one) => marks.hot.has(one)));
      const button = look !== "rest" && !element.classList.contains("vs-hit") && isHandle(element, elements);
      if (button && !focusable.has(shown)) {
        focusable.add(shown);
        element.setAttribute("tabindex", "0");
        element.setAttribute("role", "button");
        element.setAttribute("aria-label", marks.names[shown] ?? "");
        if (look === "may") element.removeAttribute("aria-disabled");
        else element.setAttribute("aria-disabled", "true");
      } else if (!button) {
        for (const name of ["tabindex", "role", "aria-label", "aria-disabled"]) element.removeAttribute(name);
      }
    }
  });
}

/** One element of an edge takes the focus: its label if it has one, else its line. */
function isHandle(element: SVGElement, all: readonly SVGElement[]): boolean {
  const handle = all.find((one) => one instanceof SVGGElement) ?? all[0];
  return element === handle;
}

/** The sign of the current state: a filled disc with an arrow head, at the shape's upper left corner. */
function badgeOf(group: SVGGElement): SVGGElement {
  const { x, y } = boxOf(group);
  const disc = document.createElementNS(SVG, "circle");
  disc.setAttribute("r", "8");
  const arrow = document.createElementNS(SVG, "path");
  arrow.setAttribute("d", "M-2.6 -4 L4 0 L-2.6 4 Z");
  return signOf("vs-badge", x + 4, y + 3, disc, arrow);
}

export function edgesAt(target: EventTarget | null): number[] {
  const element = target instanceof Element ? target.closest<SVGElement>("[data-vs-edge]") : null;
  return element?.dataset.vsEdge?.split(" ").map(Number) ?? [];
}

export function stateAt(target: EventTarget | null): string | undefined {
  const element = target instanceof Element ? target.closest<SVGElement>("[data-vs-state]") : null;
  return element?.dataset.vsState;
}
