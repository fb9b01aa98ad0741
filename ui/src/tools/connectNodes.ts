import { z } from "zod";
import type { GraphInput, GraphNode, GraphOutput } from "../graph/graph";
import { closesLoop } from "../graph/loops";
import { acceptsType } from "../graph/slotTypes";
import { textArgument } from "./arguments";
import {
  inputReferred,
  nodeAfterEdit,
  nodeName,
  nodeReferred,
  outputReferred,
  type SlotReferred,
  slotWords,
  whereabouts,
} from "./references";
import { defineTool, ToolError } from "./tool";

export const connectNodes = defineTool({
  name: "connectNodes",
  description:
    "Connect an output of one node to an input of another. Replaces the link that was in the input. Widgets can be fed too: use the widget's name as toInput.",
  input: z.object({
    fromNode: textArgument("Source node id."),
    fromOutput: textArgument("Output name or index; may be left out if only one fits.").optional(),
    toNode: textArgument("Target node id."),
    toInput: textArgument("Input name or index; may be left out if only one fits.").optional(),
  }),
  run({ fromNode, fromOutput, toNode, toInput }, comfy) {
    const graph = comfy.graph();
    const source = nodeReferred(graph, fromNode);
    const target = nodeReferred(graph, toNode);
    const { output, input } = slotsMeant(
      source,
      target,
      fromOutput === undefined ? undefined : outputReferred(source, fromOutput),
      toInput === undefined ? undefined : inputReferred(target, toInput),
    );
    const from = `${source.id}.${output.slot.name}`;
    const to = `${target.id}.${input.slot.name}`;
    if (closesLoop(graph, source.id, target.id))
      throw new ToolError(
        `Connecting ${from} to ${to} would close a loop, which ComfyUI cannot run.`,
        `${nodeName(source)} already depends on ${nodeName(target)}.`,
      );

    const before = input.slot.linkedFrom;
    const isAccepted = comfy.edit((editor) =>
      editor.connect({ node: source.id, output: output.index }, { node: target.id, input: input.index }),
    );
    const link = nodeAfterEdit(comfy, target.id).inputs.find(
      ({ name }) => name === input.slot.name,
    )?.linkedFrom;
    if (!isAccepted || link?.node !== source.id || link.output !== output.index)
      throw new ToolError(
        `ComfyUI refused to connect ${from} (${output.slot.type}) to ${to} (${input.slot.type}).`,
        `Call getWorkflowInfo with nodeIds ["${source.id}", "${target.id}"] to see their slots.`,
      );
    const wasSame = before?.node === source.id && before.output === output.index;
    const replaced = before && !wasSame ? `${before.node}.${before.name}` : undefined;
    return {
      ok: true,
      summary: `Connected ${from} to ${to}${replaced ? `, replacing ${replaced}` : ""}${wasSame ? " (it already was)" : ""}${whereabouts(graph.scope)}.`,
      data: { from, to, type: output.slot.type, ...(replaced !== undefined && { replaced }) },
    };
  },
  label: ({ fromNode, toNode }) =>
    fromNode === undefined || toNode === undefined ? "Connect nodes" : `Connect ${fromNode} to ${toNode}`,
});

interface Slots {
  output: SlotReferred<GraphOutput>;
  input: SlotReferred<GraphInput>;
}

/** The slots that were named; what was left open is filled in where a single pair of fitting types remains. */
function slotsMeant(
  source: GraphNode,
  target: GraphNode,
  output: SlotReferred<GraphOutput> | undefined,
  input: SlotReferred<GraphInput> | undefined,
): Slots {
  if (output && input) {
    if (acceptsType(input.slot.type, output.slot.type)) return { output, input };
    throw typesDiffer(source, target, { output, input });
  }
  const outputs = output ? [output] : source.outputs.map((slot, index) => ({ slot, index }));
  const inputs = input ? [input] : target.inputs.map((slot, index) => ({ slot, index }));
  const fitting = outputs.flatMap((from) =>
    inputs
      .filter((to) => acceptsType(to.slot.type, from.slot.type))
      .map((to) => ({ output: from, input: to })),
  );
  const plain = fitting.filter((pair) => !pair.input.slot.isWidget);
  const open = plain.filter((pair) => !pair.input.slot.linkedFrom);
  const [choice, ...others] = [open, plain, fitting].find((pairs) => pairs.length > 0) ?? [];
  if (choice && others.length === 0) return choice;
  if (!choice)
    throw new ToolError(
      `No output of ${nodeName(source)} fits ${input ? `input ${input.slot.name} of` : "an input of"} ${nodeName(target)}.`,
      `Outputs: ${listed(source.outputs)}. Inputs: ${listed(target.inputs)}.`,
    );
  throw new ToolError(
    `Several slots fit between ${nodeName(source)} and ${nodeName(target)}: ${[choice, ...others]
      .slice(0, 8)
      .map((pair) => `${pair.output.slot.name} to ${pair.input.slot.name}`)
      .join(", ")}.`,
    "Name fromOutput and toInput.",
  );
}

function typesDiffer(source: GraphNode, target: GraphNode, { output, input }: Slots): ToolError {
  const outputs = source.outputs.filter((slot) => acceptsType(input.slot.type, slot.type));
  const inputs = target.inputs.filter((slot) => acceptsType(slot.type, output.slot.type));
  const ways = [
    ...(outputs.length > 0
      ? [`Outputs of ${source.id} that fit ${input.slot.name}: ${listed(outputs)}.`]
      : []),
    ...(inputs.length > 0
      ? [`Inputs of ${target.id} that take ${output.slot.type}: ${listed(inputs)}.`]
      : []),
  ];
  return new ToolError(
    `${source.id}.${output.slot.name} gives ${output.slot.type}, but ${target.id}.${input.slot.name} takes ${input.slot.type}.`,
    ways.length > 0
      ? ways.join(" ")
      : "Another node has to convert between them; searchInstalledNodes finds one.",
  );
}

function listed(slots: readonly { name: string; type: string }[]): string {
  return slots.length === 0 ? "none" : slots.map(slotWords).join(", ");
}
