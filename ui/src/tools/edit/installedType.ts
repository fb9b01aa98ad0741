import type { Comfy } from "../../comfy/bridge";
import type { GraphNode } from "../../graph/graph";
import { ToolError } from "../tool";
import { closestTypes } from "../values/closest";
import { spelled } from "../values/spelling";

/** A node of the type that is meant, by its name or the title on its face, as ComfyUI would create it. */
export function blankNodeMeant(comfy: Comfy, wanted: string): GraphNode {
  const type = installedType(comfy, wanted);
  const blank = comfy.blankNode(type);
  if (blank) return blank;
  throw new ToolError(`ComfyUI cannot create a node of type ${type}.`);
}

function installedType(comfy: Comfy, wanted: string): string {
  const types = comfy.nodeTypes();
  if (types.includes(wanted)) return wanted;
  const titles = new Map(types.map((type) => [type, comfy.nodeDefinition(type)?.title ?? type]));
  const lower = wanted.trim().toLowerCase();
  const meant = types.filter(
    (type) => type.toLowerCase() === lower || titles.get(type)?.toLowerCase() === lower,
  );
  if (meant[0] !== undefined && meant.length === 1) return meant[0];
  const like = spelled(wanted);
  const alike = types.filter((type) => [type, titles.get(type) ?? type].map(spelled).includes(like));
  if (alike[0] !== undefined && alike.length === 1 && like !== "") return alike[0];
  const named = new Map([...titles].map(([type, title]) => [title, type]));
  const typeOf = (name: string) => named.get(name) ?? name;
  const isDeprecated = (name: string) => comfy.nodeDefinition(typeOf(name))?.isDeprecated === true;
  const near = closestTypes(wanted, [...types, ...named.keys()], isDeprecated, 6).map(typeOf);
  const candidates = [...new Set([...meant, ...near])].slice(0, 5);
  throw new ToolError(
    `No node type "${wanted}" is installed.`,
    candidates.length > 0
      ? `Closest: ${candidates.join(", ")}. searchInstalledNodes finds others.`
      : "Call searchInstalledNodes to find the exact name.",
  );
}
