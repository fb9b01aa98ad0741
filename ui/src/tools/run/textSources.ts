/** The nodes from which a node takes texts. */

import type { NodeDefinition } from "../../comfy/bridge";
import type { NodeId } from "../../graph/graph";
import { linkedNode, type PromptNode } from "../../graph/prompt";

/** Whether the input can take a text; one that nothing is known of can. */
export function takesText(definition: NodeDefinition | undefined, name: string): boolean {
  const input = definition?.inputs.find((each) => each.name === name);
  return !input || input.widget === "text" || /^(?:STRING|\*)$/.test(input.type);
}

export function textSources({ inputs }: PromptNode, definition: NodeDefinition | undefined): NodeId[] {
  return Object.entries(inputs).flatMap(([name, value]) => {
    const source = linkedNode(value);
    return source !== undefined && takesText(definition, name) ? [source] : [];
  });
}
