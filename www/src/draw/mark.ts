/**
 * Finds states and transitions in a drawing by the ids that the package wrote
 * into it, and marks them by toggling classes. Nothing is drawn again for a mark.
 */
import type { Edge, State, StateOutline } from "../core";

export type Kind = "dot" | "mermaid";

/**
 * `may`: can be taken. `not` and `unknown`: leave an active state, but not now. `follows`: leaves one by itself, nobody asks
 * for it. `rest`: starts elsewhere.
 */
export type EdgeLook = "may" | "not" | "unknown" | "follows" | "rest";

const LOOKS: readonly EdgeLook[] = ["may", "not", "unknown", "follows", "rest"];

export interface Found {
  /** By index into the machine's outline; null for one that the drawing does not show. */
  states: (SVGGElement | null)[];
  /** By index into the drawing's edges. Self-loops of one state may share elements in Mermaid. */
  edges: SVGElement[][];
}

export interface Marks {
  /** Inner and outer ones. */
  active: ReadonlySet<string>;
  visited: ReadonlySet<string>;
  /** Whether it is sure that the active states are. */
  isSure: boolean;
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
  outline: readonly StateOutline[],
  states: ReadonlyMap<string, State>,
  collapsed: ReadonlySet<string>,
): void {
  // Where states are inside of others, both drawings have a point from which an arrow leads to where a machine begins.
  const isFlat = outline.every((one) => one.shape === "atomic");
  found.states.forEach((group, index) => {
    const place = outline[index];
    const state = states.get(place?.path ?? "");
    if (!group || !place || !state) return;
    group.classList.add("vs-state", `vs-${state.kind ?? "stable"}`);
    if (place.is_terminal) group.classList.add("vs-terminal");
    if (place.is_region) group.classList.add("vs-region");
    if (place.shape === "history") group.classList.add("vs-history");
    group.dataset.vsState = place.path;
    warm(group);
    if (isCluster(group)) {
      frame(group);
      group.append(foldOf(group, place, false));
      return;
    }
    const shapes = [...group.querySelectorAll(SHAPES)].filter((shape) => !shape.closest(".label"));
    shapes.forEach((shape, at) => shape.classList.add("vs-line", ...(at === 0 ? ["vs-shape"] : [])));
    const isInitial = place.is_initial;
    if (kind === "dot" && isInitial && isFlat && !place.is_terminal) singleOutline(shapes);
    if (kind === "mermaid" && place.is_terminal) secondOutline(group);
    if (kind === "dot") squeeze(group);
    if (kind === "dot" && isInitial && isFlat) group.append(startOf(group));
    if (state.kind === "faulty") group.append(warningOf(group));
    if (collapsed.has(place.path)) group.append(foldOf(group, place, true));
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

/** How hot a state is: the colour is the page's own, that of the text would not suit a dark page. */
function warm(group: SVGGElement): void {
  const step = [...group.classList].find((name) => /^heat\d$/.test(name));
  if (step === undefined) return;
  group.classList.replace(step, `vs-${step}`);
  for (const element of group.querySelectorAll<SVGElement | HTMLElement>("[style]")) {
    element.style.removeProperty("fill");
    element.style.removeProperty("color");
  }
}

/** How busy arrows are: a width from 0 to 1 for each edge, or none. */
export function widen(found: Found, levels: readonly (number | null)[]): void {
  const most = new Map<SVGElement, number>();
  found.edges.forEach((elements, index) => {
    const level = levels[index];
    if (level === null || level === undefined) return;
    for (const element of elements) most.set(element, Math.max(level, most.get(element) ?? 0));
  });
  for (const [element, level] of most) {
    element.classList.add("vs-busy");
    element.style.setProperty("--busy", level.toFixed(2));
  }
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
  const onCircle = cornerOf(group);
  const disc = document.createElementNS(SVG, "circle");
  disc.setAttribute("r", "7");
  const mark = document.createElementNS(SVG, "path");
  mark.setAttribute("d", "M0 -3.8V0.6M0 3.2V3.4");
  return signOf("vs-warning", x + width * (1 - onCircle) - 3, y + height * onCircle + 2, disc, mark);
}

/** How far, in parts of its box, the line of a shape is from the box's corner: that of a circle's box is empty. */
function cornerOf(group: SVGGElement): number {
  return group.querySelector(".vs-shape")?.localName === "ellipse" ? 0.146 : 0;
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
    const active = marks.active.has(name);
    group.classList.toggle("vs-active", active);
    group.classList.toggle("vs-unsure", active && !marks.isSure);
    group.classList.toggle("vs-visited", !active && marks.visited.has(name));
    group.classList.toggle("vs-selected", marks.selected === name);
    group.querySelector(":scope > .vs-badge")?.remove();
    if (active && !isCluster(group)) group.append(badgeOf(group));
  });
  const focusable = new Set<number>();
  found.edges.forEach((elements, index) => {
    for (const element of elements) {
      // Of edges that share an element, the one that may be taken gives its look.
      const all = (element.dataset.vsEdge ?? String(index)).split(" ").map(Number);
      const shown = all.find((one) => marks.looks[one] === "may") ?? all.find((one) => isAsked(marks.looks[one])) ?? all.find((one) => marks.looks[one] !== "rest") ?? index;
      const look = marks.looks[shown] ?? "rest";
      for (const one of LOOKS) element.classList.toggle(`vs-${one}`, one === look);
      element.classList.toggle("vs-hot", all.some((one) => marks.hot.has(one)));
      const button = look !== "rest" && look !== "follows" && !element.classList.contains("vs-hit") && isHandle(element, elements);
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

function isAsked(look: EdgeLook | undefined): boolean {
  return look === "may" || look === "not" || look === "unknown";
}

/** Whether a group is a frame around other states. */
export function isCluster(group: Element): boolean {
  return group.classList.contains("cluster") || group.classList.contains("statediagram-cluster");
}

/** The lines of a frame, and its title. */
function frame(group: SVGGElement): void {
  group.classList.add("vs-cluster");
  const shapes = [...group.querySelectorAll(":scope > :is(polygon, path, rect), :scope > g:not(.cluster-label) > :is(rect, path)")];
  // Mermaid draws the room below the title as a second box.
  shapes.forEach((shape, at) => shape.classList.add("vs-frame", ...(at > 0 ? ["vs-second"] : [])));
}

/** The button that closes a frame to one box, or opens it again: a sign at the upper right corner, and the title. */
function foldOf(group: SVGGElement, place: StateOutline, closed: boolean): SVGGElement {
  const { x, y, width } = isCluster(group) ? frameBox(group) : boxOf(group);
  const disc = document.createElementNS(SVG, "circle");
  disc.setAttribute("r", "7.5");
  const mark = document.createElementNS(SVG, "path");
  mark.setAttribute("d", closed ? "M-3.5 0H3.5M0 -3.5V3.5" : "M-3.5 0H3.5");
  const hit = document.createElementNS(SVG, "circle");
  hit.setAttribute("r", "14");
  hit.classList.add("vs-touch");
  const sign = signOf("vs-fold", x + width - (closed ? 2 : 13), y + (closed ? 2 : 13), hit, disc, mark);
  sign.removeAttribute("aria-hidden");
  sign.setAttribute("role", "button");
  sign.setAttribute("tabindex", "0");
  sign.setAttribute("aria-label", `${closed ? "Expand" : "Collapse"} ${place.title}`);
  sign.dataset.vsFold = place.path;
  if (!closed) for (const title of group.querySelectorAll<SVGElement>(":scope > text, :scope > .cluster-label")) title.dataset.vsFold = place.path;
  return sign;
}

function frameBox(group: SVGGElement): { x: number; y: number; width: number; height: number } {
  const line = group.querySelector<SVGGraphicsElement>(".vs-frame") ?? group;
  const box = line.getBBox();
  return { x: box.x, y: box.y, width: box.width, height: box.height };
}

/** One element of an edge takes the focus: its label if it has one, else its line. */
function isHandle(element: SVGElement, all: readonly SVGElement[]): boolean {
  const handle = all.find((one) => one instanceof SVGGElement) ?? all[0];
  return element === handle;
}

/** The sign of the current state: a filled disc with an arrow head, at the shape's upper left corner. */
function badgeOf(group: SVGGElement): SVGGElement {
  const { x, y, width, height } = boxOf(group);
  const onCircle = cornerOf(group);
  const disc = document.createElementNS(SVG, "circle");
  disc.setAttribute("r", "8");
  const arrow = document.createElementNS(SVG, "path");
  arrow.setAttribute("d", "M-2.6 -4 L4 0 L-2.6 4 Z");
  return signOf("vs-badge", x + 4 + width * onCircle, y + 3 + height * onCircle, disc, arrow);
}

export function edgesAt(target: EventTarget | null): number[] {
  const element = target instanceof Element ? target.closest<SVGElement>("[data-vs-edge]") : null;
  return element?.dataset.vsEdge?.split(" ").map(Number) ?? [];
}

/** The state whose frame is to be closed or opened. */
export function foldAt(target: EventTarget | null): string | undefined {
  const element = target instanceof Element ? target.closest<SVGElement>("[data-vs-fold]") : null;
  return element?.dataset.vsFold;
}

export function stateAt(target: EventTarget | null): string | undefined {
  const element = target instanceof Element ? target.closest<SVGElement>("[data-vs-state]") : null;
  return element?.dataset.vsState;
}
