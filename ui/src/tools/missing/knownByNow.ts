/** Nodes of types that were not installed when the workflow was loaded, and are by now, under names that the page has changed. */

import type { Comfy } from "../../comfy/bridge";
import { groupNodes, ownTypes } from "../../graph/ownTypes";
import type { JsonObject } from "../../graph/uiWorkflow";
import type { ToolContext } from "../tool";

/** Loads the workflow with their own types, where there are any, which are told. */
export async function makeKnown(comfy: Comfy, context: ToolContext): Promise<string[]> {
  const { workflow } = comfy.whole.read();
  const whole = workflow as unknown as JsonObject;
  const groups = groupNodes(whole);
  const typeOf = ownTypes(whole);
  /** One that stands within itself cannot be made. Each is looked at once: a stranger may nest them as deep as they like. */
  const makeable = new Map<string, boolean>();
  const canBeMade = (type: string): boolean => {
    const found = makeable.get(type);
    if (found !== undefined) return found;
    makeable.set(type, false);
    const inner = groups.get(type);
    const isMakeable = inner
      ? inner.every((node) => canBeMade(typeOf(node)))
      : comfy.whole.shape(type) !== undefined;
    makeable.set(type, isMakeable);
    return isMakeable;
  };
  const known = new Set<string>();
  const named = <Node extends { type: string; properties?: Record<string, unknown> }>(
    nodes: readonly Node[],
  ) =>
    nodes.map((node) => {
      const type = typeOf(node);
      if (type === node.type || comfy.whole.shape(node.type) || !canBeMade(type)) return node;
      known.add(type);
      return { ...node, type };
    });
  const subgraphs = workflow.definitions?.subgraphs?.map((each) => ({ ...each, nodes: named(each.nodes) }));
  const nodes = named(workflow.nodes);
  if (known.size === 0) return [];
  const mended = {
    ...whole,
    nodes,
    ...(subgraphs && { definitions: { ...workflow.definitions, subgraphs } }),
  };
  await comfy.whole.load(mended as unknown as JsonObject, {
    ...(context.turn !== undefined && { turn: context.turn }),
    keepsResults: true,
  });
  return [...known];
}
