/** Which runs a call asks for: every combination of the values and seeds that it names. */

import type { Comfy, InputDefinition } from "../../comfy/bridge";
import { inputNamed as declaredInput } from "../../comfy/inputsInForce";
import type { GraphNode, GraphWidget, Json, NodeId, Place } from "../../graph/graph";
import {
  linkedNode,
  type PromptNode,
  type PromptNodes,
  promptTitle,
  type RunChange,
} from "../../graph/prompt";
import { shownMeant } from "../edit/promotion";
import { pathNamed } from "../read/givenNames";
import { nodeReferred, widgetNamed } from "../read/references";
import { ToolError } from "../tool";
import { closest } from "../values/closest";
import { type WidgetPlace, widgetValue } from "../values/widgetValue";
import { innerWidgets, subgraphNodeMeant } from "./promotedWidgets";
import { mostRuns } from "./variationsArgument";

export interface Variation {
  node: string;
  widget: string;
  values: readonly Json[];
}

export interface PlannedRun {
  changes: RunChange[];
  /** What sets this run apart, for the model and the user: `{"seed": 5, "3.steps": 20}`. */
  values: Record<string, Json>;
}

type Alternatives = PlannedRun[];

/** `nodes` are those that will run. Throws a ToolError for a value that does not fit, or for more runs than allowed. */
export function planRuns(
  comfy: Comfy,
  nodes: PromptNodes,
  { seeds, vary }: { seeds: readonly number[]; vary: readonly Variation[] },
): PlannedRun[] {
  const alternatives = [
    ...vary.flatMap((variation) => alternativesOf(comfy, nodes, variation)),
    ...(seeds.length > 0 ? seedAlternatives(nodes, seeds) : []),
  ];
  const axes = [...Map.groupBy(alternatives, ({ values }) => Object.keys(values).join()).values()].map(
    distinct,
  );
  const count = axes.reduce((product, axis) => product * axis.length, 1);
  if (count > mostRuns)
    throw new ToolError(
      `${axes.length > 1 ? axes.map(({ length }) => length).join(" x ") : "These"} would be ${count} runs; at most ${mostRuns} are allowed in one call.`,
      axes.length > 1 ? "Vary less at a time." : "Run the rest in another call.",
    );
  return axes.reduce<PlannedRun[]>(
    (runs, axis) => runs.flatMap((run) => axis.map((alternative) => joined(run, alternative))),
    [{ changes: [], values: {} }],
  );
}

/** The same value twice would make the same picture twice. */
function distinct(alternatives: Alternatives): Alternatives {
  return [...new Map(alternatives.map((each) => [JSON.stringify(each.values), each])).values()];
}

