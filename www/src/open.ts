/** Ways to open a document. Each makes a new one or goes back to a kept one; none is ever overwritten. */
import { announce } from "./announce.svelte";
import { check, Machine, messageOf, type Definition, type ReadOptions, type Snapshot } from "./core";
import { append, contentOf, fromContent, fromExample, fromText, type Document, type Renderer } from "./document";
import examples, { exampleById, type Example } from "./examples";
import { formatOf, FORMATS, importFrom, type Format } from "./foreign";
import { needsHelp, recognise, tryOut, type Candidate } from "./history/import/recognise";
import { read } from "./link";
import { firstFrame, nextFrame, registerGuards } from "./replay";
import { session } from "./session.svelte";
import { asking, keepSource, type LogSource } from "./sources.svelte";
import * as storage from "./storage";

const MAX_FILE = 8 * 1024 * 1024;
/** Characters in which a file that is no text gives itself away. */
const SAMPLE = 1024;
/** The address of the page without a link. */
const PLAIN = location.pathname + location.search;

/** What the page shows first: the link's document, or the last one, or the first example. */
export async function openFirst(): Promise<void> {
  const broken = await openLink(location.hash, storage.cameBackTo(location.hash));
  if (broken === null) return;
  const last = storage.recent()[0];
  const kept = last && storage.load(last.id);
  if (broken !== "") stepOver();
  if (kept) session.open(asKept(kept));
  else openExample(examples[0]!);
  if (broken !== "") announce(`${broken}. ${kept ? "Your last document" : "An example"} is shown instead.`);
}

/** Opens what a link says. A link that says nothing or is broken changes nothing. */
export async function openHash(hash: string): Promise<void> {
  const broken = await openLink(hash);
  if (broken === null) return;
  const cameBack = (history.state as { broken?: boolean } | null)?.broken === true;
  if (!cameBack) {
    if (broken !== "") stepOver();
    history.replaceState({ document: session.document.id }, "", session.document.link || PLAIN);
  }
  if (broken !== "") announce(`${broken}. The open document stays.`);
}

/** The broken link stays one step back, where it can be mended. */
function stepOver(): void {
  history.replaceState({ broken: true }, "");
  history.pushState(null, "", PLAIN);
}

/** What is wrong with the link: an empty text when it says nothing, null when it was opened. `back`: the document that it showed before. */
async function openLink(hash: string, back?: string): Promise<string | null> {
  const kept = keptWith(hash, back);
  if (kept) {
    session.open(kept, true);
    return null;
  }
  const opened = await read(hash);
  switch (opened.kind) {
    case "none":
      return "";
    case "content":
      session.open({ ...fromContent(opened.content), link: hash }, true);
      return null;
    case "example": {
      const example = exampleById(opened.id);
      if (!example) return opened.id === "" ? "The link names no example" : `There is no example ${opened.id}, as the link says`;
      openExample(example, hash, opened.state, opened.actor);
      return null;
    }
    case "broken":
      return `The link cannot be read: ${opened.why}`;
  }
}

/**
 * The document that this address was written for, if this browser still has it: then undo still works.
 * One that another tab has changed since shows something else than the link, so it is not taken.
 */
function keptWith(hash: string, back?: string): Document | undefined {
  const known: unknown = (history.state as { document?: unknown } | null)?.document;
  const current = storage.currentOfTab();
  const candidates = [known, back, hash !== "" && current?.link === hash ? current.id : undefined];
  const own = candidates.find((id) => typeof id === "string" && storage.isOwn(id)) as string | undefined;
  const id = own ?? (hash === "" ? undefined : storage.recent().find((one) => one.link === hash)?.id);
  return id === undefined ? undefined : storage.load(id);
}

export function openExample(example: Example, link = `#ex=${example.id}`, state?: string | null, actor?: string | null): void {
  const inPlace = link === location.hash;
  // An example that nobody touched is the same document every time.
  const untouched = storage.recent().find((one) => one.link === link);
  const kept = untouched && storage.load(untouched.id);
  if (kept) {
    session.open(asKept(kept), inPlace);
    return;
  }
  const document = fromExample(example);
  const missing: string[] = [];
  const who = example.actors.find((one) => one.id === actor);
  if (who) document.actor = who.id;
  else if (actor) missing.push(`nobody called ${actor}`);
  const refusal = state ? whyNotIn(document, state) : undefined;
  if (refusal !== undefined) missing.push(refusal);
  else if (state) document.entries = append(document.entries, { do: "place", state });
  session.open(fresh({ ...document, link: missing.length > 0 ? `#ex=${example.id}` : link }), inPlace);
  if (missing.length > 0) announce(`${example.title} has ${missing.join(" and ")}, as the link says`);
}

export function openKept(id: string): void {
  if (id === session.document.id) return;
  const kept = storage.load(id);
  if (kept) session.open(asKept(kept));
}

/** The renderer that was chosen last goes along to documents that have no choice of their own. */
function fresh(document: Document): Document {
  const chosen = storage.setting("renderer");
  const isRenderer = chosen === "dot" || chosen === "mermaid" || chosen === "both" || chosen === "text";
  return isRenderer ? { ...document, view: { ...document.view, renderer: chosen satisfies Renderer } } : document;
}

function asKept(document: Document): Document {
  return document.touched || document.link.startsWith("#v1:") ? document : fresh(document);
}

