/** Ways to open a document. Each makes a new one or goes back to a kept one; none is ever overwritten. */
import { announce } from "./announce.svelte";
import { check, Machine, messageOf } from "./core";
import { append, fromContent, fromExample, fromText, type Document } from "./document";
import examples, { exampleById, type Example } from "./examples";
import { read } from "./link";
import { session } from "./session.svelte";
import * as storage from "./storage";

const MAX_FILE = 8 * 1024 * 1024;

/** What the page shows first: the link's document, or the last one, or the first example. */
export async function openFirst(): Promise<void> {
  const { hash } = location;
  if (await openHash(hash)) return;
  const last = storage.recent()[0];
  const kept = last && storage.load(last.id);
  if (kept) session.open(kept);
  else openExample(examples[0]!);
}

/** Opens what a link says. False when it says nothing or is broken. */
export async function openHash(hash: string): Promise<boolean> {
  const kept = keptWith(hash);
  if (kept) {
    session.open(kept);
    return true;
  }
  const opened = await read(hash);
  switch (opened.kind) {
    case "none":
      return false;
    case "content":
      session.open({ ...fromContent(opened.content), link: hash });
      return true;
    case "example": {
      const example = exampleById(opened.id);
      if (!example) {
        announce(`The link names an example that does not exist: ${opened.id}`, "note");
        return false;
      }
      openExample(example, hash, opened.state, opened.actor);
      return true;
    }
    case "broken":
      announce(`The link cannot be read: ${opened.why}. Your last document is shown instead.`, "note");
      return false;
  }
}

/** The document that this link was written for, if this browser still has it: then undo still works. */
function keptWith(hash: string): Document | undefined {
  if (hash === "") return undefined;
  const current = storage.currentOfTab();
  const id = current?.link === hash ? current.id : storage.recent().find((one) => one.link === hash)?.id;
  return id === undefined ? undefined : storage.load(id);
}

export function openExample(example: Example, link = `#ex=${example.id}`, state?: string | null, actor?: string | null): void {
  // An example that nobody touched is the same document every time.
  const untouched = storage.recent().find((one) => one.link === link);
  const kept = untouched && storage.load(untouched.id);
  if (kept) {
    session.open({ ...kept, updated: Date.now() });
    return;
  }
  const document = fromExample(example);
  const who = example.actors.find((one) => one.id === actor);
  if (who) document.actor = who.id;
  if (state) document.entries = append(document.entries, { do: "place", state });
  session.open({ ...document, link });
}

export function openKept(id: string): void {
  const kept = storage.load(id);
  if (kept) session.open({ ...kept, updated: Date.now() });
}

export async function openFile(file: File): Promise<void> {
  if (file.size > MAX_FILE) {
    announce(`${file.name} is larger than ${MAX_FILE / 1024 / 1024} MB and was not opened`);
    return;
  }
  try {
    openText(file.name.replace(/\.json$/i, "").replace(/\.(definition|lifecycle)$/i, ""), await file.text());
    announce(`${file.name} opened`);
  } catch (error) {
    announce(`${file.name} could not be read: ${messageOf(error)}`);
  }
}

export function openText(title: string, text: string): void {
  session.open(fromText(title, text, permissionsIn(text), new Date()));
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
