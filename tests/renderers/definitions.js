// The definitions that are drawn, and what a drawing of one must show.

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import path from "node:path";
import { Machine, check, initSync } from "../../web/pkg/veristate.js";

const here = (relative) => fileURLToPath(new URL(relative, import.meta.url));
initSync({ module: readFileSync(here("../../web/pkg/veristate_bg.wasm")) });

/** All definitions: ours, those of `VERISTATE_CASES/hostile`, and those of `../shared`. */
export function definitions() {
  const folders = [here("../hostile"), process.env.VERISTATE_CASES && path.join(process.env.VERISTATE_CASES, "hostile")];
  const found = folders.filter((folder) => folder && existsSync(folder)).flatMap(ofFolder);
  const shared = here("../../../shared/cases/labels.json");
  if (existsSync(shared)) {
    for (const { name, definition } of JSON.parse(readFileSync(shared, "utf8"))) {
      found.push({ title: `shared ${name}`, definition });
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

/** What each state may say, as it is compared, outer states before inner ones. */
export function states(definition) {
  return everyState(definition.states).map((state) => {
    const history = { shallow: "H", deep: "H*" }[state.history];
    return {
      name: history ?? normal(state.name),
      title: history ?? normal(state.display_name ?? state.name),
      isTerminal: state.is_terminal ?? false,
      isCluster: inside(state).length > 0,
    };
  });
}

const inside = (state) => state.sub_machine?.states ?? state.regions ?? [];
const everyState = (states) => states.flatMap((state) => [state, ...everyState(inside(state))]);
const listOf = (names) => (Array.isArray(names) ? names : [names]);

/** What is drawn besides states and transitions: circles where machines begin and end, arrows out of the first, and
 * out of history states. */
export function marks(definition) {
  const all = everyState(definition.states);
  const machines = [definition, ...all.map((state) => state.sub_machine).filter(Boolean)];
  const levels = [definition.states, ...all.map(inside)];
  return {
    isFlat: levels.every((level, index) => index === 0 || level.length === 0),
    begins: machines.length,
    ends: levels.filter((level) => level.some((state) => state.is_terminal)).length,
    initial: machines.flatMap((machine) => listOf(machine.initial_state)).length,
    history: all.flatMap((state) => (state.history ? listOf(state.default_target) : [])).length,
  };
}

const WORDS = { completion: "when done", automatic: "at once" };

/** `machine.edges()`, each with what its arrow says: the `name` or the `action` of the transition, what else sets it
 * off, and its guard. */
export function arrows(definition, machine, field) {
  return machine.edges().map((edge) => {
    const transition = edge.pointer.split("/").slice(1).reduce((value, key) => value[key], definition);
    const word = WORDS[transition.trigger];
    const guard = transition.guard === undefined ? "" : ` [${transition.guard}]`;
    const said = word === undefined ? transition[field] : field === "name" ? `${transition.name} ${word}` : word;
    return { ...edge, label: normal(said + guard) };
  });
}
