/** Completion from a JSON Schema, the package's for definitions: names of properties and listed values at the cursor. */
import { snippetCompletion, type Completion, type CompletionContext, type CompletionResult, type CompletionSource } from "@codemirror/autocomplete";
import { syntaxTree } from "@codemirror/language";
import { schema as packageSchema } from "../core";
import type { EditorState } from "@codemirror/state";
import { namesIn, pathOf, rootNamesIn, stringAt, valuesIn, type Path } from "./json-path";
import { session } from "../session.svelte";
import { emptyValue, propertiesOf, schemasAt, valuesOf, type Choice, type Schema } from "./schema";

let definition: Schema | undefined;

export function completeDefinition(context: CompletionContext): CompletionResult | null {
  definition ??= packageSchema() as Schema;
  return complete(context, definition, namesFor);
}

/** Completes data by a schema that may change from one time to the next. */
export function completeData(schema: () => Schema): CompletionSource {
  return (context) => complete(context, schema(), () => []);
}

function complete(
  context: CompletionContext,
  schema: Schema,
  namesFor: (state: EditorState, path: Path) => Choice[],
): CompletionResult | null {
  const { state, pos } = context;
  const node = outOfPunctuation(syntaxTree(state).resolveInner(pos, -1));
  const holder = node.name === "PropertyName" || node.name === "String" ? node.parent : node;
  const isName = node.name === "PropertyName" || (holder?.name === "Object" && expectsName(state.sliceDoc(0, pos)));
  if (isName) {
    let object = holder;
    while (object && object.name !== "Object") object = object.parent;
    if (!object) return null;
    const taken = namesIn(state, object);
    if (node.name === "PropertyName") taken.delete(stringAt(state, node));
    const from = node.name === "PropertyName" || node.name === "String" ? node.from : wordStart(context);
    const whole = node.name === "PropertyName" && hasValue(state.sliceDoc(node.to, node.to + 40));
    const options = propertiesOf(schemasAt(schema, pathOf(state, object)))
      .filter((property) => !taken.has(property.name))
      .sort((one, other) => Number(other.required) - Number(one.required))
      .map((property): Completion => {
        const more = {
          label: JSON.stringify(property.name),
          displayLabel: property.name,
          detail: property.required ? "required" : (property.schema.detail ?? ""),
          type: "property",
          ...(property.schema.description ? { info: property.schema.description } : {}),
        };
        if (whole) return { ...more, apply: JSON.stringify(property.name) };
        return snippetCompletion(`${JSON.stringify(property.name)}: ${emptyValue(schema, property.schema)}`, more);
      });
    return fitting(context, from, node.name === "PropertyName" ? node.to : pos, options);
  }
  const path = pathOf(state, valueNode(node));
  const values = [...valuesOf(schemasAt(schema, path)), ...namesFor(state, path)];
  const from = node.name === "String" ? node.from : wordStart(context);
  const options = values.map((value) => ({
    label: value.text,
    displayLabel: value.text.replace(/^"|"$/g, ""),
    type: "enum",
    ...(value.description ? { info: value.description } : {}),
  }));
  return fitting(context, from, node.name === "String" ? node.to : pos, options);
}

type Node = ReturnType<ReturnType<typeof syntaxTree>["resolveInner"]>;

/**
 * The options that fit what stands between `from` and the cursor. CodeMirror would compare the whole range up to `to`,
 * with the closing quote, and find nothing for an empty string.
 */
function fitting(context: CompletionContext, from: number, to: number, options: Completion[]): CompletionResult | null {
  const typed = context.state.sliceDoc(from, context.pos).replace(/^"/, "").toLowerCase();
  const labelOf = (option: Completion): string => (option.displayLabel ?? option.label).toLowerCase();
  const found = options.filter((option) => labelOf(option).includes(typed));
  found.sort((one, other) => Number(labelOf(other).startsWith(typed)) - Number(labelOf(one).startsWith(typed)));
  return found.length > 0 ? { from, to, options: found, filter: false } : null;
}

const STATE_NAMES = new Set(["initial_state", "from_state", "to_state", "default_target"]);

/** The names that the definition itself gives to what is wanted at a path. */
function namesFor(state: EditorState, path: Path): Choice[] {
  const key = path.findLast((step) => typeof step === "string");
  if (STATE_NAMES.has(key ?? "")) return [...namesBeside(state, path), ...pathsOfStates()];
  if (key === "guard" || key === "require") return guardNamesIn(state);
  return key === "action" ? stringsIn(state, "transitions", "action") : [];
}

/** The names of the states of the machine in which the path stands. */
function namesBeside(state: EditorState, path: Path): Choice[] {
  const machine = path.slice(0, path.findLastIndex((step) => step === "transitions" || step === "states" || step === "initial_state"));
  const texts = valuesIn(state, [...machine, "states"], "name").filter((text) => /^".+"$/.test(text));
  return [...new Set(texts)].map((text) => ({ text, description: undefined }));
}

/** The paths of what is inside, as the last valid definition has them. */
function pathsOfStates(): Choice[] {
  const inner = session.outline.filter((one) => one.parent !== null);
  return inner.map((one) => ({ text: JSON.stringify(one.path), description: session.crumbs(one.path).join(" › ") }));
}

function guardNamesIn(state: EditorState): Choice[] {
  return rootNamesIn(state, "guards").map((name) => ({ text: JSON.stringify(name), description: undefined }));
}

function stringsIn(state: EditorState, list: string, property: string): Choice[] {
  const texts = valuesIn(state, [list], property).filter((text) => /^".+"$/.test(text));
  return [...new Set(texts)].map((text) => ({ text, description: undefined }));
}

/** Right after a brace, a bracket or a comma the cursor stands in what they belong to. */
function outOfPunctuation(node: Node): Node {
  let at = node;
  while ((at.type.isError || /^[{[,]$/.test(at.name)) && at.parent) at = at.parent;
  return at;
}

/** After `"kind": ` the cursor stands in the property, or in an error node inside it. */
function valueNode(node: Node): Node {
  let at: Node = node;
  while (at.type.isError && at.parent) at = at.parent;
  return at;
}

/** Only a brace or a comma stands before the cursor, or the beginning of a name. */
function expectsName(before: string): boolean {
  return /[{,]\s*"?\w*$/.test(before);
}

function hasValue(after: string): boolean {
  return /^\s*:/.test(after);
}

function wordStart(context: CompletionContext): number {
  return context.matchBefore(/"?\w*$/)?.from ?? context.pos;
}
