/** Names that ComfyUI and packages give to slots; any other one comes from a person or a file. */

import type { Comfy } from "../../comfy/bridge";
import { namesOfInputs } from "../../comfy/inputsInForce";
import { type CompactWorkflow, scopes } from "../../graph/compact/workflow";
import { groupPrefix } from "../../graph/ownTypes";

/** Reroutes, and inputs that take anything. */
const plainNames = ["", "*"];

/** Slots that a node has grown, and those of a subgraph that came twice, are counted: `image_2`, `any_01`. */
const count = /[\s._]*\d+$/;

/** Whether a new node of a type in the workflow calls a slot so, or the type of one. */
export function namesOfTypes(comfy: Comfy, workflow: CompactWorkflow): (name: string) => boolean {
  const types = new Set(scopes(workflow).flatMap(({ graph }) => graph.nodes.map(({ type }) => type)));
  const names = new Set(plainNames);
  for (const type of types) {
    // The page makes these types of what stands in the file.
    const shape = type.startsWith(groupPrefix) ? undefined : comfy.whole.shape(type);
    for (const slot of [...(shape?.inputs ?? []), ...(shape?.outputs ?? [])])
      for (const name of [slot.name, slot.type]) names.add(withoutCount(name));
    const isDynamic = shape && (shape.variesByChoice || shape.inputs.some(({ row }) => row));
    const definition = isDynamic ? comfy.nodeDefinition(type) : undefined;
    for (const name of definition ? namesOfInputs(definition) : []) names.add(withoutCount(name));
    for (const { name } of shape?.widgets ?? []) names.add(withoutCount(name));
  }
  return (name) => names.has(withoutCount(name));
}

function withoutCount(name: string): string {
  return String(name).replace(count, "");
}
