/** Finds one's way in JSON text by CodeMirror's syntax tree: from a place to its path, and from a path to its place. */
import { syntaxTree, ensureSyntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";
import type { SyntaxNode } from "@lezer/common";

export type Path = (string | number)[];

/** The path of the value that holds `node`, from the root. */
export function pathOf(state: EditorState, node: SyntaxNode): Path {
  const path: Path = [];
  for (let at: SyntaxNode | null = node; at; at = at.parent) {
    if (at.name === "Property") {
      const name = at.getChild("PropertyName");
      if (name) path.unshift(stringAt(state, name));
    } else if (at.parent?.name === "Array" && at.name !== "[" && at.name !== "]") {
      path.unshift(indexIn(at));
    }
  }
  return path;
}

function indexIn(node: SyntaxNode): number {
  let index = 0;
  for (let at = node.prevSibling; at; at = at.prevSibling) if (isValue(at)) index += 1;
  return index;
}

function isValue(node: SyntaxNode): boolean {
  return /^(Object|Array|String|Number|True|False|Null)$/.test(node.name);
}

export function stringAt(state: EditorState, node: SyntaxNode): string {
  const text = state.sliceDoc(node.from, node.to);
  try {
    return String(JSON.parse(text));
  } catch {
    return text.replace(/^"|"$/g, "");
  }
}

/** Where the value of a path stands in the text, as far as the path can be followed. */
export function rangeOf(state: EditorState, path: Path): { from: number; to: number } | undefined {
  const tree = ensureSyntaxTree(state, state.doc.length, 200) ?? syntaxTree(state);
  let node: SyntaxNode | null = tree.topNode.firstChild;
  let found: SyntaxNode | null = null;
  for (const step of path) {
    node = typeof step === "number" ? itemAt(node, step) : valueOf(state, node, step);
    if (!node) break;
    found = node;
  }
  return found ? { from: found.from, to: found.to } : undefined;
}

function itemAt(node: SyntaxNode | null, index: number): SyntaxNode | null {
  let count = 0;
  for (let at = node?.firstChild ?? null; at; at = at.nextSibling) {
    if (!isValue(at)) continue;
    if (count === index) return at;
    count += 1;
  }
  return null;
}

function valueOf(state: EditorState, node: SyntaxNode | null, name: string): SyntaxNode | null {
  for (let at = node?.firstChild ?? null; at; at = at.nextSibling) {
    const key = at.getChild("PropertyName");
    if (key && stringAt(state, key) === name) return at.lastChild && isValue(at.lastChild) ? at.lastChild : null;
  }
  return null;
}

/** What stands under one name in every item of a list, as text. */
export function valuesIn(state: EditorState, list: Path, name: string): string[] {
  const tree = ensureSyntaxTree(state, state.doc.length, 200) ?? syntaxTree(state);
  let node: SyntaxNode | null = tree.topNode.firstChild;
  for (const step of list) node = typeof step === "number" ? itemAt(node, step) : valueOf(state, node, step);
  const items = node?.getChildren("Object") ?? [];
  const values = items.map((item) => valueOf(state, item, name));
  return values.flatMap((value) => (value ? [state.sliceDoc(value.from, value.to)] : []));
}

/** The names in one of the root's objects. */
export function rootNamesIn(state: EditorState, property: string): string[] {
  const tree = ensureSyntaxTree(state, state.doc.length, 200) ?? syntaxTree(state);
  const object = valueOf(state, tree.topNode.firstChild, property);
  return object?.name === "Object" ? [...namesIn(state, object)] : [];
}

/** The names that an object has already. */
export function namesIn(state: EditorState, object: SyntaxNode): Set<string> {
  return new Set(object.getChildren("Property").flatMap((property) => {
    const name = property.getChild("PropertyName");
    return name ? [stringAt(state, name)] : [];
  }));
}
