/** The chosen CodeMirror extensions, in the page's colours. */
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, type CompletionSource } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching, ensureSyntaxTree, foldGutter, foldKeymap, HighlightStyle, indentOnInput, syntaxHighlighting, syntaxTree } from "@codemirror/language";
import { lintGutter, setDiagnostics, type Diagnostic as Mark } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension, type Text } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { Finding } from "../foreign";

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--code-name)" },
  { tag: tags.string, color: "var(--code-string)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--code-value)" },
  { tag: [tags.brace, tags.squareBracket, tags.separator], color: "var(--ink-2)" },
]);

const look = EditorView.theme({
  "&": { height: "100%", fontSize: "12.5px", backgroundColor: "var(--paper)", color: "var(--ink)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--paper)", color: "var(--ink-2)", border: "0" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--ink) 4%, transparent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--accent-fill)" },
  ".cm-selectionMatch": { backgroundColor: "color-mix(in srgb, var(--accent) 14%, transparent)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--accent-fill)", outline: "1px solid var(--accent)" },
  ".cm-tooltip, .cm-panels": { backgroundColor: "var(--raised)", color: "var(--ink)", border: "1px solid var(--line)", borderRadius: "8px" },
  ".cm-tooltip.cm-completionInfo": { maxWidth: "320px", padding: "6px 10px", fontFamily: "var(--sans)" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--accent-fill)", color: "var(--ink)" },
  ".cm-completionDetail": { color: "var(--ink-2)", fontStyle: "normal" },
  ".cm-diagnostic": { fontFamily: "var(--sans)", fontSize: "13px", padding: "5px 10px" },
  ".cm-panel.cm-search": { fontFamily: "var(--sans)" },
  ".cm-foldPlaceholder": { backgroundColor: "var(--sunk)", borderColor: "var(--line)", color: "var(--ink-2)" },
  ".cm-textfield, .cm-button": { background: "var(--paper)", border: "1px solid var(--line-2)", borderRadius: "5px" },
});

export function extensions(name: string, complete: CompletionSource | null, onchange: (text: string) => void): Extension {
  return [
    lineNumbers(),
    foldGutter(),
    lintGutter(),
    highlightSpecialChars(),
    history(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    highlightSelectionMatches(),
    search({ top: true }),
    json(),
    syntaxHighlighting(colours),
    look,
    EditorState.tabSize.of(2),
    EditorView.contentAttributes.of({ "aria-label": name, tabindex: "0", spellcheck: "false", autocapitalize: "off" }),
    autocompletion({ override: complete ? [complete] : [], icons: false }),
    // Tab leaves the editor after Escape, as everywhere in CodeMirror.
    keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap, ...completionKeymap, indentWithTab]),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) onchange(update.state.doc.toString());
    }),
  ];
}

/** Shows the package's diagnostics at their places. */
export function showDiagnostics(view: EditorView, diagnostics: readonly Finding[]): void {
  const { doc } = view.state;
  const marks = diagnostics.map((one): Mark => {
    const from = offsetOf(doc, one.line, one.column);
    return {
      from,
      to: endOf(view.state, from),
      severity: one.severity,
      source: one.code,
      message: one.help ? `${one.message}. ${one.help}` : one.message,
    };
  });
  marks.sort((one, other) => one.from - other.from);
  view.dispatch(setDiagnostics(view.state, marks));
}

/** Columns count characters; CodeMirror counts UTF-16 units. */
export function offsetOf(doc: Text, line: number | null, column: number | null): number {
  if (line === null) return 0;
  const at = doc.line(Math.min(Math.max(1, line), doc.lines));
  const before = [...at.text].slice(0, Math.max(0, (column ?? 1) - 1)).join("");
  return at.from + Math.min(before.length, at.length);
}

/** The word or string that begins there; inside of a string, which may be an expression, a word of it. */
function endOf(state: EditorState, from: number): number {
  const { doc } = state;
  const line = doc.lineAt(from);
  const rest = line.text.slice(from - line.from);
  const around = (ensureSyntaxTree(state, Math.min(from + 1, doc.length), 50) ?? syntaxTree(state)).resolveInner(from, 1);
  if (/^(String|PropertyName)$/.test(around.name) && around.from < from) {
    const word = /^(\w+|\\?.)/u.exec(rest)?.[0].length ?? 0;
    return Math.min(from + word, around.to);
  }
  const token = /^("(?:[^"\\]|\\.)*"?|[\w.+-]+|\S)/.exec(rest);
  return Math.min(from + (token?.[0].length ?? 0), doc.length);
}
