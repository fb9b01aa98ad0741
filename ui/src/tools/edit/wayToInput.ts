/** What must happen before a node gets an input that its type can have: a choice made, or earlier inputs connected. */

import type { InputDefinition, NodeDefinition } from "../../comfy/bridge";
import { fullNameOf } from "../../comfy/inputsInForce";
import type { GraphNode } from "../../graph/graph";
import { sentences } from "../../shared/sentences";
import type { ToolError } from "../toolError";

const mostNamed = 4;

/** The error, with the way to the input or widget of this name where there is one. */
export function withWayTo(
  name: string,
  node: GraphNode,
  definition: NodeDefinition | undefined,
  error: ToolError,
): ToolError {
  const full = definition && fullNameOf(definition, name);
  const way = full === undefined ? undefined : wayTo(full, node, definition?.inputs ?? []);
  return way === undefined ? error : error.with({ hint: sentences(way, error.hint) });
}

function wayTo(name: string, node: GraphNode, inputs: readonly InputDefinition[]): string | undefined {
  for (const input of inputs) {
    const row = input.grows?.names ?? [];
    const index = row.indexOf(name);
    if (index >= 0) {
      const open = row
        .slice(0, index)
        .filter((each) => !node.inputs.some((slot) => slot.name === each && slot.linkedFrom));
      if (open.length > mostNamed)
        return `${name} comes after ${open.length} others; ${open[0]} is the next.`;
      return `${name} is there once ${open.join(", ")} ${open.length === 1 ? "is" : "are"} connected.`;
    }
    const isFirst = ({ grows }: InputDefinition) => grows?.names[0] === name;
    const keys = (input.options ?? []).flatMap((option) =>
      option.inputs.some((each) => each.name === name || isFirst(each)) ? [JSON.stringify(option.key)] : [],
    );
    if (keys.length > 0) return `${name} is there once ${input.name} is ${keys.slice(0, 4).join(" or ")}.`;
    for (const option of input.options ?? []) {
      const way = wayTo(name, node, option.inputs);
      if (way !== undefined) return sentences(`With ${input.name} ${JSON.stringify(option.key)}:`, way);
    }
  }
  return undefined;
}
