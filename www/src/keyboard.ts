/** Single keys for the whole page. They are inert while something is typed or a dialog is open. */
import { everyViewport } from "./draw/drawings";
import type { Renderer } from "./document";
import { session } from "./session.svelte";

const RENDERERS: Renderer[] = ["dot", "mermaid", "both", "text"];

export interface Places {
  help(): void;
  editor(): void;
  filter(): void;
}

export function onKey(event: KeyboardEvent, places: Places): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return;
  const act = actOf(event.key, places);
  // A key that is held down zooms on; it never walks through the machine.
  if (!act || (event.repeat && !/^[-+=]$/.test(event.key))) return;
  event.preventDefault();
  act();
}

function actOf(key: string, places: Places): (() => void) | undefined {
  // In a history nothing is done; its own keys step through it.
  const plays = session.document.view.mode === "play";
  if (!plays && /^[1-9/eu]$/.test(key)) return undefined;
  if (/^[1-9]$/.test(key)) {
    const choice = session.arranged.here[Number(key) - 1];
    return choice && (() => session.take(choice.action));
  }
  switch (key) {
    case "?":
      return places.help;
    case "/":
      return places.filter;
    case "e":
      return places.editor;
    case "u":
      return () => session.undo();
    case "g":
      return () => {
        const { renderer } = session.document.view;
        session.show({ renderer: RENDERERS[(RENDERERS.indexOf(renderer) + 1) % RENDERERS.length]! });
      };
    case "+":
    case "=":
      return () => everyViewport((one) => one.zoomIn());
    case "-":
      return () => everyViewport((one) => one.zoomOut());
    case "0":
      return () => everyViewport((one) => one.fit());
    default:
      return undefined;
  }
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest("input, textarea, select, dialog[open], .cm-editor") !== null)
  );
}
