/** What must happen before a node gets an input that its type can have: a choice made, or earlier inputs connected. */

import type { InputDefinition, NodeDefinition } from "../../comfy/bridge";
import { fullNamesOf } from "../../comfy/inputsInForce";
import type { GraphNode } from "../../graph/graph";
import { sentences } from "../../shared/sentences";
import { pathWord, typeWord } from "../read/references";
import type { ToolError } from "../toolError";

const mostNamed = 4;

/** The error, with the way to the input or widget of this name where there is one. */
export function withWayTo(
  name: string,
  node: GraphNode,
  definition: NodeDefinition | undefined,
  error: ToolError,
): ToolError {
  const [full, ...others] = definition ? fullNamesOf(definition, name) : [];
  if (!definition || full === undefined) return error;
  const told =
    others.length > 0
      ? `${name} may be ${[full, ...others].join(" or ")}.`
      : wayWords(full, node, definition);
  return told === undefined ? error : error.with({ hint: sentences(told, error.hint) });
}

/** The error, with the nodes that have such an input, where these are few. */
export function withHolders(name: string, holders: readonly GraphNode[], error: ToolError): ToolError {
  if (holders.length === 0 || holders.length > mostNamed) return error;
  const words = holders.map((each) => `${pathWord(each)} ${typeWord(each)}`).join(", ");
  return error.with({ hint: sentences(`${name} is an input of ${words}.`, error.hint) });
}

function wayWords(name: string, node: GraphNode, { inputs }: NodeDefinition): string | undefined {
  const way = wayTo(name, node, inputs);
  if (!way) return undefined;
  const choices = way.choices.length > 0 ? `${name} is there once ${way.choices.join(" and ")}.` : undefined;
  return sentences(choices, way.row);
}

interface Way {
  /** Those that are still to be made. */
  choices: string[];
  /** What has to be connected before. */
  row?: string;
}

function wayTo(name: string, node: GraphNode, inputs: readonly InputDefinition[]): Way | undefined {
  for (const { name: chooser, grows, options = [] } of inputs) {
    const index = grows?.names.indexOf(name) ?? -1;
    if (grows && index >= 0) return { choices: [], ...rowWords(name, grows.names.slice(0, index), node) };
    const isFirst = (input: InputDefinition) => input.grows?.names[0] === name;
    const keys = options.flatMap((option) =>
      option.inputs.some((each) => each.name === name || isFirst(each)) ? [JSON.stringify(option.key)] : [],
    );
    if (keys.length > 0) return { choices: [`${chooser} is ${keys.slice(0, mostNamed).join(" or ")}`] };
    const held = node.widgets.find((widget) => widget.name === chooser)?.value;
    const heldFirst = [...options].sort(
      (one, other) => Number(other.key === held) - Number(one.key === held),
    );
    for (const { key, inputs: brought } of heldFirst) {
      const way = wayTo(name, node, brought);
      if (!way) continue;
      const first = key === held ? [] : [`${chooser} is ${JSON.stringify(key)}`];
      return { ...way, choices: [...first, ...way.choices] };
    }
  }
  return undefined;
}

function rowWords(name: string, before: readonly string[], { inputs }: GraphNode): { row?: string } {
  const open = before.filter((each) => !inputs.some((slot) => slot.name === each && slot.linkedFrom));
  if (open.length === 0) return {};
  if (open.length > mostNamed)
    return { row: `${name} comes after ${open.length} others; ${open[0]} is the next.` };
  return { row: `${name} is there once ${open.join(", ")} ${open.length === 1 ? "is" : "are"} connected.` };
}
