/** What the marks of a drawing mean: one list for the page, for print and for saved drawings. */

interface Entry {
  text: string;
  shape: "box" | "line";
  stroke: string;
  fill?: string;
  width: number;
  dash?: string;
  /** An inner outline, a dot, an exclamation mark or an arrow head. */
  mark?: "end" | "start" | "faulty" | "now";
}

export const LEGEND: readonly Entry[] = [
  { text: "now", shape: "box", stroke: "--accent", fill: "--accent-fill", width: 2, mark: "now" },
  { text: "may be taken", shape: "line", stroke: "--accent", width: 2 },
  { text: "not now", shape: "line", stroke: "--edge-not", width: 1.6, dash: "5 3" },
  { text: "cannot tell", shape: "line", stroke: "--edge-not", width: 1.8, dash: "7 3 1.5 3" },
  { text: "by itself", shape: "line", stroke: "--accent", width: 1.5, dash: "1.5 3" },
  { text: "elsewhere", shape: "line", stroke: "--edge", width: 1.4 },
  { text: "start", shape: "box", stroke: "--node-line", width: 1.2, mark: "start" },
  { text: "system at work", shape: "box", stroke: "--node-line", width: 1.8, dash: "0.1 3.2" },
  { text: "faulty", shape: "box", stroke: "--bad-line", width: 1.4, mark: "faulty" },
  { text: "end", shape: "box", stroke: "--node-line", width: 1.1, mark: "end" },
];

export const SWATCH = { width: 24, height: 14 };

const SVG = "http://www.w3.org/2000/svg";

/** The picture of one entry. `colour` turns the name of a colour of the page into a value. */
export function swatchOf(entry: Entry, colour: (name: string) => string): SVGGElement {
  const group = document.createElementNS(SVG, "g");
  const stroke = colour(entry.stroke);
  const add = (name: string, attributes: Record<string, string | number>): void => {
    const element = document.createElementNS(SVG, name) as SVGElement;
    for (const [key, value] of Object.entries({ fill: "none", ...attributes })) {
      // Only a style is sure to know the colours of the page by their names.
      if (key === "fill" || key === "stroke") element.style.setProperty(key, String(value));
      else element.setAttribute(key, String(value));
    }
    group.append(element);
  };
  const dash: Record<string, string> = entry.dash ? { "stroke-dasharray": entry.dash, "stroke-linecap": entry.shape === "box" ? "round" : "butt" } : {};
  if (entry.shape === "line") {
    add("path", { d: "M1 7H23", stroke, "stroke-width": entry.width, ...dash });
    return group;
  }
  const fill = colour(entry.fill ?? "--node");
  add("rect", { x: 3, y: 1.5, width: 18, height: 11, rx: 3, fill, stroke, "stroke-width": entry.width, ...dash });
  if (entry.mark === "end") add("rect", { x: 5.5, y: 4, width: 13, height: 6, rx: 1.5, stroke, "stroke-width": entry.width });
  if (entry.mark === "start") add("circle", { cx: 3, cy: 7, r: 2.8, fill: stroke });
  if (entry.mark === "faulty") add("path", { d: "M12 3.8V7.4M12 9.6V10.2", stroke, "stroke-width": 1.8, "stroke-linecap": "round" });
  if (entry.mark === "now") add("path", { d: "M10 4 L14.5 7 L10 10 Z", fill: stroke });
  return group;
}
