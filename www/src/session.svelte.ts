/**
 * The open document and everything derived from it: diagnostics, the machine,
 * one frame per entry, what is available now. Components read from here and
 * change it only through its methods.
 */
import { announce, announceLater, hush } from "./announce.svelte";
import {
  check,
  evaluate,
  Machine,
  messageOf,
  type Availability,
  type Context,
  type Due,
  type Edge,
  type Evaluation,
  type GuardAnswer,
  type Input,
  type Missing,
  type Snapshot,
  type State,
  type StateOutline,
  type Transition,
  type Violation,
} from "./core";
import { append, contentOf, SETTINGS, type Actor, type Document, type Entry, type GuardValue, type Settings, type View, type Json } from "./document";
import { isObject, parseObject, parseSettings, setIn } from "./object";
import { formatOf, importFrom, type Finding, type Format } from "./foreign";
import { list } from "./format";
import { misfit } from "./guards";
import { write } from "./link";
import { composites, folded, MANY, shown } from "./nesting";
import { arrange } from "./panels/actions";
import { lookUp, pathIn } from "./pointer";
import { firstFrame, guardValue, nextFrame, plain, registerGuards, type Frame } from "./replay";
import type { Overlay } from "./draw/overlay";
import { outcomeOf } from "./sentences";
import * as storage from "./storage";
import * as tabs from "./tabs";

const CHECK_DELAY = 140;
const LINK_DELAY = 250;
const DATA_DELAY = 350;
/** Milliseconds. A link from a stranger must not hang the page. */
const REPLAY_LIMIT = 4_000;

/** What is typed as text and becomes data: the object's, and the settings. */
export type Typed = "object" | "settings";

const TEXTS = { object: "object_text", settings: "settings_text" } as const;

export class Session {
  document = $state.raw<Document>()!;
  diagnostics = $state.raw<Finding[]>([]);
  machine = $state.raw<Machine | null>(null);
  frames = $state.raw<Frame[]>([]);
  /** The text in the editor is not a valid definition: what is shown is the last one that was. */
  stale = $state(false);
  saved = $state(true);
  /** The text in the editor is another's: it is not played, but can be imported once it has no problems. */
  foreign = $state<Format | null>(null);
  /** Counts the documents that were opened: what belongs to one alone ends with the next. */
  opened = $state(0);
  /** Why the text in an editor of data is none. */
  problems = $state<Record<Typed, string>>({ object: "", settings: "" });
  linkLength = $state(0);
  /** What is pointed at, in the drawing or in a list: one selection everywhere. */
  hover = $state.raw<{ action: string; transition?: string } | null>(null);
  /** A state that was chosen in the drawing or a list. */
  selected = $state<string | null>(null);
  /** What stands on the drawing in place of the object that is played. */
  overlay = $state.raw<Overlay | null>(null);
  /** The expression that is tried, and the button that sent it there; the count makes each request to try one a new one. */
  tried = $state.raw<{ text: string; open: boolean; count: number; from?: HTMLElement }>({ text: "", open: false, count: 0 });
  /** The field that is being set, and the list in which: one at a time. */
  setting = $state.raw<{ at: string; path: string } | null>(null);
  /** A place in the definition's text to show; the count makes each request a new one. */
  jump = $state.raw<{ line: number; column: number; count: number } | null>(null);
  pointer = $state.raw<{ path: (string | number)[]; open: boolean; count: number } | null>(null);

