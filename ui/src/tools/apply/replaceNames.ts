import type { CompactNode, CompactWorkflow } from "../../graph/compact/workflow";
import type { Json } from "../../graph/graph";
import { linkedNode, type PromptNodes } from "../../graph/prompt";
import type { Recognised } from "../../graph/recognise";
import type { JsonObject, UiGraph, UiWorkflow } from "../../graph/uiWorkflow";

/** The same workflow with other node types and values, such as files, in the place of those named, and how many. */
export function replaceNames(
  given: Recognised,
  replacements: Readonly<Record<string, string>>,
): { given: Recognised; counts: ReadonlyMap<string, number> } {
  const counts = new Map<string, number>();
  const again = (text: string) =>
    (Object.hasOwn(replacements, text) ? replacements[text] : undefined) ?? text;
  const name = (text: string) => {
    if (Object.hasOwn(replacements, text)) counts.set(text, (counts.get(text) ?? 0) + 1);
    return again(text);
  };
  return { given: replaced(given, name, again), counts };
}

/** `again` replaces what is there a second time, without counting it. */
function replaced(given: Recognised, name: Name, again: Name): Recognised {
  const value = inValues(name);
  switch (given.form) {
    case "compact":
      return { form: "compact", workflow: inCompact(given.workflow, name, value) };
    case "ui":
      return { form: "ui", workflow: inUi(given.workflow, name, value, inValues(again)) };
    case "api":
      return { form: "api", prompt: inPrompt(given.prompt, name, value) };
    default:
      return given satisfies never;
  }
}

type Name = (text: string) => string;
type Value = (value: Json) => Json;

function inValues(name: Name): Value {
  const value = (each: Json): Json => {
    if (typeof each === "string") return name(each);
    if (Array.isArray(each)) return each.map(value);
    return each !== null && typeof each === "object"
      ? Object.fromEntries(Object.entries(each).map(([key, inner]) => [key, value(inner)]))
      : each;
  };
  return value;
}

function inCompact(workflow: CompactWorkflow, name: Name, value: Value): CompactWorkflow {
  const nodes = (all: readonly CompactNode[]) =>
    all.map((node) => ({
      ...node,
      type: name(node.type),
      values: node.values.map((each) => ({ ...each, value: value(each.value) })),
    }));
  return {
    ...workflow,
    nodes: nodes(workflow.nodes),
    subgraphs: workflow.subgraphs.map((subgraph) => ({ ...subgraph, nodes: nodes(subgraph.nodes) })),
  };
}

function inUi(
  workflow: UiWorkflow & JsonObject,
  name: Name,
  value: Value,
  valueAgain: Value,
): UiWorkflow & JsonObject {
  const nodes = ({ nodes: all }: UiGraph) =>
    all.map(({ widgets_values: listed, widgets_values_named: named, ...node }) => ({
      ...node,
      type: name(node.type),
      ...(listed !== undefined && { widgets_values: value(listed as Json) }),
      ...(named !== undefined && {
        widgets_values_named: (listed === undefined ? value : valueAgain)(named as Json),
      }),
    }));
  const subgraphs = workflow.definitions?.subgraphs;
  return {
    ...workflow,
    nodes: nodes(workflow),
    ...(subgraphs && {
      definitions: {
        ...workflow.definitions,
        subgraphs: subgraphs.map((each) => ({ ...each, nodes: nodes(each) })),
      },
    }),
  } as UiWorkflow & JsonObject;
}

function inPrompt(prompt: PromptNodes, name: Name, value: Value): PromptNodes {
  return Object.fromEntries(
    Object.entries(prompt).map(([id, node]) => [
      id,
      {
        ...node,
        class_type: name(node.class_type),
        inputs: Object.fromEntries(
          Object.entries(node.inputs).map(([input, each]) => [
            input,
            linkedNode(each) === undefined ? value(each) : each,
          ]),
        ),
      },
    ]),
  );
}
