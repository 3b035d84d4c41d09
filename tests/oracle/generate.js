// Random configs of XState: nested, parallel, with histories, of which each event sequence ends.

/** The events that a config names; `OTHER` is one that none names. */
export const EVENTS = ["A", "B", "C", "go.one", "go.two", "OTHER"];

/** The guards that a config asks, and what they say. */
export const GUARDS = { yes: true, no: false };

const DEEPEST = 4;
const NAMED = EVENTS.filter((event) => event !== "OTHER");

/** A random config. */
export function generate(random) {
  const root = node("m", undefined, random.chance(0.15) ? "parallel" : "compound", 0, random);
  const all = [...descendants(root)];
  // Such a root becomes a state of its own.
  if (random.chance(0.1)) root.config.entry = "effect";
  for (const state of all) {
    transitions(state, all, random);
  }
  return write(root);
}

/** A random sequence of events. */
export function sequence(random) {
  return Array.from({ length: 4 + random.below(9) }, () => random.pick(EVENTS));
}

// The tree of states, before anything leads from one to another.
function node(key, parent, kind, depth, random) {
  const state = { key, parent, kind, config: {}, states: [] };
  if (kind !== "compound" && kind !== "parallel") return state;
  const count = 2 + random.below(depth === 0 ? 3 : 2);
  for (let index = 0; index < count; index++) {
    // Keys repeat at every level, so that a target must be found where XState finds it.
    state.states.push(node("abcd"[index], state, inside(state, depth + 1, index, random), depth + 1, random));
  }
  if (random.chance(0.3)) {
    state.states.push(node("h", state, "history", depth + 1, random));
  }
  return state;
}

function inside(parent, depth, index, random) {
  const roll = random.next();
  if (depth < DEEPEST) {
    if (roll < 0.3) return "compound";
    if (roll < 0.45) return "parallel";
  }
  // The first child of a compound state is no end: a machine that has ended at once says little.
  if (parent.kind === "parallel") return roll > 0.9 ? "final" : roll > 0.6 ? "atomic" : depth < DEEPEST ? "compound" : "atomic";
  return index > 0 && roll > 0.75 ? "final" : "atomic";
}

function* descendants(state) {
  yield state;
  for (const child of state.states) yield* descendants(child);
}

function transitions(state, all, random) {
  const { config, kind } = state;
  if (kind === "compound") {
    config.initial = random.pick(state.states.filter((child) => !["history", "final"].includes(child.kind))).key;
  }
  if (kind === "history") {
    config.history = random.chance(0.5) ? "deep" : "shallow";
    // Without one XState takes the initial state of the state around it.
    const targets = state.parent.states.filter((child) => child !== state && child.kind !== "history");
    if (state.parent.kind === "compound" && random.chance(0.5)) config.target = random.pick(targets).key;
    return;
  }
  if (kind === "final") return;
  for (const event of NAMED) {
    if (random.chance(state.parent === undefined ? 0.1 : 0.35)) {
      config.on ??= {};
      config.on[event] = ways(state, all, random);
    }
  }
  if (random.chance(0.05)) (config.on ??= {})["go.*"] = ways(state, all, random);
  // XState gives a `*` the ends of states, too, and Veristate does not: only where nothing ends.
  if (random.chance(0.05) && all.every((other) => other.kind !== "final")) (config.on ??= {})["*"] = ways(state, all, random);
  // What happens by itself leads on to a later sibling, so that it comes to an end.
  const later = laterSiblings(state);
  if (later.length > 0 && random.chance(0.12)) {
    config.always = { target: random.pick(later).key, guard: random.pick(["yes", "no"]) };
  }
  if ((kind === "compound" || kind === "parallel") && state.parent !== undefined && random.chance(0.6)) {
    config.onDone = later.length > 0 ? { target: random.pick(later).key } : { actions: "done" };
  }
}

function laterSiblings(state) {
  if (state.parent?.kind !== "compound") return [];
  const siblings = state.parent.states;
  return siblings.slice(siblings.indexOf(state) + 1).filter((sibling) => sibling.kind !== "history");
}

function ways(state, all, random) {
  const list = Array.from({ length: random.chance(0.25) ? 2 : 1 }, () => way(state, all, random));
  return list.length === 1 ? list[0] : list;
}

function way(state, all, random) {
  const way = {};
  if (random.chance(0.25)) way.guard = random.pick(["yes", "no"]);
  if (random.chance(0.1)) return { ...way, actions: "effect" };
  if (random.chance(0.3)) way.reenter = true;
  const several = random.chance(0.08) ? inRegions(all, random) : undefined;
  way.target = several ?? target(state, random.pick(all.slice(1)), random);
  return way;
}

/** One state in each of two regions. */
function inRegions(all, random) {
  const parallel = all.filter((state) => state.kind === "parallel" && state.parent !== undefined);
  if (parallel.length === 0) return undefined;
  const regions = random.pick(parallel).states.filter((region) => region.kind !== "history");
  const targets = regions.slice(0, 2).map((region) => {
    const inside = [...descendants(region)].filter((state) => state.kind !== "history");
    return id(random.pick(inside));
  });
  return targets.length === 2 ? targets : undefined;
}

/** One of the ways in which XState lets a state be named. */
function target(source, state, random) {
  const isInside = path(state).length > path(source).length && path(source).every((key, at) => path(state)[at] === key);
  if (isInside && random.chance(0.6)) return `.${path(state).slice(path(source).length).join(".")}`;
  if (source.parent !== undefined && source.parent === state.parent && random.chance(0.7)) return state.key;
  return id(state);
}

const path = (state) => (state.parent === undefined ? [] : [...path(state.parent), state.key]);
const id = (state) => `#${["m", ...path(state)].join(".")}`;

function write(state) {
  const config = { ...(state.parent === undefined && { id: "m" }), ...state.config };
  if (state.kind === "parallel" || state.kind === "final" || state.kind === "history") config.type = state.kind;
  if (state.states.length > 0) config.states = Object.fromEntries(state.states.map((child) => [child.key, write(child)]));
  return config;
}
