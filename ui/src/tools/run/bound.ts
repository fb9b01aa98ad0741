/** What a person's answer about a run holds for. */

import type { Comfy } from "../../comfy/bridge";
import { type PromptNodes, upstreamPart } from "../../graph/prompt";
import { type Risk, type RiskyNode, riskyNodes } from "./riskyNodes";
import { textSources } from "./textSources";

/** What may be allowed for a whole chat: neither code nor money nor what is gone afterwards. */
const lasting: ReadonlySet<Risk> = new Set<Risk>([
  "uses the network",
  "may download a model",
  "reads outside ComfyUI's folders",
  "writes outside the output folder",
]);

/** Names exactly these nodes with exactly these values; undefined where each time is a matter of its own. */
export function sameRisks(
  comfy: Comfy,
  prompts: readonly PromptNodes[],
  risky: readonly RiskyNode[],
): string | undefined {
  return risky.every(({ risk }) => lasting.has(risk)) ? valuesOf(comfy, prompts, risky) : undefined;
}

/** Names prompts by their nodes and links, and by all that is risky of them. */
export function identityOf(
  comfy: Comfy,
  prompts: readonly PromptNodes[],
  linked: ReadonlySet<string>,
): string {
  const risky = riskyNodes(comfy, prompts, linked);
  return JSON.stringify([prompts.map(shapeOf), valuesOf(comfy, prompts, risky)]);
}

/** Its nodes and links. Values may differ from one prompt to the next: some nodes draw them by lot. */
function shapeOf(nodes: PromptNodes): unknown {
  return withInputs(nodes, Array.isArray);
}

/** The risky nodes with what decides their texts; numbers, as seeds are, change without anybody's doing. */
function valuesOf(comfy: Comfy, prompts: readonly PromptNodes[], risky: readonly RiskyNode[]): string {
  const ids = new Set(risky.map(({ node }) => node));
  const bound = prompts.map((nodes) => {
    const own = Object.entries(nodes).filter(([id]) => ids.has(id));
    const sources = own.flatMap(([, node]) => textSources(node, comfy.nodeDefinition(node.class_type)));
    const part = { ...upstreamPart(nodes, sources), ...Object.fromEntries(own) };
    return withInputs(part, (value) => typeof value !== "number");
  });
  return JSON.stringify([risky.map(({ node, type, risk, cause }) => [node, type, risk, cause]), bound]);
}

function withInputs(nodes: PromptNodes, counts: (value: unknown) => boolean): unknown {
  return Object.entries(nodes).map(([id, { class_type: type, inputs }]) => [
    id,
    type,
    Object.entries(inputs).filter(([, value]) => counts(value)),
  ]);
}
