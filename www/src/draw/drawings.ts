/** The drawings that are shown now, for the zoom buttons, the keyboard and export. */
import type { Kind } from "./mark";
import type { Box, Viewport } from "./viewport";

export interface Drawn {
  svg: SVGSVGElement;
  whole: Box;
  viewport: Viewport;
}

export const drawings: Partial<Record<Kind, Drawn>> = {};

export function everyViewport(act: (viewport: Viewport) => void): void {
  for (const drawn of Object.values(drawings)) act(drawn.viewport);
}
