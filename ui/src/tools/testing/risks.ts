/** What is asked about a prompt of one node, and of those that are linked into it. */

import type { NodeDefinition } from "../../comfy/bridge";
import { createFakeComfy } from "../../comfy/fake";
import type { Json } from "../../graph/graph";
import type { PromptNodes } from "../../graph/prompt";
import { riskyNodes } from "../run/riskyNodes";

export const definition = (
  type: string,
  { category = "test", isOutput = false, isPaid, origin }: Partial<NodeDefinition> = {},
): NodeDefinition => ({
  type,
  title: type,
  category,
  description: "",
  isOutput,
  ...(isPaid && { isPaid }),
  ...(origin !== undefined && { origin }),
  inputs: [],
  outputs: [],
});

export const ofPackage = { origin: "a-package" };
export const outputOfPackage = { isOutput: true, origin: "a-package" };

/** The reasons; those that are linked into it come with ComfyUI, and have inputs of any type unless they are given. */
export function risksOf(
  known: NodeDefinition,
  inputs: Record<string, Json>,
  linked: PromptNodes = {},
  given: readonly NodeDefinition[] = [],
): string[] {
  const isGiven = (type: string) => given.some((each) => each.type === type);
  const types = Object.values(linked).map(({ class_type }) => class_type);
  const core = [...given, ...types.filter((type) => !isGiven(type)).map((type) => definition(type))];
  const comfy = createFakeComfy({ definitions: [known, ...core] });
  const found = riskyNodes(comfy, [{ "1": { class_type: known.type, inputs }, ...linked }]);
  return [...new Set(found.map(({ risk }) => risk))];
}
