/** A prompt in ComfyUI's API form, read as a workflow. */

import { isObject } from "../../shared/json";
import type { Json, NodeId } from "../graph";
import type { ShapeOf } from "../nodeShape";
import { linkedNode, type PromptNode, type PromptNodes } from "../prompt";
import type { CompactLink, CompactNode, CompactValue, CompactWorkflow } from "./workflow";

/** Nodes of subgraphs, such as `6:3`, become plain ones under ids of their own: the API form has no subgraphs. */
export function workflowOfPrompt(prompt: PromptNodes, shapeOf: ShapeOf): CompactWorkflow {
  const ids = plainIds(Object.keys(prompt));
  return {
    nodes: Object.entries(prompt).map(([id, node]) => readNode(ids.get(id) ?? id, node, ids, shapeOf)),
    groups: [],
    subgraphs: [],
  };
}

function readNode(
  id: NodeId,
  { class_type: type, inputs, _meta }: PromptNode,
  ids: ReadonlyMap<string, NodeId>,
  shapeOf: ShapeOf,
): CompactNode {
  const shape = shapeOf(type, (name) => inputs[name]);
  const links: CompactLink[] = [];
  const values: CompactValue[] = [];
  for (const [name, value] of Object.entries(inputs)) {
    const source = linkedNode(value);
    if (source !== undefined && ids.has(source))
      links.push({
        input: name,
        source: { node: ids.get(source) ?? source, slot: `#${(value as Json[])[1]}` },
      });
    else if (!shape || shape.widgets.some((widget) => widget.name === name))
      values.push({ name, value: unwrapped(value) });
  }
  const title = _meta?.title;
  return {
    id,
    type,
    ...(title !== undefined && title !== "" && title !== shape?.title && title !== type && { title }),
    mode: "active",
    links,
    values,
    shown: [],
  };
}

/** Lists are wrapped, lest they are taken for links. */
function unwrapped(value: Json): Json {
  return isObject(value) && Array.isArray(value.__value__) ? value.__value__ : value;
}

function plainIds(ids: readonly string[]): Map<string, NodeId> {
  let last = Math.max(0, ...ids.map(Number).filter(Number.isInteger));
  return new Map(ids.map((id) => [id, /^\d{1,9}$/.test(id) ? id : String(++last)]));
}
