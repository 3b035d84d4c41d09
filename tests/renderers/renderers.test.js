// Draws every definition with the real renderers and compares what is seen with what was defined.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { RENDERERS, Renderer, launch } from "./browser.js";
import { arrows, definitions, marks, normal, states } from "./definitions.js";

const OPTIONS = { readable: undefined, ids: { ids: true, states: "display_name" } };

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

for (const name of RENDERERS) {
  describe(name, () => {
    let renderer;
    before(async () => (renderer = await Renderer.open(browser, name)));
    for (const { title, definition, machine } of definitions()) {
      for (const [kind, options] of Object.entries(OPTIONS)) {
        test(`${title}, ${kind}`, () => compare(renderer, name, definition, machine, options));
      }
      // The older Mermaid reads the same statements: what marks and parts add is drawn in the newer one.
      if (name === "mermaid-11") continue;
      test(`${title}, highlighted`, () => highlighted(renderer, name, definition, machine));
      test(`${title}, in part`, () => partly(renderer, name, machine));
    }
  });
}

const write = (name, machine, options) => (name === "graphviz" ? machine.toDot(options) : machine.toMermaid(options));

async function compare(renderer, name, definition, machine, options) {
  const source = write(name, machine, options);
  try {
    const seen = await renderer.draw(source);
    const look = name === "graphviz" ? graphviz : mermaid;
    look(seen, definition, machine, options, source);
    assert.deepEqual(seen.events, [], "nothing but a drawing");
  } catch (error) {
    await renderer.reload();
    error.message += `\n\n${source.slice(0, 4000)}`;
    throw error;
  }
}

function graphviz(seen, definition, machine, options) {
  const wanted = states(definition);
  const drawn = arrows(definition, machine, "action");
  const { isFlat, initial, history } = marks(definition);
  const nodes = statesOfDot(seen);
  assert.deepEqual(nodes.map((state) => state.text).sort(), wanted.map((state) => state.title).sort());
  const plain = Array(isFlat ? 0 : initial + history).fill("");
  assert.deepEqual(seen.labels.map((label) => normal(label.text)).sort(), [...plain, ...drawn.map((arrow) => arrow.label)].sort());
  assert.equal(seen.clusters.length, wanted.filter((state) => state.isCluster).length);
  assert.ok(seen.edges.every((edge) => edge.length > 1));
  apart(seen.edges.map(({ d, start, end }) => [d, start, end].join()), "arrows");
  apart(visible(seen.labels), "labels");
  if (!options?.ids) return;
  const state = byId(nodes);
  wanted.forEach((one, index) => assert.equal(state.get(`st-s${index}`).text, one.title));
  const label = byId(seen.labels);
  const edge = byId(seen.edges);
  for (const arrow of drawn) {
    assert.equal(normal(label.get(arrow.id).text), arrow.label);
    joins(edge.get(arrow.id), state.get(stateId(machine, arrow.from, "st-")), state.get(stateId(machine, arrow.to, "st-")));
  }
  const first = isFlat ? machine.states().indexOf(path(definition.initial_state)) : -1;
  wanted.forEach((one, index) => {
    if (one.isCluster) return;
    const { rings } = state.get(`st-s${index}`);
    assert.equal(rings > 1, one.isTerminal || index === first, `two lines around ${one.title}`);
  });
}

function mermaid(seen, definition, machine, options, source) {
  const wanted = states(definition);
  const drawn = arrows(definition, machine, "name");
  const { begins, ends, initial, history } = marks(definition);
  const nodes = statesOfMermaid(seen);
  const text = says(source, machine, options);
  const terminals = wanted.filter((state) => state.isTerminal).length;
  assert.deepEqual(nodes.map((state) => state.text).sort(), wanted.map((state) => state[text]).sort());
  assert.equal(seen.marks, begins + ends, "the beginnings and the ends");
  assert.equal(seen.clusters.length, wanted.filter((state) => state.isCluster).length);

  const lines = group(drawn);
  const labels = [...lines.values()].map((arrows) => normal(arrows.map((arrow) => arrow.label).join("\n")));
  const texts = seen.labels.map((label) => normal(label.text)).filter((text) => text !== "");
  assert.deepEqual(texts.sort(), labels.filter((label) => label !== "").sort());
  assert.equal(seen.edges.length, initial + history + lines.size + terminals);
  assert.ok(seen.edges.every((edge) => edge.length > 1));
  apart(seen.edges.map(({ d, start, end }) => [d, start, end].join()), "arrows");
  apart(visible(seen.labels), "labels");
  for (const { text, isCut } of [...nodes, ...seen.labels]) {
    assert.ok(!isCut || normal(text) === "", `all of ${text} is seen`);
  }

  // Mermaid numbers edges by itself, so these hold with all options.
  const label = byId(seen.labels);
  const edge = byId(seen.edges);
  [...lines].forEach(([id], index) => assert.equal(normal(label.get(id)?.text ?? ""), labels[index]));
  if (!options?.ids) return;
  const state = byId(nodes);
  wanted.forEach((one, index) => assert.equal(state.get(`s${index}`).text, one.title));
  for (const arrow of drawn) {
    joins(edge.get(arrow.mermaid), state.get(stateId(machine, arrow.from, "")), state.get(stateId(machine, arrow.to, "")));
  }
}