  frame = $derived<Frame | undefined>(this.frames.at(-1));
  snapshot = $derived<Snapshot | null>(this.frame?.snapshot ?? null);
  ctx = $derived<Context>(this.frame?.ctx ?? {});
  now = $derived(String(this.ctx.timestamp ?? this.document?.start ?? ""));
  guards = $derived(this.frame?.guards ?? {});
  hostGuards = $derived<string[]>(this.machine?.hostGuards() ?? []);
  permissions = $derived<string[]>(this.machine?.permissions() ?? []);
  /** As the package has read it. */
  definition = $derived(this.machine?.definition);
  edges = $derived<Edge[]>(this.machine?.edges() ?? []);
  /** By the name of their transition, which may stand in several machines. */
  byName = $derived<Map<string, Edge[]>>(namesOf(this.edges));
  /** All states in document order, outer ones before inner ones. */
  outline = $derived<StateOutline[]>(this.machine?.outline() ?? []);
  /** By path. A path is not a name: a dot inside a name is escaped in it. */
  places = $derived<Map<string, StateOutline>>(new Map(this.outline.map((one) => [one.path, one])));
  /** By path: what the definition says of each. */
  states = $derived<Map<string, State>>(new Map(this.outline.map((one) => [one.path, lookUp(this.definition, one.pointer) as State])));
  /** The states that have states inside. */
  composites = $derived<StateOutline[]>(composites(this.outline));
  /** Those of them that are drawn as one box. */
  collapsed = $derived<string[]>(folded(this.outline, this.document?.view.collapsed ?? null));
  /** How many states a drawing shows that shows all. */
  drawable = $derived(shown(this.outline, this.collapsed).length);
  /** Only what is near the active states, and the chosen one, is drawn. */
  near = $derived(this.document?.view.near ?? this.drawable > MANY);
  around = $derived<string[]>(this.near ? [...(this.overlay?.active ?? this.snapshot?.states ?? []), ...(this.selected === null ? [] : [this.selected])] : []);
  /** The states that are active now, inner and outer ones, in document order. */
  active = $derived<string[]>(activeIn(this.outline, this.snapshot));
  available = $derived<Availability[]>(this.#ask((machine, snapshot) =>
    machine.available(snapshot, this.ctx, { all: true }).map(inPlainWords), []));
  arranged = $derived(this.#arrange(this.available));
  /** The guards of every transition that leads out of the present state, with what they say now. */
  answers = $derived<GuardAnswer[]>(this.#ask((machine, snapshot) => machine.guards(snapshot, this.ctx).map(inPlainWordsToo), []));
  /** What the guards of the definition read. */
  inputs = $derived<Input[]>(this.machine?.inputs() ?? []);
  /** The entry conditions of the present state that the object breaks. */
  violations = $derived<Violation[]>(this.#ask((machine, snapshot) => machine.checkObject(snapshot, this.ctx).map(inPlainWordsToo), []));
  deadlines = $derived<Due[]>(this.#ask((machine, snapshot) => machine.deadlines(snapshot), []));
  permits = $derived(this.#ask(
    (machine, snapshot) =>
      machine.operations().map((name: string) => ({ name, permitted: machine.permits(snapshot, name).permitted })),
    [] as { name: string; permitted: boolean }[],
  ));
  actor = $derived<Actor | undefined>(this.document?.actors.find((one) => one.id === this.ctx.actor_id));
  errors = $derived(this.diagnostics.filter((one) => one.severity === "error").length);
  title = $derived(this.document?.title ?? "");
  /** Steps that are not played, for want of a valid definition, are not taken back either. */
  canUndo = $derived(this.frames.length > 1);
  settings = $derived<Settings>(settingsIn(this.frame?.ctx ?? this.document?.settings ?? {}));
  texts = $derived<Record<Typed, string>>({
    object: this.document?.object_text ?? written(this.snapshot?.object ?? this.document?.object ?? {}),
    settings: this.document?.settings_text ?? written(this.settings),
  });

  /** The switches that the guards read when the machine asks them. */
  #asked: Record<string, GuardValue> = {};
  /** The text of the machine in use. */
  #used: string | null = null;
  #checking: ReturnType<typeof setTimeout> | undefined;
  #linking: ReturnType<typeof setTimeout> | undefined;
  #editing: ReturnType<typeof setTimeout> | undefined;
  #count = 0;
  /** The order of the actions since the object came to be as it is. */
  #order: { opened: number; machine: Machine; version: number; states: string; actions: string[] } | null = null;
  /** The document was opened and not changed since. */
  #isNew = false;

  /** The text of the definition that is in use; nothing while there never was a valid one. */
  get usedText(): string | null {
    return this.machine ? this.#used : null;
  }

  #arrange(available: Availability[]): ReturnType<typeof arrange> {
    const { opened, machine, snapshot } = this;
    const { edges, outline } = this;
    if (!machine || !snapshot) return arrange(available, edges, outline);
    const now = { opened, machine, version: snapshot.version, states: snapshot.states.join() };
    const { actions: before, ...then } = this.#order ?? { actions: [] };
    const isSame = Object.entries(now).every(([name, value]) => (then as Record<string, unknown>)[name] === value);
    const arranged = arrange(available, edges, outline, isSame ? before : []);
    this.#order = { ...now, actions: arranged.here.map((choice) => choice.action) };
    return arranged;
  }

  /** Asks the machine about the present; a question that it refuses has an empty answer. */
  #ask<Answer>(question: (machine: Machine, snapshot: Snapshot) => Answer, otherwise: Answer): Answer {
    if (!this.machine || !this.snapshot) return otherwise;
    this.#asked = this.guards;
    try {
      return question(this.machine, this.snapshot);
    } catch {
      return otherwise;
    }
  }

  /** Shows another document. `inPlace`: the address bar shows it already, so there is no new place to come back from. */
  open(document: Document, inPlace = false): void {
    // What was typed last belongs to the document that is left.
    this.#playTyped();
    clearTimeout(this.#checking);
    clearTimeout(this.#linking);
    hush();
    const isFirst = this.opened === 0;
    this.opened += 1;
    this.machine?.free();
    this.machine = null;
    this.#used = null;
    this.frames = [];
    this.selected = null;
    this.overlay = null;
    this.hover = null;
    this.setting = null;
    this.jump = null;
    this.pointer = null;
    this.tried = { ...this.tried, count: 0 };
    this.document = document;
    this.linkLength = document.link.length;
    if (!isFirst && !inPlace && document.link !== location.hash) history.pushState(null, "", location.href);
    storage.keepLinkBefore(undefined);
    this.#showLink(document.link || location.hash);
    this.#check();
    if (!this.machine && document.valid !== null) this.#use(document.valid);
    if (storage.isOwn(document.id)) storage.keepCurrent(document.id);
    else this.#keep();
    this.#isNew = true;
    tabs.ask(document.id);
    this.#readTyped();
    this.#playTyped();
    if (this.document.link === "") void this.#link();
  }

  /** A change in the editor. Checked after a pause; the text itself is kept at once. */
  edit(text: string): void {
    if (text === this.document.text) return;
    this.#change({ text });
    clearTimeout(this.#checking);
    this.#checking = setTimeout(() => this.#check(), CHECK_DELAY);
  }

  #check(): void {
    const { text } = this.document;
    this.foreign = formatOf(text) ?? null;
    if (this.foreign) {
      const imported = importFrom(this.foreign, text);
      this.stale = true;
      this.diagnostics = "findings" in imported ? imported.findings : [];
      return;
    }
    try {
      this.diagnostics = check(text);
    } catch (error) {
      this.stale = true;
      announce(`The definition could not be checked: ${messageOf(error)}`);
      return;
    }
    if (this.errors > 0) {
      this.stale = true;
      return;
    }
    if (this.#use(text)) this.document = { ...this.document, valid: null };
  }

  /** Makes `text` the definition that is drawn and played, if it is one. */
  #use(text: string): boolean {
    let machine: Machine;
    try {
      machine = new Machine(text);
    } catch {
      this.stale = true;
      return false;
    }
    const old = this.machine;
    registerGuards(machine, () => this.#asked);
    this.machine = machine;
    this.#used = text;
    this.stale = text !== this.document.text;
    this.#replay();
    if (this.selected !== null && !this.states.has(this.selected)) this.selected = null;
    old?.free();
    return true;
  }

  #replay(): void {
    if (!this.machine) return;
    this.#asked = this.document.guards;
    let frame = firstFrame(this.machine, this.document, this.document.guards);
    const frames = [frame];
    const { entries } = this.document;
    const until = performance.now() + REPLAY_LIMIT;
    for (const entry of entries) {
      if (performance.now() > until) break;
      frame = this.#next(frame, entry);
      frames.push(frame);
    }
    this.frames = frames;
    const played = frames.length - 1;
    if (played === entries.length) return;
    this.document = { ...this.document, entries: entries.slice(0, played) };
    announce(`The steps take too long to play: the first ${played} of ${entries.length} are shown`);
  }

  #next(before: Frame, entry: Entry): Frame {
    return nextFrame(this.machine!, this.document, before, entry, (guards) => {
      this.#asked = guards;
    });
  }

  /** A change in an editor of data. The text is kept at once; it becomes data after a pause, if it is JSON. */
  editData(kind: Typed, text: string): void {
    if (text === this.texts[kind]) return;
    this.#change({ [TEXTS[kind]]: text });
    clearTimeout(this.#editing);
    this.#editing = setTimeout(() => {
      this.#readTyped();
      this.#playTyped();
    }, DATA_DELAY);
  }

  /** The entries that make what was typed the data, where it is valid. */
  #readTyped(): Entry[] {
    this.problems = { object: "", settings: "" };
    const read = (kind: Typed, entry: (text: string) => Entry): Entry[] => {
      const text = this.document?.[TEXTS[kind]] ?? null;
      if (text === null) return [];
      try {
        return [entry(text)];
      } catch (error) {
        this.problems[kind] = messageOf(error);
        return [];
      }
    };
    return [
      ...read("object", (text) => ({ do: "object", object: parseObject(text) })),
      ...read("settings", (text) => ({ do: "settings", settings: parseSettings(text) })),
    ];
  }

  #playTyped(): void {
    clearTimeout(this.#editing);
    if (!this.frame || !this.snapshot) return;
    for (const entry of this.#readTyped()) {
      const { entries, object, settings } = this.document;
      const last = entries.findLast((one) => one.do === entry.do);
      if (JSON.stringify(dataOf(entry)) === JSON.stringify(last ? dataOf(last) : entry.do === "object" ? object : settings)) continue;
      const { problem } = this.#next(this.frame, entry);
      if (problem === null) this.#play(entry);
      else if (entry.do === "settings") this.problems.settings = problem;
      else this.problems.object = problem;
    }
  }

  /** Text that is no data stays in its editor; other text gives way to the data as they are then. */
  #keptTexts(): Pick<Document, "object_text" | "settings_text"> {
    const read = this.#readTyped().map((entry) => entry.do);
    const { object_text, settings_text } = this.document;
    return { object_text: read.includes("object") ? null : object_text, settings_text: read.includes("settings") ? null : settings_text };
  }

  /** Whether a field that a guard reads can be set: the object's and the settings can, who acts and the clock have controls of their own. */
  canSet(keys: readonly string[]): boolean {
    const [root, field] = keys;
    return (root === "object" && keys.length > 1) || (root === "ctx" && SETTINGS.some((one) => one === field));
  }

  /** Sets one field of the object or of the settings. What is in the way is returned. */
  setField(input: Input, value: Json): string | undefined {
    this.#playTyped();
    const [root, ...rest] = input.keys;
    const kind: Typed = root === "object" ? "object" : "settings";
    const name = kind === "object" ? "object" : "context";
    if (this.problems[kind] !== "") return `the text in the editor of the ${name} must be mended first`;
    const data = setIn((kind === "object" ? this.snapshot?.object : this.settings) as Json, rest, value);
    if (data === undefined) return "a part of this path is no object: change it in the editor";
    const entry: Entry = kind === "object" ? { do: "object", object: data } : { do: "settings", settings: data as Settings };
    const after = this.frame && this.#next(this.frame, entry);
    if (after?.problem) return after.problem;
    if (after && !this.#fits(input, after)) return misfit(input.types);
    // Where text is one of several types that fit, words may have been typed for a number.
    const clash = after && typeof value === "string" && input.types.length > 1 ? this.#clash(after) : undefined;
    if (clash !== undefined) return `As text this does not fit: ${clash}`;
    this.#change({ [TEXTS[kind]]: null });
    // A step of its own: undo takes back this field alone.
    if (after) this.#add([...this.document.entries, entry], [...this.frames, after]);
    return undefined;
  }

  /** Whether the value of a field is of a type that its guards take: the package reads it and says which it is. */
  #fits({ path, types }: Input, { snapshot, ctx }: Frame): boolean {
    if (types.length === 0 || !snapshot) return true;
    const { type } = this.#ask((machine) => machine.evaluate(path, snapshot, ctx), {} as { type?: string });
    return type === undefined || types.includes(type);
  }

  /** What the guards would newly find of a wrong type. */
  #clash(after: Frame): string | undefined {
    const found = (frame: Frame | undefined): string[] => {
      if (!frame?.snapshot) return [];
      const { snapshot, ctx } = frame;
      const answers = this.#ask((machine) => [...machine.guards(snapshot, ctx), ...machine.checkObject(snapshot, ctx)], []);
      return answers.flatMap((one) => one.missing ?? []).flatMap((one) => (one.code === "wrong-type" ? [one.message] : []));
    };
    const before = new Set(found(this.frame));
    return found(after).find((message) => !before.has(message));
  }

  /** Puts an expression where it can be changed and tried. */
  tryOut(text: string, from: HTMLElement): void {
    this.tried = { text, open: true, count: ++this.#count, from };
  }

  /** An expression tried on the present, as a guard of the definition would see it. */
  evaluate(expression: string): Evaluation {
    const answer = this.#ask((machine, snapshot) => machine.evaluate(expression, snapshot, this.ctx), null);
    return inPlainWordsToo(answer ?? evaluate(expression, {}));
  }

  /** Does one thing and says what came of it. */
  play(entry: Entry): Frame | undefined {
    if (!this.machine || this.frames.length === 0) return undefined;
    this.#playTyped();
    return this.#play(entry);
  }

  #play(entry: Entry): Frame | undefined {
    if (!this.machine || this.frames.length === 0) return undefined;
    const entries = append(this.document.entries, entry);
    const kept = this.frames.slice(0, entries.length);
    return this.#add(entries, [...kept, this.#next(kept.at(-1)!, entry)]);
  }

  #add(entries: Entry[], frames: Frame[]): Frame {
    const frame = frames.at(-1)!;
    this.frames = frames;
    this.#change({ entries });
    const outcome = outcomeOf(frame, this);
    if (outcome) announce(outcome.text, outcome.refused ? "refused" : "done");
    return frame;
  }

  /** Moves the clock on. What the package refuses to play changes nothing and is returned. */
  advance(by: string): string | undefined {
    if (!this.frame) return undefined;
    this.#playTyped();
    const entry: Entry = { do: "advance", by };
    const frame = this.#next(this.frame, entry);
    if (frame.problem !== null) return frame.problem;
    this.#add([...this.document.entries, entry], [...this.frames, frame]);
    return undefined;
  }

  take(action: string): Frame | undefined {
    return this.play({ do: "action", action });
  }

  actAs(actor: Actor, permissions: string[] = actor.permissions): void {
    this.play({ do: "actor", actor: actor.id, permissions });
  }

  setGuard(guard: string, value: GuardValue): void {
    if (guardValue(this.guards, guard) !== value) this.play({ do: "guard", guard, value });
  }

  undo(): void {
    this.#playTyped();
    if (!this.canUndo) {
      announce("Nothing to undo");
      return;
    }
    this.frames = this.frames.slice(0, -1);
    this.#change({ entries: this.document.entries.slice(0, -1), ...this.#keptTexts() });
    announce("Undone", "quiet");
  }

  restart(): void {
    if (!this.canUndo) return;
    this.#change({ entries: [], ...this.#keptTexts() });
    this.#replay();
    announce("Started again", "quiet");
  }

  /** What would be answered with other permissions or guards. Nothing is changed. */
  wouldBe(action: string, ctx: Context, guards: Record<string, GuardValue>): Availability | undefined {
    if (!this.machine || !this.snapshot) return undefined;
    this.#asked = guards;
    try {
      return this.machine
        .available(this.snapshot, ctx, { all: true })
        .find((choice) => choice.action === action);
    } catch {
      return undefined;
    } finally {
      this.#asked = this.guards;
    }
  }

  show(view: Partial<View>): void {
    if (view.renderer) storage.keepSetting("renderer", view.renderer);
    this.#change({ view: { ...this.document.view, ...view } }, this.document.touched);
  }

  goTo(line: number | null, column: number | null): void {
    if (line !== null) this.jump = { line, column: column ?? 1, count: ++this.#count };
  }

  /** Shows a place of the definition in the editor. `open`: also when the editor is folded. */
  reveal(path: (string | number)[], open = false): void {
    this.pointer = { path, open, count: ++this.#count };
  }

  select(state: string | null): void {
    this.selected = state;
    const place = state === null ? undefined : this.places.get(state);
    if (place) this.reveal(pathIn(this.definition, place.pointer));
  }

  /** Draws a state as one box, or with what is inside. */
  fold(path: string, closed: boolean): void {
    const others = this.collapsed.filter((one) => one !== path);
    this.show({ collapsed: closed ? [...others, path] : others });
  }

  /** What people read, without what is around it. */
  titleOf(path: string): string {
    return this.places.get(path)?.title ?? path;
  }

  /** The titles from the outermost state to this one. */
  crumbs(path: string): string[] {
    const titles: string[] = [];
    for (let at = this.places.get(path); at; at = at.parent === null ? undefined : this.places.get(at.parent)) titles.unshift(at.title);
    return titles.length > 0 ? titles : [path];
  }

  /** Whether a state is another one, or inside of it. */
  isIn(path: string, around: string): boolean {
    let at: string | null = path;
    while (at !== null && at !== around) at = this.places.get(at)?.parent ?? null;
    return at === around;
  }

  /** A state among those of other regions: `Legal › Pending`. */
  displayName(path: string): string {
    return this.crumbs(path).slice(-2).join(" › ");
  }

  /** Names of transitions are unique in their machine only: the states that were left say which is meant. */
  transitionTitle(name: string, from: readonly string[]): string {
    const edges = this.byName.get(name) ?? [];
    const edge = edges.find((one) => from.includes(one.from)) ?? edges[0];
    return (edge && this.transitionOf(edge)?.display_name) ?? name;
  }

  /** What the definition says of the transition of an arrow. */
  transitionOf(edge: Edge): Transition | undefined {
    return edge.pointer ? (lookUp(this.definition, edge.pointer) as Transition | undefined) : undefined;
  }

  #change(change: Partial<Document>, touched = true): void {
    const document = { ...this.document, ...change, updated: Date.now(), touched };
    // The old link shows something else from now on; the new one follows after a pause.
    document.link = "";
    document.valid = this.#used === document.text ? null : (this.#used ?? document.valid);
    this.document = document;
    this.#keep();
    this.#isNew = false;
    clearTimeout(this.#linking);
    this.#linking = setTimeout(() => void this.#link(), LINK_DELAY);
  }

  /** Another tab has the document open. Once this tab has written it too, the other one sees that and makes way. */
  leaveToOther(id: string): void {
    if (this.#isNew && this.document.id === id) storage.leaveToOther(id);
  }

  #keep(): void {
    const { ok, id, gone } = storage.save(this.document);
    this.saved = ok;
    if (id !== this.document.id) {
      this.document = { ...this.document, id };
      announceLater("Another tab has this document open: what you change is kept in a copy");
    }
    if (gone.length > 0) announceLater(`To make room, the browser no longer keeps ${list(gone)}`);
  }

  /** The address names the document too, so that going back finds it with its steps. */
  #showLink(link: string): void {
    const state = { document: this.document.id };
    try {
      history.replaceState(state, "", link);
    } catch {
      // Browsers refuse addresses beyond some megabytes: the page goes on without one.
      history.replaceState(state, "", location.pathname);
    }
  }

  async #link(): Promise<void> {
    const { document } = this;
    const link = await write(contentOf(document));
    if (this.document !== document) return;
    this.document = { ...document, link };
    this.linkLength = link.length;
    storage.keepLinkBefore(location.hash);
    this.#showLink(link);
    this.#keep();
  }

  /** The whole address that shows what is shown now. */
  async address(): Promise<string> {
    clearTimeout(this.#linking);
    if (!this.document.link.startsWith("#ex=")) await this.#link();
    return new URL(this.document.link, location.href).href;
  }
}

