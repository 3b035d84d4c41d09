// The definitions that are drawn, and what a drawing of one must show.

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import path from "node:path";
import { Machine, check, initSync } from "../../web/pkg/veristate.js";

const here = (relative) => fileURLToPath(new URL(relative, import.meta.url));
initSync({ module: readFileSync(here("../../web/pkg/veristate_bg.wasm")) });

/** All definitions: ours, those of `VERISTATE_CASES/hostile`, and the flat ones of `../shared`. */
export function definitions() {
  const folders = [here("../hostile"), process.env.VERISTATE_CASES && path.join(process.env.VERISTATE_CASES, "hostile")];
  const found = folders.filter((folder) => folder && existsSync(folder)).flatMap(ofFolder);
  const shared = here("../../../shared/cases/labels.json");
  if (existsSync(shared)) {
    for (const { name, definition } of JSON.parse(readFileSync(shared, "utf8"))) {
      if (!definition.states.some((state) => state.sub_machine)) found.push({ title: `shared ${name}`, definition });
    }
  }
  return found.map(({ title, definition }) => ({ title, definition, machine: machine(title, definition) }));
}

function ofFolder(folder) {
  const files = readdirSync(folder).filter((file) => file.endsWith(".json")).sort();
  return files.map((file) => ({
    title: path.basename(file, ".json"),
    definition: JSON.parse(readFileSync(path.join(folder, file), "utf8")),
  }));
}

function machine(title, definition) {
  const errors = check(JSON.stringify(definition)).filter((found) => found.severity === "error");
  if (errors.length > 0) throw new Error(`${title} is invalid: ${errors.map((error) => error.message).join("; ")}`);
  return new Machine(definition);
}

/** Text as it is compared: white space is one space, what has no width and no meaning is dropped, and what
 * no drawing can hold is the replacement character. */
export function normal(text) {
  return text
    .replace(/[\s\u0085\u200b]+/gu, (found) => (found === "\u200b" ? "" : " "))
    .replace(/[\p{Cc}\ufffe\uffff]/gu, "\ufffd")
    .trim();
}

/** What each state may say, as it is compared. */
export function states(definition) {
  return definition.states.map((state) => ({
    name: normal(state.name),
    title: normal(state.display_name ?? state.name),
    isTerminal: state.is_terminal ?? false,
  }));
}

/** `machine.edges()`, each with what its arrow says: the `name` or the `action` of the transition, and its guard. */
export function arrows(definition, machine, field) {
  const transitions = new Map((definition.transitions ?? []).map((transition) => [transition.name, transition]));
  return machine.edges().map((edge) => {
    const transition = transitions.get(edge.transition);
    const guard = transition.guard === undefined ? "" : ` [${transition.guard}]`;
    return { ...edge, label: normal(transition[field] + guard) };
  });
}
