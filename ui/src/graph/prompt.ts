/** What ComfyUI runs, as its page makes it of the graph: nodes in API form, looked at and narrowed as plain data. */

import type { Json, NodeId } from "./graph";

/** ComfyUI's own names, since these nodes are sent back as they came. */
export interface PromptNode {
  class_type: string;
  inputs: Record<string, Json>;
  _meta?: { title?: string };
}

/** By run id: node 3 inside subgraph node 6 runs as `6:3`. Muted and bypassed nodes are not in it. */
export type PromptNodes = Readonly<Record<NodeId, PromptNode>>;

/** A value for one run alone. */
export interface RunChange {
  node: NodeId;
  input: string;
  value: Json;
  /** The subgraph's node that shows this widget: a saved workflow keeps the value there. */
  shown?: { node: NodeId; input: string };
}

export function promptTitle(nodes: PromptNodes, id: NodeId): string {
  return nodes[id]?._meta?.title || nodes[id]?.class_type || `Node ${id}`;
}

/** The node that a linked input comes from; undefined where the input holds a value. */
export function linkedNode(value: Json | undefined): NodeId | undefined {
  const [node, slot] = Array.isArray(value) && value.length === 2 ? value : [];
  return (typeof node === "string" || typeof node === "number") && typeof slot === "number"
    ? String(node)
    : undefined;
}

/** Only these nodes and what they need. */
export function upstreamPart(nodes: PromptNodes, targets: readonly NodeId[]): PromptNodes {
  const needed = new Set(targets);
  for (const id of needed)
    for (const value of Object.values(nodes[id]?.inputs ?? {})) {
      const source = linkedNode(value);
      if (source !== undefined) needed.add(source);
    }
  return Object.fromEntries(Object.entries(nodes).filter(([id]) => needed.has(id)));
}

/** With an output node of ComfyUI's own on the first output of `target`, since only what leads to one is run. */
export function withPreview(nodes: PromptNodes, target: NodeId, outputType: string): PromptNodes {
  const source: Json = [target, 0];
  const preview: PromptNode =
    outputType === "IMAGE"
      ? { class_type: "PreviewImage", inputs: { images: source } }
      : { class_type: "PreviewAny", inputs: { source } };
  return { ...nodes, [freeId(nodes)]: { ...preview, _meta: { title: `Result of node ${target}` } } };
}

export function withChanges(nodes: PromptNodes, changes: readonly RunChange[]): PromptNodes {
  const changed: Record<NodeId, PromptNode> = { ...nodes };
  for (const { node: id, input, value } of changes) {
    const node = changed[id];
    if (node) changed[id] = { ...node, inputs: { ...node.inputs, [input]: value } };
  }
  return changed;
}

/** A value that a run has used, while the graph holds another by now. */
export interface RolledValue {
  node: NodeId;
  input: string;
  used: Json;
  now: Json;
}

export function rolledValues(sent: PromptNodes, present: PromptNodes): RolledValue[] {
  return Object.entries(sent).flatMap(([node, { inputs }]) =>
    Object.entries(inputs).flatMap(([input, used]) => {
      const now = present[node]?.inputs[input];
      return now === undefined || typeof used === "object" || used === now
        ? []
        : [{ node, input, used, now }];
    }),
  );
}

function freeId(nodes: PromptNodes): NodeId {
  const taken = Object.keys(nodes).map((id) => Number(id.split(":")[0]) || 0);
  return String(Math.max(0, ...taken) + 100_000);
}
