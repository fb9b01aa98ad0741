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
  const name = (text: string) => {
    const fresh = Object.hasOwn(replacements, text) ? replacements[text] : undefined;
    if (fresh !== undefined) counts.set(text, (counts.get(text) ?? 0) + 1);
    return fresh ?? text;
  };
  return { given: replaced(given, name), counts };
}

function replaced(given: Recognised, name: Name): Recognised {
  const value = (each: Json): Json => {
    if (typeof each === "string") return name(each);
    if (Array.isArray(each)) return each.map(value);
    return each !== null && typeof each === "object"
      ? Object.fromEntries(Object.entries(each).map(([key, inner]) => [key, value(inner)]))
      : each;
  };
  switch (given.form) {
    case "compact":
      return { form: "compact", workflow: inCompact(given.workflow, name, value) };
    case "ui":
      return { form: "ui", workflow: inUi(given.workflow, name, value) };
    case "api":
      return { form: "api", prompt: inPrompt(given.prompt, name, value) };
    default:
      return given satisfies never;
  }
}

type Name = (text: string) => string;
type Value = (value: Json) => Json;

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

function inUi(workflow: UiWorkflow & JsonObject, name: Name, value: Value): UiWorkflow & JsonObject {
  const nodes = ({ nodes: all }: UiGraph) =>
    all.map((node) => ({
      ...node,
      type: name(node.type),
      ...(node.widgets_values !== undefined && { widgets_values: value(node.widgets_values as Json) }),
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
