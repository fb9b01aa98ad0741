/** Which output and which input a link is meant for. */

import type { GraphInput, GraphNode, GraphOutput } from "../../graph/graph";
import { acceptsType } from "../../graph/slotTypes";
import { nodeName, pathWord, type SlotReferred, slotWords } from "../read/references";
import { ToolError } from "../tool";

const convert = "Another node has to convert between them; searchInstalledNodes finds one.";

export type Deciding = (pair: SlotPair) => string;

/** For a node whose fields have its links: they say which. */
export const byInputs =
  (source: string): Deciding =>
  ({ input, output }) =>
    `Say which: inputs ${JSON.stringify({ [input.slot.name]: `${source}.${output.slot.name}` })}.`;

export interface SlotPair {
  output: SlotReferred<GraphOutput>;
  input: SlotReferred<GraphInput>;
}

/**
 * The slots that were named; what was left open is filled in where a single pair of fitting types remains. `deciding` says
 * how a pair is named where several do.
 */
export function slotsMeant(
  source: GraphNode,
  target: GraphNode,
  output: SlotReferred<GraphOutput> | undefined,
  input: SlotReferred<GraphInput> | undefined,
  deciding: Deciding = (pair) =>
    `Name both slots, such as ${pathWord(source)}.${pair.output.slot.name} and ${pathWord(target)}.${pair.input.slot.name}.`,
): SlotPair {
  if (output && input) {
    if (acceptsType(input.slot.type, output.slot.type)) return { output, input };
    throw typesDiffer(source, target, { output, input });
  }
  const outputs = output ? [output] : source.outputs.map((slot, index) => ({ slot, index }));
  const inputs = input ? [input] : target.inputs.map((slot, index) => ({ slot, index }));
  const [choice, ...others] = likely(pairsOf(outputs, inputs));
  if (choice && others.length === 0) return choice;
  if (source.outputs.length === 0 && source.subgraph)
    throw new ToolError(
      `${nodeName(source)} gives nothing yet.`,
      `promote makes an output of one that a node inside has, as {"op":"promote","from":"${pathWord(source)}:<node>.<output>"}.`,
    );
  if (!choice)
    throw new ToolError(
      `No output of ${nodeName(source)} fits ${input ? `input ${input.slot.name} of` : "an input of"} ${nodeName(target)}.`,
      input
        ? `Outputs: ${listed(source.outputs)}; the input takes ${input.slot.type}. ${convert}`
        : `Outputs: ${listed(source.outputs)}. Inputs: ${listed(target.inputs)}.`,
    );
  throw new ToolError(
    `Several slots fit between ${nodeName(source)} and ${nodeName(target)}: ${[choice, ...others]
      .slice(0, 8)
      .map((pair) => `${pair.output.slot.name} to ${pair.input.slot.name}`)
      .join(", ")}.`,
    deciding(choice),
  );
}

/** Those of fitting types. */
export function pairsOf(
  outputs: readonly SlotReferred<GraphOutput>[],
  inputs: readonly SlotReferred<GraphInput>[],
): SlotPair[] {
  return outputs.flatMap((output) =>
    inputs
      .filter((input) => acceptsType(input.slot.type, output.slot.type))
      .map((input) => ({ output, input })),
  );
}

/** Those into open inputs, of a growing row the next one, else those into inputs, else those into widgets. */
export function likely(pairs: readonly SlotPair[]): readonly SlotPair[] {
  const plain = pairs.filter(({ input }) => !input.slot.isWidget);
  const open = plain.filter(({ input }) => !input.slot.linkedFrom).filter(isNextOfRow);
  return [open, plain].find((each) => each.length > 0) ?? pairs;
}

function isNextOfRow({ output, input }: SlotPair, _: number, open: readonly SlotPair[]): boolean {
  const { row } = input.slot;
  const isBefore = (other: SlotPair) =>
    other.output.index === output.index && other.input.slot.row === row && other.input.index < input.index;
  return row === undefined || !open.some(isBefore);
}

function typesDiffer(source: GraphNode, target: GraphNode, { output, input }: SlotPair): ToolError {
  const outputs = source.outputs.filter((slot) => acceptsType(input.slot.type, slot.type));
  const inputs = target.inputs.filter((slot) => !slot.linkedFrom && acceptsType(slot.type, output.slot.type));
  const ways = [
    ...(outputs.length > 0
      ? [`Outputs of ${pathWord(source)} that fit ${input.slot.name}: ${listed(outputs)}.`]
      : []),
    ...(inputs.length > 0
      ? [`Inputs of ${pathWord(target)} that take ${output.slot.type}: ${listed(inputs)}.`]
      : []),
  ];
  return new ToolError(
    `${pathWord(source)}.${output.slot.name} gives ${output.slot.type}, but ${pathWord(target)}.${input.slot.name} takes ${input.slot.type}.`,
    ways.length > 0 ? ways.join(" ") : convert,
  );
}

function listed(slots: readonly { name: string; type: string }[]): string {
  return slots.length === 0 ? "none" : slots.map(slotWords).join(", ");
}
