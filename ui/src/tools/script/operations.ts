/** From a script to the batch of operations that builds it. */

import type { Comfy, NodeDefinition } from "../../comfy/bridge";
import type { Json } from "../../graph/graph";
import type { Operation } from "../edit/operation";
import type { Argument, Reference, ScriptNode } from "./parseScript";

/**
 * One `add` per node. Positional arguments go to the inputs in their order; a required input that was left out gets
 * the newest earlier output of its type, since that is what a script in the order of the work means.
 */
export function operationsOf(comfy: Comfy, script: readonly ScriptNode[]): Operation[] {
  const earlier: { as: string; definition: NodeDefinition | undefined }[] = [];
  return script.map((node) => {
    const definition = comfy.nodeDefinition(node.type);
    const widgets: { [name: string]: Json } = {};
    const inputs: { [name: string]: string } = {};
    for (const [index, argument] of node.args.entries()) {
      const name = argument.name ?? definition?.inputs[index]?.name;
      if (name === undefined) continue;
      const source = sourceOf(argument, name);
      if (source !== undefined) inputs[name] = source;
      else if ("literal" in argument.value) widgets[name] = argument.value.literal;
      else if ("unknownName" in argument.value) widgets[name] = argument.value.unknownName;
    }
    for (const { name, type, isOptional, widget } of definition?.inputs ?? []) {
      const source = isOptional || widget || name in inputs ? undefined : newest(type);
      if (source !== undefined) inputs[name] = source;
    }
    earlier.push({ as: node.as, definition });
    return { op: "add", type: node.type, as: node.as, widgets, inputs };

    function sourceOf({ value }: Argument, name: string): string | undefined {
      if ("reference" in value) return written(value.reference, name);
      // Small models write the type of a link where they mean the node that makes it.
      return "unknownName" in value ? newest(value.unknownName) : undefined;
    }

    function written({ node: as, output }: Reference, name: string): string {
      const outputs = earlier.find((each) => each.as === as)?.definition?.outputs ?? [];
      if (typeof output === "number") return outputs[output] ? `${as}.${outputs[output].name}` : as;
      if (output !== undefined) return `${as}.${output}`;
      const wanted = definition?.inputs.find((input) => input.name === name)?.type;
      const fitting = outputs.find(({ type }) => type === wanted);
      return fitting ? `${as}.${fitting.name}` : as;
    }
  });

  function newest(type: string): string | undefined {
    for (const { as, definition } of earlier.toReversed()) {
      const output = definition?.outputs.find((each) => each.type === type);
      if (output) return `${as}.${output.name}`;
    }
    return undefined;
  }
}
