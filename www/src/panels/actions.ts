/** The order in which actions are shown. Whether they can be taken is the package's answer. */
import type { Availability } from "../core";

const ORDER = { enabled: 0, unknown: 1, disabled: 2 };
/** Answers that say: this action has nothing to do with the present state. */
const ELSEWHERE = new Set(["no-transition", "terminal-state"]);

export function arrange(all: readonly Availability[]): { here: Availability[]; elsewhere: Availability[] } {
  const isElsewhere = (choice: Availability): boolean =>
    choice.status === "disabled" && choice.reasons.some((reason) => ELSEWHERE.has(reason.code));
  const here = all.filter((choice) => !isElsewhere(choice));
  here.sort((one, other) => ORDER[one.status] - ORDER[other.status]);
  return { here, elsewhere: all.filter(isElsewhere) };
}
