/** What a person's answer about a run holds for. */

import type { Comfy } from "../../comfy/bridge";
import { type PromptNodes, upstreamPart } from "../../graph/prompt";
import type { RiskyNode } from "./riskyNodes";
import { textSources } from "./textSources";

/** Names exactly these nodes with exactly these values; undefined where each time is a matter of its own: money. */
export function sameRisks(
  comfy: Comfy,
  prompts: readonly PromptNodes[],
  risky: readonly RiskyNode[],
): string | undefined {
  return risky.some(({ risk }) => risk === "is paid") ? undefined : valuesOf(comfy, prompts, risky);
}

/** Names prompts by their nodes and links, and by all that is risky of them. */
export function identityOf(
  comfy: Comfy,
  prompts: readonly PromptNodes[],
  risky: readonly RiskyNode[],
): string {
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
