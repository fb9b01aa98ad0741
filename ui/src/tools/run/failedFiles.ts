import type { Comfy, RunError } from "../../comfy/bridge";
import { chosenFiles } from "../values/chosenFiles";

/** The files that a node was to load when it failed. */
export function failedFiles(
  comfy: Pick<Comfy, "nodeDefinition">,
  { type = "", texts = {} }: Pick<RunError, "type" | "texts">,
): string[] {
  return chosenFiles(comfy.nodeDefinition(type), texts).map(({ file }) => file);
}
