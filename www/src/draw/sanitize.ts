/**
 * Makes elements out of drawn SVG text. Only known elements and attributes come
 * through, so that text from a definition can never act in the page.
 */

const ELEMENTS = new Set(
  `svg g path polygon polyline ellipse circle rect line text tspan defs marker style foreignobject div span p br b i
   em strong code filter fedropshadow`.split(/\s+/),
);

const ATTRIBUTES = new Set(
  `id class d points cx cy r rx ry x y x1 y1 x2 y2 dx dy width height viewbox transform style fill stroke stroke-width
   stroke-dasharray stroke-linecap stroke-linejoin stroke-opacity fill-opacity opacity font-family font-size font-weight
   font-style text-anchor dominant-baseline alignment-baseline xmlns xml:space preserveaspectratio marker-start marker-mid
   marker-end markerwidth markerheight markerunits refx refy orient data-id data-node data-look data-et text-decoration
   flood-color flood-opacity stddeviation name`.split(/\s+/),
);

/** Values that could reach outside of the page. `url(#id)` is fine. */
const OUTSIDE = /url\s*\(\s*(?!["']?#)|@import|javascript:|expression\s*\(/i;

export function parseSvg(text: string): SVGSVGElement {
  // The HTML parser takes both Graphviz' XML and Mermaid's mixture, and runs nothing.
  const parsed = new DOMParser().parseFromString(text, "text/html");
  const svg = parsed.querySelector("svg");
  if (!svg) throw new Error("the renderer returned no drawing");
  clean(svg);
  return document.importNode(svg, true);
}

function clean(element: Element): void {
  for (const attribute of [...element.attributes]) {
    const name = attribute.name.toLowerCase();
    const broken = name === "transform" && /NaN|undefined/.test(attribute.value);
    if (!ATTRIBUTES.has(name) || broken || OUTSIDE.test(attribute.value)) element.removeAttribute(attribute.name);
  }
  for (const child of [...element.children]) {
    const name = child.localName.toLowerCase();
    if (!ELEMENTS.has(name) || (name === "style" && OUTSIDE.test(child.textContent ?? ""))) child.remove();
    else clean(child);
  }
}
