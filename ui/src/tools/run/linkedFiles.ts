/** Names of files in prompts that a link of the file system leads out of ComfyUI's folders, which only the server knows. */

import type { Comfy } from "../../comfy/bridge";
import type { PromptNodes } from "../../graph/prompt";
import { namesFile } from "./inputNames";
import { givenTexts } from "./promptTexts";
import { textForms } from "./textForms";
import { pathsIn } from "./valueLooks";

const longestName = 300;
const mostAtOnce = 2_000;

/** In the forms in which `riskyNodes` looks at values. Rejects where the server cannot be asked. */
export async function linkedFiles(
  comfy: Comfy,
  prompts: readonly PromptNodes[],
): Promise<ReadonlySet<string>> {
  const names = [
    ...new Set(prompts.flatMap((nodes) => Object.keys(nodes).flatMap(namesGiven(comfy, nodes)))),
  ];
  const found = new Set<string>();
  for (let start = 0; start < names.length; start += mostAtOnce)
    for (const each of await comfy.linkedOut(names.slice(start, start + mostAtOnce))) found.add(each);
  return found;
}

/** Of ComfyUI's own nodes what names a file; of those of packages any text may. */
function namesGiven(comfy: Comfy, nodes: PromptNodes): (id: string) => string[] {
  return (id) => {
    const definition = comfy.nodeDefinition(nodes[id]?.class_type ?? "");
    const isForeign = definition === undefined || definition.origin !== undefined;
    return givenTexts(comfy, nodes, id)
      .filter(({ input }) => isForeign || namesFile(input))
      .flatMap(({ value, texts }) => (typeof value === "string" ? [value, ...texts] : texts))
      .flatMap((text) => (isForeign ? textForms(text) : [text]))
      .flatMap(pathsIn)
      .filter((name) => name !== "" && name.length <= longestName);
  };
}
