/** Nodes that do what a text from outside may have wanted: asked about whatever they are called. */

import type { Comfy } from "../../comfy/bridge";
import { type PromptNodes, promptTitle, upstreamPart } from "../../graph/prompt";
import { influencedTypes, isInfluenced } from "../edit/influence";
import type { ToolContext } from "../tool";
import type { PlannedRun } from "./planRuns";
import type { RiskyNode } from "./riskyNodes";
import { textSources } from "./textSources";

/**
 * What stands in them and in what their texts come from, without numbers: of the graph, since some nodes draw by lot what
 * they put into each prompt.
 */
export function influencedValues(
  comfy: Comfy,
  nodes: PromptNodes,
  plan: readonly PlannedRun[],
  context: Pick<ToolContext, "outside" | "thread">,
): unknown {
  const ids = influencedNodes(comfy, nodes, plan, context).flatMap(({ node }) => {
    const run = nodes[node];
    const sources = run ? textSources(run, comfy.nodeDefinition(run.class_type)) : [];
    return [node, ...Object.keys(upstreamPart(nodes, sources))];
  });
  return [...new Set(ids)].map((id) => {
    const path = id.split(":");
    const widgets = comfy.node(path.at(-1) ?? "", path.slice(0, -1))?.widgets ?? [];
    return [id, widgets.flatMap(({ name, value }) => (typeof value === "number" ? [] : [[name, value]]))];
  });
}

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
