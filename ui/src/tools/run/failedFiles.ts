/** The files that a node was to load when it failed: what it was called with of its lists of files. */

import type { Comfy, RunError } from "../../comfy/bridge";
import { possibleInputs } from "../../comfy/inputsInForce";
import { areFiles } from "../../graph/fileChoices";

export function failedFiles(
  comfy: Pick<Comfy, "nodeDefinition">,
  { type = "", texts = {} }: Pick<RunError, "type" | "texts">,
): string[] {
  const definition = comfy.nodeDefinition(type);
  const inputs = definition ? possibleInputs(definition) : [];
  return inputs.flatMap(({ name, choices = [] }) => {
    const file = texts[name];
    return file !== undefined && areFiles(choices) && choices.includes(file) ? [file] : [];
  });
}
