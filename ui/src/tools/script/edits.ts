/** From a script to the batch of edits that builds it. */

import type { Comfy, NodeDefinition } from "../../comfy/bridge";
import { inputNamed, inputsInForce } from "../../comfy/inputsInForce";
import type { Json } from "../../graph/graph";
import type { Edit } from "../edit/operation";
import { add } from "../edit/operations/add";
import type { Argument, Reference, ScriptNode } from "./parseScript";

interface EarlierNode {
  as: string;
  definition: NodeDefinition | undefined;
}

/**
 * One `add` per node. Positional arguments go to the inputs in their order; a required input that was left out gets
 * the newest earlier output of its type, since that is what a script in the order of the work means.
 */
export function editsOf(comfy: Comfy, script: readonly ScriptNode[]): Edit[] {
  const earlier: EarlierNode[] = [];
  return script.map((node) => {
    const definition = comfy.nodeDefinition(node.type);
    const edit = add.with({ type: node.type, as: node.as, ...contents(node, definition, earlier) });
    earlier.push({ as: node.as, definition });
    return edit;
  });
}

function contents(
  { args }: ScriptNode,
  definition: NodeDefinition | undefined,
  earlier: readonly EarlierNode[],
): { widgets: Record<string, Json>; inputs: Record<string, string> } {
  const widgets: Record<string, Json> = {};
  const inputs: Record<string, string> = {};
  for (const [index, argument] of args.entries()) {
    const written = argument.name ?? definition?.inputs[index]?.name;
    if (written === undefined) continue;
    const row = definition?.inputs.find((each) => each.name === written)?.grows;
    const name = row?.names.find((each) => !(each in inputs)) ?? written;
    const type = definition && inputNamed(definition, name)?.type;
    const source = sourceOf(argument, type, earlier);
    if (source !== undefined) inputs[name] = source;
    else if ("literal" in argument.value) widgets[name] = argument.value.literal;
    else if ("unknownName" in argument.value) widgets[name] = argument.value.unknownName;
  }
  const held = (name: string) => widgets[name] ?? (definition && inputNamed(definition, name)?.default);
  for (const { name, type, isOptional, widget } of definition ? inputsInForce(definition, held) : []) {
    const source = isOptional || widget || name in inputs ? undefined : newest(type, earlier);
    if (source !== undefined) inputs[name] = source;
  }
  return { widgets, inputs };
}

/** `type` is what the input takes. */
function sourceOf(
  { value }: Argument,
  type: string | undefined,
  earlier: readonly EarlierNode[],
): string | undefined {
  if ("reference" in value) return outputWord(value.reference, type, earlier);
  // Small models write the type of a link where they mean the node that makes it.
  return "unknownName" in value ? newest(value.unknownName, earlier) : undefined;
}

function outputWord(
  { node: as, output }: Reference,
  type: string | undefined,
  earlier: readonly EarlierNode[],
): string {
  const outputs = earlier.find((each) => each.as === as)?.definition?.outputs ?? [];
  if (typeof output === "number") return outputs[output] ? `${as}.${outputs[output].name}` : as;
  if (output !== undefined) return `${as}.${output}`;
  const fitting = outputs.find((each) => each.type === type);
  return fitting ? `${as}.${fitting.name}` : as;
}

function newest(type: string, earlier: readonly EarlierNode[]): string | undefined {
  for (const { as, definition } of earlier.toReversed()) {
    const output = definition?.outputs.find((each) => each.type === type);
    if (output) return `${as}.${output.name}`;
  }
  return undefined;
}
