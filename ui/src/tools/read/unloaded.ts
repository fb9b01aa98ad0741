/** Workflows that are read without being loaded: templates, files, and what a handle names. */

import type { Comfy } from "../../comfy/bridge";
import { choicesNamed } from "../../comfy/inputsInForce";
import { workflowInOrder } from "../../graph/compact/flow";
import { workflowOfPrompt } from "../../graph/compact/fromPrompt";
import type { NamedWidget } from "../../graph/compact/nodeValues";
import { readWorkflow, type WorkflowSource } from "../../graph/compact/read";
import { withUnwired } from "../../graph/compact/unwired";
import type { CompactWorkflow } from "../../graph/compact/workflow";
import { isMissingFrom } from "../../graph/fileChoices";
import type { Json } from "../../graph/graph";
import { shapeOfSaved } from "../../graph/nodeShape";
import type { Recognised } from "../../graph/recognise";
import { savedBroadcasts } from "../../graph/savedBroadcasts";
import type { UiNode, UiWorkflow } from "../../graph/uiWorkflow";
import { isObject } from "../../shared/json";
import { type Given, givenWorkflow } from "../apply/given";
import { withUsualFields } from "../apply/usualFields";
import type { ToolContext } from "../tool";
import { hasNewFiles } from "./sight";

export async function unloadedWorkflow(
  comfy: Comfy,
  given: Given,
  readBack: ToolContext["readBack"],
): Promise<CompactWorkflow> {
  const found = await givenWorkflow(comfy, given, readBack);
  const workflow = read(comfy, found);
  return workflowInOrder((await hasNewFiles(comfy, workflow)) ? read(comfy, found) : workflow);
}

function read(comfy: Comfy, given: Recognised): CompactWorkflow {
  const { shape } = comfy.whole;
  if (given.form === "compact") return given.workflow;
  if (given.form === "api") return workflowOfPrompt(given.prompt, shape);
  const workflow = withUsualFields(given.workflow);
  const wired = readWorkflow({ workflow, widgets: widgetsByPlace(comfy, workflow) }, shape);
  return withUnwired(wired, savedBroadcasts(workflow));
}

/** A file has values without names, in the order in which ComfyUI's page would take them. */
function widgetsByPlace(comfy: Comfy, workflow: UiWorkflow): WorkflowSource["widgets"] {
  const definitions = workflow.definitions?.subgraphs ?? [];
  const subgraphs = new Set(definitions.map(({ id }) => id));
  const nodes = new Map(
    [workflow, ...definitions].flatMap((graph, index) =>
      graph.nodes.map((node) => [`${definitions[index - 1]?.id ?? ""}:${node.id}`, node] as const),
    ),
  );
  return (scope, id) => {
    const node = nodes.get(`${scope ?? ""}:${id}`);
    if (!node) return undefined;
    return subgraphs.has(node.type) ? promotedWidgets(node) : widgetsOf(comfy, node);
  };
}

/** Newer pages do not save the inputs of widgets that nothing feeds. */
function promotedWidgets({
  inputs = [],
  widgets_values: values,
  widgets_values_named: named,
}: UiNode): NamedWidget[] | undefined {
  if (isObject(named)) return Object.entries(named).map(([name, value]) => ({ name, value: value as Json }));
  const names = inputs.flatMap(({ name, widget }) => (widget ? [name] : []));
  const held: Json[] = Array.isArray(values) ? values : [];
  return names.length === held.length
    ? names.map((name, index) => ({ name, value: held[index] ?? null }))
    : undefined;
}

function widgetsOf(comfy: Comfy, node: UiNode): NamedWidget[] | undefined {
  const { type, widgets_values: values } = node;
  const shape = shapeOfSaved(comfy.whole.shape, node);
  if (!shape) return undefined;
  const definition = comfy.nodeDefinition(type);
  const held = Object(values) as Record<string | number, Json>;
  return shape.widgets.map(({ name, value: usual }, index) => {
    const value = held[Array.isArray(values) ? index : name] ?? usual;
    const isMissing = isMissingFrom(definition && choicesNamed(definition, name), value);
    return { name, value, ...(isMissing && { isMissing }) };
  });
}
