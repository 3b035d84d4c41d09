/** The order in which actions are shown. Whether they can be taken is the package's answer. */
import type { Availability } from "../core";

const ORDER = { enabled: 0, unknown: 1, disabled: 2 };
/** Answers that say: this action has nothing to do with the present state. */
const ELSEWHERE = new Set(["no-transition", "terminal-state"]);

/**
 * The ones that may be taken first; among equals in the order in which the definition writes their transitions. Actions
 * that stand in a row already, named in `before`, keep their places: nothing moves under the pointer.
 */
export function arrange(
  all: readonly Availability[],
  transitions: readonly { name: string }[] = [],
  before: readonly string[] = [],
): { here: Availability[]; elsewhere: Availability[] } {
  const written = new Map(transitions.map((one, index) => [one.name, index]));
  const place = (choice: Availability): number =>
    Math.min(...choice.transitions.map((name) => written.get(name) ?? Infinity));
  const isElsewhere = (choice: Availability): boolean =>
    choice.status === "disabled" && choice.reasons.some((reason) => ELSEWHERE.has(reason.code));
  const here = all.filter((choice) => !isElsewhere(choice));
  here.sort((one, other) => ORDER[one.status] - ORDER[other.status] || place(one) - place(other) || 0);
  if (before.length > 0) {
    const stood = new Map(before.map((action, index) => [action, index]));
    here.sort((one, other) => (stood.get(one.action) ?? Infinity) - (stood.get(other.action) ?? Infinity) || 0);
  }
  return { here, elsewhere: all.filter(isElsewhere) };
}
