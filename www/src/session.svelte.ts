/**
 * The open document and everything derived from it: diagnostics, the machine,
 * one frame per entry, what is available now. Components read from here and
 * change it only through its methods.
 */
import { announce, announceLater, hush } from "./announce.svelte";
import {
  check,
  Machine,
  messageOf,
  type Availability,
  type Context,
  type Diagnostic,
  type Due,
  type Edge,
  type Snapshot,
  type State,
} from "./core";
import { append, contentOf, type Actor, type Document, type Entry, type GuardValue, type Json, type View } from "./document";
import { parseObject } from "./object";
import { list } from "./format";
import { write } from "./link";
import { arrange } from "./panels/actions";
import { firstFrame, guardValue, nextFrame, plain, registerGuards, type Frame } from "./replay";
import { outcomeOf } from "./sentences";
import * as storage from "./storage";
import * as tabs from "./tabs";

const CHECK_DELAY = 140;
const LINK_DELAY = 250;
const OBJECT_DELAY = 350;
/** Milliseconds. A link from a stranger must not hang the page. */
const REPLAY_LIMIT = 4_000;

export class Session {
  document = $state.raw<Document>()!;
  diagnostics = $state.raw<Diagnostic[]>([]);
  machine = $state.raw<Machine | null>(null);
  frames = $state.raw<Frame[]>([]);
  /** The text in the editor is not a valid definition: what is shown is the last one that was. */
  stale = $state(false);
  saved = $state(true);
  /** Counts the documents that were opened: what belongs to one alone ends with the next. */
  opened = $state(0);
  /** Why the text in the object's editor is no data. */
  objectProblem = $state("");
  linkLength = $state(0);
  /** What is pointed at, in the drawing or in a list: one selection everywhere. */
  hover = $state.raw<{ action: string; transition?: string } | null>(null);
  /** A state that was chosen in the drawing or a list. */
  selected = $state<string | null>(null);
  /** A place in the definition's text to show; the count makes each request a new one. */
  jump = $state.raw<{ line: number; column: number; count: number } | null>(null);
  pointer = $state.raw<{ path: (string | number)[]; count: number } | null>(null);

  frame = $derived<Frame | undefined>(this.frames.at(-1));
  snapshot = $derived<Snapshot | null>(this.frame?.snapshot ?? null);
  ctx = $derived<Context>(this.frame?.ctx ?? {});
  now = $derived(String(this.ctx.timestamp ?? this.document?.start ?? ""));
  guards = $derived(this.frame?.guards ?? {});
  hostGuards = $derived<string[]>(this.machine?.hostGuards() ?? []);
  permissions = $derived<string[]>(this.machine?.permissions() ?? []);
  edges = $derived<Edge[]>(this.machine?.edges() ?? []);
  /** The paths of all states in document order. A path is not a name: a dot inside a name is escaped in it. */
  paths = $derived<string[]>(this.machine?.states() ?? []);
  /** By path. */
  states = $derived<Map<string, State>>(byPath(this.paths, this.machine?.definition.states ?? []));
  available = $derived<Availability[]>(this.#ask((machine, snapshot) =>
    machine.available(snapshot, this.ctx, { all: true }).map(inPlainWords), []));
  arranged = $derived(arrange(this.available, this.machine?.definition.transitions ?? []));
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
  objectText = $derived(
    this.document?.object_text ?? JSON.stringify(this.snapshot?.object ?? this.document?.object ?? {}, null, 2),
  );

  /** The switches that the guards read when the machine asks them. */
  #asked: Record<string, GuardValue> = {};
  /** The text of the machine in use. */
  #used: string | null = null;
  #checking: ReturnType<typeof setTimeout> | undefined;
  #linking: ReturnType<typeof setTimeout> | undefined;
  #editing: ReturnType<typeof setTimeout> | undefined;
  #count = 0;
  /** The document was opened and not changed since. */
  #isNew = false;

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
    this.#playObject();
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
    this.hover = null;
    this.jump = null;
    this.pointer = null;
    this.document = document;
    this.linkLength = document.link.length;
    if (!isFirst && !inPlace && document.link !== location.hash) history.pushState(null, "", location.href);
    this.#showLink(document.link || location.hash);
    this.#check();
    if (!this.machine && document.valid !== null) this.#use(document.valid);
    if (storage.isOwn(document.id)) storage.keepCurrent(document.id);
    else this.#keep();
    this.#isNew = true;
    tabs.ask(document.id);
    this.#readObject();
    this.#playObject();
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

  /** A change in the object's editor. The text is kept at once; it becomes the object after a pause, if it is JSON. */
  editObject(text: string): void {
    if (text === this.objectText) return;
    this.#change({ object_text: text });
    clearTimeout(this.#editing);
    this.#editing = setTimeout(() => {
      this.#readObject();
      this.#playObject();
    }, OBJECT_DELAY);
  }

  /** The data that was typed, if it is valid. */
  #readObject(): { value: Json } | undefined {
    const text = this.document?.object_text ?? null;
    this.objectProblem = "";
    if (text === null) return undefined;
    try {
      return { value: parseObject(text) };
    } catch (error) {
      this.objectProblem = messageOf(error);
      return undefined;
    }
  }

  #playObject(): void {
    clearTimeout(this.#editing);
    if (!this.snapshot) return;
    const typed = this.#readObject();
    const last = this.document.entries.findLast((entry) => entry.do === "object");
    if (typed && JSON.stringify(typed.value) !== JSON.stringify(last ? last.object : this.document.object)) {
      this.#play({ do: "object", object: typed.value });
    }
  }

  /** Text that is no data stays in the editor; other text gives way to the object as it is then. */
  #keptObjectText(): string | null {
    return this.#readObject() ? null : this.document.object_text;
  }

  /** Does one thing and says what came of it. */
  play(entry: Entry): Frame | undefined {
    if (!this.machine || this.frames.length === 0) return undefined;
    this.#playObject();
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
    this.#playObject();
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
    this.#playObject();
    if (!this.canUndo) {
      announce("Nothing to undo");
      return;
    }
    this.frames = this.frames.slice(0, -1);
    this.#change({ entries: this.document.entries.slice(0, -1), object_text: this.#keptObjectText() });
    announce("Undone", "quiet");
  }

  restart(): void {
    if (!this.canUndo) return;
    this.#change({ entries: [], object_text: this.#keptObjectText() });
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

  reveal(path: (string | number)[]): void {
    this.pointer = { path, count: ++this.#count };
  }

  select(state: string | null): void {
    this.selected = state;
    const index = state === null ? -1 : this.paths.indexOf(state);
    if (index >= 0) this.reveal(["states", index]);
  }

  displayName(path: string): string {
    const state = this.states.get(path);
    return state?.display_name ?? state?.name ?? path;
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

function inPlainWords(choice: Availability): Availability {
  return { ...choice, reasons: choice.reasons.map((reason) => ({ ...reason, message: plain(reason.message) })) };
}

/** In a flat machine the paths and the states stand in the same order. */
function byPath(paths: string[], states: State[]): Map<string, State> {
  return new Map(paths.flatMap((path, index) => (states[index] ? [[path, states[index]] as const] : [])));
}

export const session = new Session();

tabs.listen(
  (id) => session.document?.id === id && storage.isOwn(id),
  (id) => session.leaveToOther(id),
);
