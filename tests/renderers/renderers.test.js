// Draws every definition with the real renderers and compares what is seen with what was defined.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { RENDERERS, Renderer, launch } from "./browser.js";
import { arrows, definitions, normal, states } from "./definitions.js";

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
      test(`${title}, highlighted`, () => highlighted(renderer, name, definition, machine));
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
  const nodes = seen.states.map((state) => ({ ...state, text: normal(state.text) }));
  assert.deepEqual(nodes.map((state) => state.text).sort(), wanted.map((state) => state.title).sort());
  assert.deepEqual(seen.labels.map((label) => normal(label.text)).sort(), drawn.map((arrow) => arrow.label).sort());
  assert.ok(seen.edges.every((edge) => edge.length > 1));
  apart(seen.edges.map((edge) => edge.d), "arrows");
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
  const initial = machine.states().indexOf(path(definition.initial_state));
  wanted.forEach((one, index) => {
    const { rings } = state.get(`st-s${index}`);
    assert.equal(rings > 1, one.isTerminal || index === initial, `two lines around ${one.title}`);
  });
}

function mermaid(seen, definition, machine, options, source) {
  const wanted = states(definition);
  const drawn = arrows(definition, machine, "name");
  const nodes = seen.states.map((state) => ({ ...state, text: normal(state.text) }));
  const text = source.includes("    state \"") ? "title" : "name";
  const terminals = wanted.filter((state) => state.isTerminal).length;
  assert.deepEqual(nodes.map((state) => state.text).sort(), wanted.map((state) => state[text]).sort());
  assert.equal(seen.marks, terminals > 0 ? 2 : 1, "the beginning and the end");

  const lines = group(drawn);
  const labels = [...lines.values()].map((arrows) => normal(arrows.map((arrow) => arrow.label).join("\n")));
  const texts = seen.labels.map((label) => normal(label.text)).filter((text) => text !== "");
  assert.deepEqual(texts.sort(), labels.filter((label) => label !== "").sort());
  assert.equal(seen.edges.length, 1 + lines.size + terminals);
  assert.ok(seen.edges.every((edge) => edge.length > 1));
  apart(seen.edges.map((edge) => edge.d), "arrows");
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
  const transitions = (definition.transitions ?? []).map((transition) => transition.name);
  const highlight = { active: states.slice(0, 1), visited: states, available: transitions.slice(0, 1), blocked: transitions.slice(1) };
  for (const ids of [false, true]) await compare(renderer, name, definition, machine, { highlight, ids, states: "display_name" });
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
