/**
 * The slots that a node has by its values and links, as ComfyUI's page gives them to it: inputs that a choice brings
 * along, one more input than are linked of a growing row, and the one type of slots that have to match.
 */

import type { Graph, GraphInput, GraphNode, Json } from "../graph/graph";
import { replaceInputs, sourceSlot } from "../graph/links";
import type { InputDefinition, NodeDefinition } from "./bridge";
import { type Held, inputNamed, inputsInForce } from "./inputsInForce";

/** Growing rows have one input more than are needed and linked; matched slots have the type of what is linked to one. */
export function settleSlots(graph: Graph, node: GraphNode, definition: NodeDefinition): void {
  for (const row of rowsOf(definition, heldBy(node))) {
    const linked = row.names.findLastIndex((name) => inputOf(node, name)?.linkedFrom);
    for (const name of row.names.slice(0, Math.max(row.least, linked + 1) + 1))
      if (!inputOf(node, name)) node.inputs.push(openInput({ ...row.each, name }));
  }
  for (const [match, names] of matchedInputs(definition, node)) {
    const inputs = node.inputs.filter(({ name }) => names.has(name));
    const decided = inputs.map((input) => typeOfSource(graph, input)).find((type) => type !== undefined);
    if (decided === undefined) continue;
    for (const input of inputs) input.type = decided;
    for (const [index, output] of definition.outputs.entries())
      if (output.match === match && node.outputs[index]) node.outputs[index].type = decided;
  }
}

/** The first name of a growing row at which nothing is linked: `images.image1` of `images`. */
export function openNameOf(node: GraphNode, definition: NodeDefinition, row: string): string | undefined {
  const grows = definition.inputs.find(({ name, grows }) => grows && name === row)?.grows;
  return grows?.names.find((name) => !inputOf(node, name)?.linkedFrom);
}

/**
 * Gives a node the widgets and inputs of a fresh one that has its values. What both have stays; of the others that the
 * type declares, growing rows stay, and all else goes with its links.
 */
export function takeSlotsOf(
  graph: Graph,
  node: GraphNode,
  fresh: GraphNode,
  definition?: NodeDefinition,
): void {
  const widgets = new Map(node.widgets.map((widget) => [widget.name, widget]));
  const inputs = new Map(node.inputs.map((input) => [input.name, input]));
  const rows = definition ? rowsOf(definition, heldBy(fresh)).flatMap(({ names }) => names) : [];
  const isGone = (name: string) =>
    definition !== undefined && inputNamed(definition, name) !== undefined && !rows.includes(name);
  node.widgets = fresh.widgets.map((widget) => widgets.get(widget.name) ?? widget);
  replaceInputs(graph, node, [
    ...fresh.inputs.map((input) => inputs.get(input.name) ?? input),
    ...node.inputs.filter(({ name }) => !inputOf(fresh, name) && !isGone(name)),
  ]);
}

export function heldBy({ widgets }: GraphNode): Held {
  const values = new Map(widgets.map(({ name, value }): [string, Json] => [name, value]));
  return (name) => values.get(name);
}

/** Those of the choices that are made, too. */
function rowsOf(
  definition: Pick<NodeDefinition, "inputs">,
  held: Held,
): NonNullable<InputDefinition["grows"]>[] {
  return definition.inputs.flatMap(({ name, grows, options }) => {
    const chosen = options?.find(({ key }) => key === held(name));
    return [...(grows ? [grows] : []), ...(chosen ? rowsOf(chosen, held) : [])];
  });
}

function matchedInputs(definition: NodeDefinition, node: GraphNode): Map<string, Set<string>> {
  const groups = new Map<string, Set<string>>();
  const present = (name: string) => (inputOf(node, name) ? true : undefined);
  for (const { name, match } of inputsInForce(definition, (name) => heldBy(node)(name) ?? present(name)))
    if (match !== undefined) groups.set(match, (groups.get(match) ?? new Set()).add(name));
  return groups;
}

/** Undefined where nothing is linked, or what is linked is of no certain type. */
function typeOfSource(graph: Graph, { linkedFrom }: GraphInput): string | undefined {
  const type = linkedFrom && sourceSlot(graph, linkedFrom)?.type;
  return type === undefined || type === "*" || type.includes(",") ? undefined : type;
}

function openInput({ name, type, isOptional }: InputDefinition): GraphInput {
  return { name, type, isOptional, isWidget: false };
}

function inputOf({ inputs }: Pick<GraphNode, "inputs">, name: string): GraphInput | undefined {
  return inputs.find((input) => input.name === name);
}