/** A node of the prompt by run id, by its id in the open graph, by title or by type. */
export function runNode(comfy: Comfy, nodes: PromptNodes, reference: string): NodeId {
  const called = reference.trim().replace(/^#/, "");
  const wanted = pathNamed(comfy, called)?.join(":") ?? called;
  if (nodes[wanted]) return wanted;
  const inner = Object.keys(nodes).filter((id) => promptTitle(nodes, id) === wanted);
  if (inner.length === 1 && inner[0] !== undefined) return inner[0];
  const graph = comfy.graph();
  const node = nodeReferred(graph, wanted);
  if (node.mode !== "active")
    throw new ToolError(
      `Node ${node.id} is ${node.mode}, so it does not run.`,
      `Make it active first: editWorkflow {"operations":[{"op":"mode","nodes":["${node.id}"],"mode":"active"}]}.`,
    );
  if (node.subgraph) return endOfSubgraph(comfy, nodes, [...comfy.openPlace(), node.id], node.subgraph.name);
  const runs = Object.keys(nodes).filter(
    (id) => id.split(":").at(-1) === node.id && nodes[id]?.class_type === node.type,
  );
  if (runs.length === 1 && runs[0] !== undefined) return runs[0];
  throw runs.length === 0
    ? new ToolError(`Node ${node.id} (${node.type}) is not among the nodes that run.`)
    : new ToolError(
        `Node ${node.id} runs ${runs.length} times: as ${runs.join(", ")}.`,
        "Name one of these.",
      );
}

/** The inner node whose result leaves a subgraph, as it runs; of several, the model has to choose. */
function endOfSubgraph(comfy: Comfy, nodes: PromptNodes, inside: Place, name: string): NodeId {
  const ends = new Map(endsInside(comfy, inside).filter(([id]) => nodes[id]));
  const [only] = ends.keys();
  if (only !== undefined && ends.size === 1) return only;
  const place = inside.join(":");
  if (ends.size === 0)
    throw new ToolError(
      `Node ${place} is the subgraph "${name}", none of whose results runs.`,
      `Name a node inside it by its path, as ${place}:5.`,
    );
  throw new ToolError(
    `Node ${place} is the subgraph "${name}", which has ${ends.size} results; name one node inside it.`,
    `${[...ends].map(([id, output]) => `${id} ${promptTitle(nodes, id)} gives ${output}`).join(", ")}.`,
  );
}

/** By run id, each with the output that it feeds. */
function endsInside(comfy: Comfy, inside: Place): [NodeId, string][] {
  const { scope, nodes } = comfy.graph(inside);
  if (scope.kind !== "subgraph") return [];
  return scope.outputs.flatMap(({ name, linkedFrom }): [NodeId, string][] => {
    const inner = nodes.find(({ id }) => id === linkedFrom?.node);
    if (!inner) return [];
    const path = [...inside, inner.id];
    return inner.subgraph
      ? endsInside(comfy, path)
          .filter(([, output]) => output === linkedFrom?.name)
          .map(([id]) => [id, name])
      : [[path.join(":"), name]];
  });
}

function alternativesOf(comfy: Comfy, nodes: PromptNodes, variation: Variation): Alternatives {
  const { node, widget, values } = variation;
  const subgraph = nodes[node.trim()] ? undefined : subgraphNodeMeant(comfy, node);
  if (subgraph) return promotedAlternatives(comfy, nodes, subgraph, variation);
  const id = runNode(comfy, nodes, node);
  const known = nodes[id] as PromptNode;
  const input = inputNamed(id, known, widget);
  const { node: holder, name } = valueHolder(nodes, id, input);
  const described = widgetOf(comfy, nodes[holder] as PromptNode, name);
  if (values.length === 0) throw new ToolError(`No values are given for ${input} of node ${id}.`);
  return values.map((written) => {
    const value = widgetValue({ ...described, name: input }, written, placeIn(comfy, nodes[holder]));
    return { changes: [{ node: holder, input: name, value }], values: { [`${id}.${input}`]: value } };
  });
}

function placeIn(comfy: Comfy, node: PromptNode | undefined): WidgetPlace {
  return { type: node?.class_type, definitionOf: (type) => comfy.nodeDefinition(type) };
}

/** A widget of a subgraph's node stands for widgets inside. */
function promotedAlternatives(
  comfy: Comfy,
  nodes: PromptNodes,
  { place, node }: { place: Place; node: GraphNode },
  { widget, values }: Variation,
): Alternatives {
  const id = [...place, node.id].join(":");
  const shown = [...node.widgets.map(({ name }) => name), ...(node.subgraph?.shown ?? [])];
  const wanted = widget.trim();
  const name =
    shown.find((each) => each === wanted) ??
    widgetNamed(node, wanted)?.name ??
    shownMeant(node, wanted) ??
    wanted;
  const holders = innerWidgets(comfy, place, node, name).filter(({ node: inner }) => nodes[inner]);
  const [first] = holders;
  if (!first)
    throw new ToolError(
      `The subgraph "${node.subgraph?.name}" (node ${id}) shows no widget "${wanted}" of a node that runs.`,
      shown.length > 0
        ? `Its widgets: ${shown.join(", ")}.`
        : `Name a node inside it, as ${id}:5; promote shows widgets outside.`,
    );
  const isKept = node.widgets.some((each) => each.name === name);
  const changed = holders.map((inner) => valueHolder(nodes, inner.node, inner.input));
  const described = widgetOf(comfy, nodes[first.node] as PromptNode, first.input);
  return values.map((written) => {
    const value = widgetValue({ ...described, name }, written, placeIn(comfy, nodes[first.node]));
    return {
      changes: changed.map((holder) => ({
        node: holder.node,
        input: holder.name,
        value,
        ...(isKept && { shown: { node: id, input: name } }),
      })),
      values: { [`${id}.${name}`]: value },
    };
  });
}

function seedAlternatives(nodes: PromptNodes, seeds: readonly number[]): Alternatives {
  const holders = Object.entries(nodes).flatMap(([id, { inputs }]) =>
    ["seed", "noise_seed"].filter((name) => name in inputs).map((name) => valueHolder(nodes, id, name)),
  );
  if (holders.length === 0)
    throw new ToolError("No node that runs has a seed.", "Use vary to name the widget to change.");
  return seeds.map((seed) => ({
    changes: holders.map(({ node, name }) => ({ node, input: name, value: seed })),
    values: { seed },
  }));
}

function inputNamed(id: NodeId, node: PromptNode, reference: string): string {
  const names = Object.keys(node.inputs);
  const found =
    names.find((name) => name === reference.trim()) ??
    names.find((name) => name.toLowerCase() === reference.trim().toLowerCase());
  if (found !== undefined) return found;
  const [near] = closest(reference, names, 1);
  throw new ToolError(
    `${node.class_type} (node ${id}) has no widget "${reference}".`,
    `${near === undefined ? "" : `Closest: ${near}. `}Its inputs: ${names.join(", ")}.`,
  );
}

/** Where the value of an input lies: on the node itself, or on a node of plain values that it is linked to. */
function valueHolder(nodes: PromptNodes, id: NodeId, input: string): { node: NodeId; name: string } {
  const source = linkedNode(nodes[id]?.inputs[input]);
  if (source === undefined) return { node: id, name: input };
  const primitive = nodes[source];
  if (primitive?.class_type.startsWith("Primitive") && linkedNode(primitive.inputs.value) === undefined)
    return { node: source, name: "value" };
  throw new ToolError(
    `${input} of node ${id} comes from node ${source} (${promptTitle(nodes, source)}), so it holds no value of its own.`,
    "Vary a widget of that node instead.",
  );
}

function widgetOf(comfy: Comfy, node: PromptNode, name: string): GraphWidget {
  const value = node.inputs[name] ?? null;
  const definition = comfy.nodeDefinition(node.class_type);
  const input = definition && declaredInput(definition, name);
  return input?.widget === undefined ? { name, kind: kindOf(value), value } : described(input, value);
}

function described(
  { name, widget, choices, min, max, step, isColor }: InputDefinition,
  value: Json,
): GraphWidget {
  return {
    name,
    kind: widget ?? "other",
    value,
    ...(choices && { choices }),
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(step !== undefined && { step }),
    ...(isColor && { isColor }),
  };
}

function kindOf(value: Json): GraphWidget["kind"] {
  if (typeof value === "number") return "number";
  if (typeof value === "boolean") return "boolean";
  return typeof value === "string" ? "text" : "other";
}

function joined(run: PlannedRun, alternative: PlannedRun): PlannedRun {
  return {
    changes: [...run.changes, ...alternative.changes],
    values: { ...run.values, ...alternative.values },
  };
}
