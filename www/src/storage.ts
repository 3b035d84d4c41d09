/**
 * Keeps documents in the browser's storage: each under a key of its own, the
 * newest dozen at most. Every function works, with less memory, when storage is
 * switched off or full.
 */
import type { Document } from "./document";
import { contentFrom } from "./link";

const KEY = "veristate.document.";
const CURRENT = "veristate.current";
const KEPT = 12;
/** Characters. Browsers give a page about five million. */
const LARGE = 1_500_000;

export interface Kept {
  id: string;
  title: string;
  updated: number;
  link: string;
}

/** Stores a document. Returns false when it could not be kept. */
export function save(document: Document): boolean {
  const text = JSON.stringify(document);
  const key = KEY + document.id;
  for (let attempt = 0; attempt < KEPT; attempt += 1) {
    try {
      const isNew = localStorage.getItem(key) === null;
      localStorage.setItem(key, text);
      sessionStorage.setItem(CURRENT, JSON.stringify({ id: document.id, link: location.hash }));
      if (isNew) for (const old of recent().slice(KEPT)) forget(old.id);
      return true;
    } catch {
      // Others make room for a small document, never for one that would fill the storage by itself.
      const oldest = recent().findLast((old) => old.id !== document.id);
      if (!oldest || text.length > LARGE) return false;
      forget(oldest.id);
    }
  }
  return false;
}

export function load(id: string): Document | undefined {
  try {
    const value = JSON.parse(localStorage.getItem(KEY + id) ?? "null") as Partial<Document> | null;
    const content = contentFrom(value);
    if (!value || !content) return undefined;
    return {
      ...content,
      id,
      valid: typeof value.valid === "string" ? value.valid : null,
      link: value.link ?? "",
      updated: value.updated ?? 0,
    };
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
      const document = load(key.slice(KEY.length));
      if (document) {
        found.push({ id: document.id, title: document.title, updated: document.updated, link: document.link });
      }
    }
  } catch {
    return found;
  }
  return found.sort((one, other) => other.updated - one.updated);
}

/** The document that this tab showed last, with the link that stood in the address bar then. */
export function currentOfTab(): { id: string; link: string } | undefined {
  try {
    const value = JSON.parse(sessionStorage.getItem(CURRENT) ?? "null") as { id: string; link: string } | null;
    return value ?? undefined;
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
