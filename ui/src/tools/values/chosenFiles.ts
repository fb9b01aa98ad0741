import type { NodeDefinition } from "../../comfy/bridge";
import { possibleInputs } from "../../comfy/inputsInForce";
import { areFiles } from "../../graph/fileChoices";

export interface ChosenFile {
  input: string;
  file: string;
}

/** The installed files among what a node of this type holds: what is chosen from its lists of files. */
export function chosenFiles(
  definition: NodeDefinition | undefined,
  held: Readonly<Record<string, unknown>>,
): ChosenFile[] {
  return possibleInputs(definition).flatMap(({ name, choices = [] }) => {
    const file = held[name];
    return typeof file === "string" && areFiles(choices) && choices.includes(file)
      ? [{ input: name, file }]
      : [];
  });
}
