/** The nodes from which a node takes texts, and what it makes of them. */

import type { NodeDefinition } from "../../comfy/bridge";
import { inputNamed } from "../../comfy/inputsInForce";
import type { NodeId } from "../../graph/graph";
import { linkedNode, type PromptNode } from "../../graph/prompt";

/**
 * Words in the names of types that may be texts or hold some. A list of choices is among them: what another node brings
 * need not be one of these. Several types stand with commas; of ComfyUI's own, one stands for what is linked there.
 */
const ofTexts =
  /(?:^|[,_ ])(?:\*|any|matchtype|combo|str|strings?|texts?|lists?|dict|json|paths?|files?|filenames?|url)(?=$|[,_ ])/i;

/** Whether the input can take a text; one that nothing is known of can. */
export function takesText(definition: NodeDefinition | undefined, name: string): boolean {
  const input = definition && inputNamed(definition, name);
  return !input || input.widget === "text" || ofTexts.test(input.type);
}

export function textSources({ inputs }: PromptNode, definition: NodeDefinition | undefined): NodeId[] {
  return Object.entries(inputs).flatMap(([name, value]) => {
    const source = linkedNode(value);
    return source !== undefined && takesText(definition, name) ? [source] : [];
  });
}
