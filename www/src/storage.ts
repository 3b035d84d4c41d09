/**
 * Keeps documents in the browser's storage, each under a key of its own. Tabs
 * share it: what another tab wrote is never overwritten, the document is then
 * kept a second time. Every function works, with less memory, when storage is
 * switched off or full.
 */
import { newId, type Document } from "./document";
import { contentFrom } from "./link";

const KEY = "veristate.document.";
const CURRENT = "veristate.current";
const LEFT = "veristate.left";
/** How many are kept of the documents that somebody worked on, and of those that were only looked at. */
const KEPT = { touched: 12, untouched: 6 };
/** Characters. Browsers give a page about five million. */
const LARGE = 1_500_000;

export interface Kept {
  id: string;
  title: string;
  updated: number;
  link: string;
  touched: boolean;
}

export interface Saved {
  ok: boolean;
  /** Another id than the document's when another tab had written under that one. */
  id: string;
  /** Titles of worked-on documents that had to go. */
  gone: string[];
}

/** By document: the writing that this tab made or read last. */
const seen = new Map<string, string>();

export function save(document: Document): Saved {
  const id = isForeign(document.id) ? newId() : document.id;
  const writing = newId();
  // The writing comes first, so that it is found without parsing the whole.
  const text = JSON.stringify({ writing, ...document, id });
  const gone: string[] = [];
  for (let attempt = 0; attempt < KEPT.touched + KEPT.untouched; attempt += 1) {
    try {
      const isNew = localStorage.getItem(KEY + id) === null;
      localStorage.setItem(KEY + id, text);
      seen.set(id, writing);
      keepCurrent(id);
      if (isNew) gone.push(...drop(surplus(id)));
      return { ok: true, id, gone };
    } catch {
      // Others make room for a small document, never for one that would fill the storage by itself.
      const oldest = recent().filter((old) => old.id !== id && (document.touched || !old.touched));
      const first = oldest.findLast((old) => !old.touched) ?? oldest.at(-1);
      if (!first || text.length > LARGE) return { ok: false, id, gone };
      gone.push(...drop([first]));
    }
  }
  return { ok: false, id, gone };
}

/** Another tab wrote this document after this tab had read or written it, or has it open. */
function isForeign(id: string): boolean {
  const stored = writingOf(id);
  return stored !== null && stored !== seen.get(id);
}

/** Whether the stored document is what this tab wrote or read last, also before a reload. */
export function isOwn(id: string): boolean {
  const stored = writingOf(id);
  const current = currentOfTab();
  return stored !== null && (stored === seen.get(id) || (current?.id === id && current.writing === stored));
}

function writingOf(id: string): string | null {
  try {
    const text = localStorage.getItem(KEY + id);
    return text === null ? null : (/^\{"writing":"(\w+)"/.exec(text)?.[1] ?? "");
  } catch {
    return null;
  }
}

/** Another tab has the document open: what this tab makes of it is kept beside it. */
export function leaveToOther(id: string): void {
  seen.delete(id);
  keepCurrent(id);
}

/** Notes the document as the one that this tab shows. */
export function keepCurrent(id: string): void {
  try {
    sessionStorage.setItem(CURRENT, JSON.stringify({ id, link: location.hash, writing: seen.get(id) ?? "another's" }));
  } catch {
    // After a reload the link says what to show.
  }
}

function surplus(id: string): Kept[] {
  const others = recent().filter((old) => old.id !== id);
  return [
    ...others.filter((old) => old.touched).slice(KEPT.touched),
    ...others.filter((old) => !old.touched).slice(KEPT.untouched),
  ];
}

function drop(documents: Kept[]): string[] {
  for (const old of documents) forget(old.id);
  return documents.filter((old) => old.touched).map((old) => old.title);
}

/** Reads a document in order to work on it. */
export function load(id: string): Document | undefined {
  const document = parse(id);
  if (document) seen.set(id, writingOf(id) ?? "");
  return document;
}

function parse(id: string): Document | undefined {
  try {
    const value = JSON.parse(localStorage.getItem(KEY + id) ?? "null") as Partial<Document> | null;
    const content = contentFrom(value);
    if (!value || !content) return undefined;
    const link = value.link ?? "";
    return { ...content, id, link, updated: value.updated ?? 0, touched: value.touched ?? !link.startsWith("#ex=") };
  } catch {
    return undefined;
  }
}

export function forget(id: string): void {
  try {
    localStorage.removeItem(KEY + id);
  } catch {
    // Storage is switched off: there is nothing to forget.
  }
}

/** The kept documents, newest first. */
export function recent(): Kept[] {
  const found: Kept[] = [];
  try {
    for (let index = 0; index < localStorage.length; index += 1) {
      const key = localStorage.key(index);
      if (!key?.startsWith(KEY)) continue;
      const document = parse(key.slice(KEY.length));
      if (!document) continue;
      const { id, title, updated, link, touched } = document;
      found.push({ id, title, updated, link, touched });
    }
  } catch {
    return found;
  }
  return found.sort((one, other) => other.updated - one.updated);
}

/** The document that this tab showed last, with the link that stood in the address bar then. */
export function currentOfTab(): { id: string; link: string; writing: string } | undefined {
  try {
    const value = JSON.parse(sessionStorage.getItem(CURRENT) ?? "null") as ReturnType<typeof currentOfTab> | null;
    return value ?? undefined;
  } catch {
    return undefined;
  }
}

/** The link of the open document before the one in the address bar. */
let linkBefore: string | undefined;

/** Notes that the address bar is given a newer link of the open document, or of another one. */
export function keepLinkBefore(link: string | undefined): void {
  linkBefore = link;
}

/**
 * Notes the link from which the page is left. A newer one may be written until the next page comes, which is not given it;
 * the same is true of one that was written just before.
 */
export function keepLeft(): void {
  try {
    sessionStorage.setItem(LEFT, JSON.stringify([location.hash, linkBefore]));
  } catch {
    // The link says what to show.
  }
}

/** The document that this tab showed when it was left at the link that it comes back to, by a reload or in its history. */
export function cameBackTo(link: string): string | undefined {
  const [arrival] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  if (arrival?.type !== "reload" && arrival?.type !== "back_forward") return undefined;
  try {
    const left: unknown = JSON.parse(sessionStorage.getItem(LEFT) ?? "[]");
    return Array.isArray(left) && left.includes(link) ? currentOfTab()?.id : undefined;
  } catch {
    return undefined;
  }
}

export function setting(name: string): string | null {
  try {
    return localStorage.getItem(`veristate.${name}`);
  } catch {
    return null;
  }
}

export function keepSetting(name: string, value: string): void {
  try {
    localStorage.setItem(`veristate.${name}`, value);
  } catch {
    // Not kept: the page works with its default next time.
  }
}
