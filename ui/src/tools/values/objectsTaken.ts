/** Nodes that take any number of objects, such as one for each LoRA: how a new one is written, which no definition tells. */

import type { Comfy } from "../../comfy/bridge";
import type { Json } from "../../graph/graph";
import type { JsonObject } from "../../graph/uiWorkflow";
import { filesOfParts, objectMeant, objectNames, partsOfObjects } from "./objectParts";

interface ObjectTaken {
  name: string;
  value: Json;
}

/** The next one that a node with these values takes; undefined where it takes none. */
export function objectTaken(
  comfy: Comfy,
  type: string,
  present: readonly [string, Json][] = [],
): ObjectTaken | undefined {
  const count = present.filter(([, value]) => value !== null && typeof value === "object").length;
  for (const name of objectNames(count)) {
    const grown = comfy.blankNode(type, [...present, [name, objectMeant(name, "None")]]);
    const widget = grown?.widgets.find((each) => each.name === name);
    if (widget) return { name, value: widget.value };
  }
  return undefined;
}

/**
 * For the server, which describes node types to models: `{name, objects: {lora_1: {…}}, files: {lora: "LoraLoader.lora_name"}}`.
 * Only types that are called after such files and have no input for them are tried, each once.
 */
export function createTypesWithObjects(comfy: Comfy): () => JsonObject[] {
  const known = new Map<string, JsonObject | undefined>();
  return () => {
    const types = comfy.nodeTypes().filter((type) => mayTakeObjects(comfy, type));
    for (const type of types) if (!known.has(type)) known.set(type, withObjects(comfy, type));
    return types.map((type) => known.get(type)).filter((each) => each !== undefined);
  };
}

function mayTakeObjects(comfy: Comfy, type: string): boolean {
  const part = partsOfObjects.find((each) => type.toLowerCase().includes(each));
  if (part === undefined) return false;
  const definition = comfy.nodeDefinition(type);
  return definition?.inputs.every(({ name }) => !name.toLowerCase().includes(part)) ?? false;
}

function withObjects(comfy: Comfy, type: string): JsonObject | undefined {
  try {
    const taken = objectTaken(comfy, type);
    if (!taken || taken.value === null || typeof taken.value !== "object" || Array.isArray(taken.value))
      return undefined;
    const { name, value } = taken;
    return { name: type, objects: { [name]: value }, files: filesOfParts(Object.keys(value)) };
  } catch {
    return undefined;
  }
}