function written(data: unknown): string {
  return JSON.stringify(data, null, 2);
}

function dataOf(entry: Entry): unknown {
  return entry.do === "object" ? entry.object : entry.do === "settings" ? entry.settings : undefined;
}

/** The settings of a context that say something, and `config` in any case. */
function settingsIn(ctx: Context): Settings {
  const isSaid = (value: unknown): boolean => value !== undefined && value !== null && !(isObject(value) && Object.keys(value).length === 0);
  return { config: {}, ...Object.fromEntries(SETTINGS.flatMap((name) => (isSaid(ctx[name]) ? [[name, ctx[name]]] : []))) };
}

function inPlainWordsToo<Answer extends { message?: string; missing?: Missing[] }>(answer: Answer): Answer {
  const missing = answer.missing?.map((one) => ({ ...one, message: plain(one.message) }));
  return { ...answer, ...(answer.message === undefined ? {} : { message: plain(answer.message) }), ...(missing ? { missing } : {}) };
}

function inPlainWords(choice: Availability): Availability {
  return { ...choice, reasons: choice.reasons.map(inPlainWordsToo) };
}

function namesOf(edges: readonly Edge[]): Map<string, Edge[]> {
  const all = new Map<string, Edge[]>();
  for (const edge of edges) {
    const known = all.get(edge.transition);
    if (known) known.push(edge);
    else all.set(edge.transition, [edge]);
  }
  return all;
}

function activeIn(outline: readonly StateOutline[], snapshot: Snapshot | null): string[] {
  const entered = snapshot?.entered_at ?? {};
  return outline.flatMap(({ path }) => (Object.hasOwn(entered, path) ? [path] : []));
}

export const session = new Session();

tabs.listen(
  (id) => session.document?.id === id && storage.isOwn(id),
  (id) => session.leaveToOther(id),
);
