/** Nodes that do what a text from outside may have wanted: asked about whatever they are called. */

import type { Comfy } from "../../comfy/bridge";
import { type PromptNodes, promptTitle, upstreamPart } from "../../graph/prompt";
import { influencedTypes, isInfluenced } from "../edit/influence";
import type { ToolContext } from "../tool";
import type { PlannedRun } from "./planRuns";
import type { RiskyNode } from "./riskyNodes";
import { textSources } from "./textSources";

/**
 * What ComfyUI's own nodes may do is known; of those of packages only what their names and values tell. They count where
 * they were changed since, or where a text comes in that was.
 */
export function influencedNodes(
  comfy: Comfy,
  nodes: PromptNodes,
  plan: readonly PlannedRun[],
  context: Pick<ToolContext, "outside" | "thread">,
): RiskyNode[] {
  const isTainted = (context.outside ?? []).length > 0;
  if (!isTainted && influencedTypes(comfy, context.thread).length === 0) return [];
  const varied = new Set(
    plan.flatMap(({ changes }) =>
      changes.flatMap(({ node, value }) => (typeof value === "number" || !isTainted ? [] : [node])),
    ),
  );
  const changed = new Set(
    Object.entries(nodes).flatMap(([node, { class_type: type }]) =>
      varied.has(node) || isInfluenced(comfy, type, context) ? [node] : [],
    ),
  );
  return Object.entries(nodes).flatMap(([node, run]): RiskyNode[] => {
    const type = run.class_type;
    const definition = comfy.nodeDefinition(type);
    const origin = definition?.origin;
    if (definition && origin === undefined) return [];
    const texts = Object.keys(upstreamPart(nodes, textSources(run, definition)));
    const isChanged = [node, ...texts].some((each) => changed.has(each));
    const risk = "was changed after text by others was read";
    return isChanged ? [{ node, title: promptTitle(nodes, node), type, origin, risk }] : [];
  });
}
