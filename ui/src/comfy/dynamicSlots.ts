/**
 * The slots that a node has by its values and links, as ComfyUI's page gives them to it: inputs that a choice brings
 * along, one more input than are linked of a growing row, and the one type of slots that have to match.
 */

import type { Graph, GraphInput, GraphNode, Json } from "../graph/graph";
import { replaceInputs, sourceSlot } from "../graph/links";
import type { InputDefinition, NodeDefinition } from "./bridge";
import { type Held, inputNamed, inputsInForce, possibleInputs } from "./inputsInForce";

/**
 * Growing rows have one input more than are needed and linked. A matched input has the type of what is linked to the
 * others, and the output that of what is linked to any; with no link the types that are declared.
 */
export function settleSlots(graph: Graph, node: GraphNode, definition: NodeDefinition): void {
  for (const { name: row, grows } of rowsIn(definition, heldBy(node))) {
    const linked = grows.names.findLastIndex((name) => inputOf(node, name)?.linkedFrom);
    for (const name of grows.names.slice(0, Math.max(grows.least, linked + 1) + 1))
      if (!inputOf(node, name))
        node.inputs.push({
          name,
          type: grows.each.type,
          isOptional: grows.names.indexOf(name) >= grows.least,
          isWidget: false,
          row,
        });
  }
  for (const [match, declared] of matchedInputs(definition, node)) {
    const inputs = node.inputs.filter(({ name }) => declared.has(name));
    const decidedBy = (deciding: readonly GraphInput[]) =>
      deciding.map((input) => typeOfSource(graph, input)).find((type) => type !== undefined);
    for (const input of inputs)
      input.type = decidedBy(inputs.filter((other) => other !== input)) ?? declared.get(input.name) ?? "*";
    for (const [index, output] of definition.outputs.entries())
      if (output.match === match && node.outputs[index])
        node.outputs[index].type = decidedBy(inputs) ?? output.type;
  }
}

/** The first name of a growing row at which nothing is linked: `images.image1` of `images`. */
export function openNameOf(node: GraphNode, definition: NodeDefinition, row: string): string | undefined {
  const meant = rowsIn(definition, heldBy(node)).find(({ name }) => name === row);
  return meant?.grows.names.find((name) => !inputOf(node, name)?.linkedFrom);
}

/**
 * A new node with so many inputs of each of its growing rows, which it grows as they are linked one after the other; those
 * of a choice grow a moment later.
 */
export function withRowSlots(blank: GraphNode, definition: NodeDefinition, count: number): GraphNode {
  const inputs = [...blank.inputs];
  for (const { grows } of definition.inputs) {
    if (!grows) continue;
    const last = inputs.findLastIndex(({ name }) => grows.names.includes(name));
    const model = inputs[last];
    if (!model) continue;
    const isThere = (name: string) => inputs.some((input) => input.name === name);
    const missing = grows.names.slice(0, count).filter((name) => !isThere(name));
    inputs.splice(last + 1, 0, ...missing.map((name) => ({ ...model, name })));
  }
  return { ...blank, inputs };
}

/** An input of a growing row `within` a choice that another of its row comes behind, and that nothing is linked to. */
export function gapIn({ inputs }: GraphNode, within = ""): GraphInput | undefined {
  return inputs.find(
    ({ name, row, isWidget, linkedFrom }, index) =>
      row !== undefined &&
      name.startsWith(within) &&
      !isWidget &&
      !linkedFrom &&
      inputs.slice(index).some((other) => other.row === row && other.linkedFrom),
  );
}

/** Whether all inputs that a growing row of this name can have are linked. */
export function isFullRow(node: GraphNode, definition: NodeDefinition, row: string): boolean {
  return rowsIn(definition, heldBy(node)).some(
    ({ name, grows }) => name === row && grows.names.every((each) => inputOf(node, each)?.linkedFrom),
  );
}

/**
 * Gives a node the widgets and inputs of a fresh one that has its values. What both have stays, with what may be chosen
 * by now; of the others that the type declares, growing rows stay, and all else goes with its links.
 */
export function takeSlotsOf(
  graph: Graph,
  node: GraphNode,
  fresh: GraphNode,
  definition?: NodeDefinition,
): void {
  const widgets = new Map(node.widgets.map((widget) => [widget.name, widget]));
  const inputs = new Map(node.inputs.map((input) => [input.name, input]));
  const rows = definition ? rowsIn(definition, heldBy(fresh)).flatMap(({ grows }) => grows.names) : [];
  const isGone = (name: string) =>
    definition !== undefined && inputNamed(definition, name) !== undefined && !rows.includes(name);
  node.widgets = fresh.widgets.map((widget) => {
    const held = widgets.get(widget.name);
    const isOther =
      definition && possibleInputs(definition).filter(({ name }) => name === widget.name).length > 1;
    if (!held || !isOther) return held ?? widget;
    const fits = widget.choices?.some((choice) => choice === held.value) ?? widget.kind === held.kind;
    return fits ? { ...widget, value: held.value } : widget;
  });
  replaceInputs(graph, node, [
    ...fresh.inputs.map((input) => inputs.get(input.name) ?? input),
    ...node.inputs.filter(({ name }) => !inputOf(fresh, name) && !isGone(name)),
  ]);
}

export function heldBy({ widgets }: GraphNode): Held {
  const values = new Map(widgets.map(({ name, value }): [string, Json] => [name, value]));
  return (name) => values.get(name);
}

interface Row {
  name: string;
  grows: NonNullable<InputDefinition["grows"]>;
}

/** Those of the choices that are made, too. */
function rowsIn(definition: Pick<NodeDefinition, "inputs">, held: Held): Row[] {
  return definition.inputs.flatMap(({ name, grows, options }): Row[] => {
    const chosen = options?.find(({ key }) => key === held(name));
    return [...(grows ? [{ name, grows }] : []), ...(chosen ? rowsIn(chosen, held) : [])];
  });
}

/** By what they share, the declared type of each input. */
function matchedInputs(definition: NodeDefinition, node: GraphNode): Map<string, Map<string, string>> {
  const groups = new Map<string, Map<string, string>>();
  const held = heldBy(node);
  const present = (name: string) => (inputOf(node, name) ? true : undefined);
  for (const { name, match, type } of inputsInForce(definition, (name) => held(name) ?? present(name)))
    if (match !== undefined) groups.set(match, (groups.get(match) ?? new Map()).set(name, type));
  return groups;
}

/** Undefined where nothing is linked, or what is linked is of no certain type. */
function typeOfSource(graph: Graph, { linkedFrom }: GraphInput): string | undefined {
  const type = linkedFrom && sourceSlot(graph, linkedFrom)?.type;
  return type === undefined || type === "*" || type.includes(",") ? undefined : type;
}

function inputOf({ inputs }: Pick<GraphNode, "inputs">, name: string): GraphInput | undefined {
  return inputs.find((input) => input.name === name);
}