export async function openFile(file: File): Promise<void> {
  try {
    const candidate = await recognise(file);
    if (candidate) {
      openHistory(candidate);
      return;
    }
  } catch (error) {
    announce(`${file.name} could not be read: ${messageOf(error)}`);
    return;
  }
  if (file.size > MAX_FILE) {
    announce(`${file.name} is larger than ${MAX_FILE / 1024 / 1024} MB and was not opened`);
    return;
  }
  try {
    const text = decode(await file.arrayBuffer());
    if (text === undefined) {
      announce(`${file.name} is no text file and was not opened`);
      return;
    }
    sayOpened(file.name, openText(file.name.replace(/\.(json|scxml|xml)$/i, "").replace(/\.(definition|lifecycle|machine)$/i, ""), text));
  } catch (error) {
    announce(`${file.name} could not be read: ${messageOf(error)}`);
  }
}

/** A history belongs to the document that is open. Where it is not clear how to read it, somebody is asked first. */
function openHistory(candidate: Candidate): void {
  if (needsHelp(candidate, tryOut(candidate, {}))) asking.candidate = candidate;
  else readHistory(candidate, {}, false);
}

/** Reads a file as the history of the open document, and shows it. */
export function readHistory({ file, format }: Candidate, read: Partial<ReadOptions>, newest_first: boolean): void {
  asking.candidate = null;
  keepSource(session.document, { blob: file, name: file.name, format, read, newest_first, as_of: null });
  session.show({ mode: "history" });
}

/** Asks once more how a file is read. */
export async function openHistoryAgain({ blob, name }: LogSource): Promise<void> {
  asking.candidate = await recognise(blob instanceof File ? blob : new File([blob], name));
}

/** Opens a definition that was made out of a log, with this log. */
export function openDiscovered(title: string, definition: Definition, source: LogSource): void {
  const text = `${JSON.stringify(definition, null, 2)}\n`;
  const made = fresh(fromText(title, text, permissionsIn(text), new Date()));
  const document = { ...made, view: { ...made.view, mode: "history" as const } };
  keepSource(document, source);
  session.open(document);
  announce(`A definition was made out of the log ${source.name}: what was seen, not what may be`);
}

/** Opens a copy of the document that goes on with an object of a history. */
export function openFork(title: string, snapshot: Snapshot, time: string): void {
  const content = contentOf(session.document);
  const { view } = content;
  session.open(
    fromContent({
      ...content,
      title: `${session.title}: ${title}`,
      object_id: snapshot.object_id,
      object: (snapshot.object ?? content.object) as typeof content.object,
      object_text: null,
      start: time,
      entries: [{ do: "continue", snapshot: { ...snapshot, object: snapshot.object ?? content.object } }],
      view: { ...view, mode: "play" },
    }),
  );
}

/** UTF-8, or UTF-16 with its mark. Nothing when it is no text. */
function decode(bytes: ArrayBuffer): string | undefined {
  const [first, second] = new Uint8Array(bytes.slice(0, 2));
  const encoding = first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
  const text = new TextDecoder(encoding).decode(bytes);
  return /[\0\uFFFD]/.test(text.slice(0, SAMPLE)) ? undefined : text;
}

/** What was made of a text: a definition as it is, one in another's format, or a text of that format with problems. */
export type Outcome = { from?: Format; refused: boolean };

/** Opens a definition, ours or another's. A text that cannot be imported is opened itself, with its problems. */
export function openText(title: string, text: string): Outcome {
  const from = formatOf(text);
  const imported = from && importFrom(from, text);
  const refused = imported !== undefined && !("definition" in imported);
  const shown = imported && "definition" in imported ? `${JSON.stringify(imported.definition, null, 2)}\n` : text;
  session.open(fresh(fromText(title, shown, refused ? [] : permissionsIn(shown), new Date())));
  return from ? { from, refused } : { refused };
}

/** What was opened, in one sentence. */
export function sayOpened(name: string, { from, refused }: Outcome): void {
  if (from === undefined) announce(`${name} opened`);
  else announce(`${name} ${refused ? `could not be imported from ${FORMATS[from]}: its problems are shown with the text` : `imported from ${FORMATS[from]}`}`);
}

/** Something pasted where nothing is typed. Text that does not look like a definition is left alone. */
export function openPasted(text: string): boolean {
  if (!/^\uFEFF?\s*[<{]/u.test(text) || text.length > MAX_FILE) return false;
  sayOpened("The pasted text", openText("Pasted", text));
  return true;
}

/** Why the object cannot be put into this state: the package tries it, so that a link is never refused without a word. */
function whyNotIn(document: Document, state: string): string | undefined {
  const machine = new Machine(document.text);
  try {
    if (!machine.outline().some((one) => one.path === state)) return `no state ${state}`;
    let { guards } = document;
    registerGuards(machine, () => guards);
    const start = firstFrame(machine, document, guards);
    const { problem } = nextFrame(machine, document, start, { do: "place", state }, (now) => (guards = now));
    return problem === null ? undefined : `no state ${state} that an object can be in`;
  } finally {
    machine.free();
  }
}

function permissionsIn(text: string): string[] {
  if (check(text).some((one) => one.severity === "error")) return [];
  try {
    const machine = new Machine(text);
    const permissions = machine.permissions();
    machine.free();
    return permissions;
  } catch {
    return [];
  }
}