async function highlighted(renderer, name, definition, machine) {
  const states = machine.states();
  const transitions = machine.edges().map((edge) => edge.transition);
  const highlight = { active: [states[0], states.at(-1)], visited: states, available: transitions.slice(0, 1), blocked: transitions.slice(1) };
  await compare(renderer, name, definition, machine, { highlight, ids: true, states: "display_name" });
}

/** Whether the states in a drawing say their names or their titles. Blocks and numbers stand for both. */
function says(source, machine, options) {
  if (options?.states) return "title";
  const readable = machine.toMermaid({ ...options, states: "name" });
  return readable === source ? "name" : "title";
}

/** Draws with what is inside of the outer states hidden, and with the neighbours of one state only. */
async function partly(renderer, name, machine) {
  const states = machine.states();
  const parts = [{ around: states.slice(-1) }];
  // Where nothing is inside of another state, nothing is hidden.
  if (machine.outline().some((state) => state.parent !== null)) parts.push({ collapsed: states });
  for (const part of parts) {
    const options = { ids: true, ...part };
    const source = write(name, machine, options);
    try {
      const seen = await renderer.draw(source);
      const isDot = name === "graphviz";
      const state = byId(isDot ? statesOfDot(seen).filter((one) => one.id.startsWith("st-")) : statesOfMermaid(seen));
      const edge = byId(seen.edges);
      for (const arrow of machine.edges(options)) {
        const end = (path) => state.get(stateId(machine, path, isDot ? "st-" : ""));
        joins(edge.get(isDot ? arrow.id : arrow.mermaid), end(arrow.from), end(arrow.to));
      }
      assert.deepEqual(seen.events, [], "nothing but a drawing");
    } catch (error) {
      await renderer.reload();
      error.message += `\n\n${source.slice(0, 4000)}`;
      throw error;
    }
  }
}

/** The states that Graphviz drew as boxes and as clusters, without points for beginnings and rings for borders. */
function statesOfDot({ states, clusters }) {
  const names = new Set(clusters.map((cluster) => cluster.name.replace(/^cluster_/, "")));
  const boxes = states.filter(({ name }) => !name.endsWith("__start") && !names.has(name));
  return [...boxes, ...clusters].map((state) => ({ ...state, text: normal(state.text) }));
}

/** The states that Mermaid drew as boxes and as clusters, without what stands for a border. */
function statesOfMermaid({ states, clusters }) {
  const boxes = states.filter((state) => !state.id.endsWith("__itself"));
  return [...boxes, ...clusters].map((state) => ({ ...state, text: normal(state.text) }));
}

function group(arrows) {
  const groups = new Map();
  for (const arrow of arrows) groups.set(arrow.mermaid, [...(groups.get(arrow.mermaid) ?? []), arrow]);
  return groups;
}

function byId(parts) {
  const map = new Map(parts.map((part) => [part.id, part]));
  assert.equal(map.size, parts.length, "ids are unique");
  return map;
}

function stateId(machine, path, prefix) {
  return `${prefix}s${machine.states().indexOf(path)}`;
}

/** A name as a path: dots and backslashes are escaped. */
function path(name) {
  return name.replace(/[.\\]/g, "\\$&");
}

/** Where labels are that have a width at all; a lone joiner has none. */
function visible(labels) {
  return labels.filter(({ box: [left, , right] }) => right > left).map((label) => label.box.join());
}

function apart(things, what) {
  assert.equal(new Set(things).size, things.length, `no two ${what} lie over each other`);
}

/** Whether an arrow begins at one state and ends at the other. */
function joins(edge, from, to) {
  const near = ([x, y], [left, top, right, bottom]) =>
    x > left - 20 && x < right + 20 && y > top - 20 && y < bottom + 20;
  assert.ok(near(edge.start, from.frame), `${edge.id} begins at ${from.text}`);
  assert.ok(near(edge.end, to.frame), `${edge.id} ends at ${to.text}`);
}
