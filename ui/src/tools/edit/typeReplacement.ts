/** A node in the place of one whose type the server replaces: what goes where, as it lists that. */

import type { Comfy, TypeReplacement } from "../../comfy/bridge";
import type { GraphNode, SavedValues } from "../../graph/graph";
import { blankNodeMeant } from "./installedType";
import { isList } from "./replacement";

/** A new node of the type; where that is the server's replacement, with what it brings forth once it is set as listed. */
export function replacingNode(
  comfy: Comfy,
  old: string,
  wanted: string,
): { blank: GraphNode; known?: TypeReplacement } {
  const blank = blankNodeMeant(comfy, wanted);
  const known = comfy.replacementOf(old);
  if (known?.type !== blank.type) return { blank };
  return { blank: comfy.blankNode(blank.type, known.values) ?? blank, known };
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
