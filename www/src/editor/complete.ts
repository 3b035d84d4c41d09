/** Completion from the package's JSON Schema: names of properties and listed values at the cursor. */
import { snippetCompletion, type Completion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { syntaxTree } from "@codemirror/language";
import { schema as packageSchema } from "../core";
import { namesIn, pathOf, stringAt } from "./json-path";
import { emptyValue, propertiesOf, schemasAt, valuesOf, type Schema } from "./schema";

let schema: Schema | undefined;

export function completeDefinition(context: CompletionContext): CompletionResult | null {
  schema ??= packageSchema() as Schema;
  const { state, pos } = context;
  const node = syntaxTree(state).resolveInner(pos, -1);
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
      .map((property): Completion => {
        const more = {
          label: JSON.stringify(property.name),
          displayLabel: property.name,
          detail: property.required ? "required" : "",
          type: "property",
          boost: property.required ? 2 : 0,
          ...(property.schema.description ? { info: property.schema.description } : {}),
        };
        if (whole) return { ...more, apply: JSON.stringify(property.name) };
        return snippetCompletion(`${JSON.stringify(property.name)}: ${emptyValue(schema!, property.schema)}`, more);
      });
    return { from, to: node.name === "PropertyName" ? node.to : pos, options, filter: true };
  }
  const values = valuesOf(schemasAt(schema, pathOf(state, valueNode(node))));
  if (values.length === 0) return null;
  const from = node.name === "String" ? node.from : wordStart(context);
  return {
    from,
    to: node.name === "String" ? node.to : pos,
    options: values.map((value) => ({
      label: value.text,
      displayLabel: value.text.replace(/^"|"$/g, ""),
      type: "enum",
      ...(value.description ? { info: value.description } : {}),
    })),
  };
}

type Node = ReturnType<ReturnType<typeof syntaxTree>["resolveInner"]>;

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
