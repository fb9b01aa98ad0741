/** A node in the place of one whose type the server replaces: what goes where, as it lists that. */

import type { Comfy, TypeReplacement } from "../../comfy/bridge";
import { withRowSlots } from "../../comfy/dynamicSlots";
import { inputNamed } from "../../comfy/inputsInForce";
import type { GraphNode, Json, SavedValues } from "../../graph/graph";
import { blankNodeMeant } from "./installedType";
import { isList } from "./savedNames";

/**
 * A new node of the type with what it brings forth by those of the wanted values that are choices of inputs, and, where it
 * is the server's replacement, by those that are listed for it.
 */
export function replacingNode(
  comfy: Comfy,
  { type: old, inputs }: Pick<GraphNode, "type" | "inputs">,
  wanted: string,
  widgets: { [name: string]: Json },
): { blank: GraphNode; known?: TypeReplacement; choices: { [name: string]: Json } } {
  const plain = blankNodeMeant(comfy, wanted);
  const replacement = comfy.replacementOf(old);
  const known = replacement?.type === plain.type ? replacement : undefined;
  const definition = comfy.nodeDefinition(plain.type);
  const isChoice = ([name]: [string, Json]) => definition && inputNamed(definition, name)?.options;
  const choices = Object.entries(widgets).filter(isChoice);
  const values = [...(known?.values ?? []), ...choices];
  const blank = values.length > 0 ? comfy.blankNode(plain.type, values) : undefined;
  const linked = inputs.filter(({ row, linkedFrom }) => row !== undefined && linkedFrom).length;
  const made = blank ?? plain;
  return {
    blank: definition ? withRowSlots(made, definition, linked) : made,
    ...(known && { known }),
    choices: Object.fromEntries(choices),
  };
}

/** The old node with its slots and values called as the new one calls them. */
export function underNewNames(old: GraphNode, known: TypeReplacement, blank: GraphNode): GraphNode {
  const newName = (name: string) => known.names.get(name) ?? name;
  const renamed = <Part extends { name: string }>(part: Part): Part => ({
    ...part,
    name: newName(part.name),
  });
  const values = valuesByName(old.savedValues, known.widgets);
  return {
    ...old,
    inputs: old.inputs.map(renamed),
    widgets: old.widgets.map(renamed),
    outputs: old.outputs.map((output, index) => {
      const place = known.outputs.get(index);
      return { ...output, name: (place !== undefined && blank.outputs[place]?.name) || output.name };
    }),
    ...(values && {
      savedValues: Object.fromEntries(Object.entries(values).map(([name, value]) => [newName(name), value])),
    }),
  };
}

/** Undefined where only positions are known. */
function valuesByName(saved: SavedValues | undefined, order: readonly string[] | undefined) {
  if (saved === undefined || !isList(saved)) return saved;
  return (
    order && Object.fromEntries(saved.slice(0, order.length).map((value, index) => [order[index], value]))
  );
}
