/** Where nodes and groups of a workflow lie that is built anew. */

import { arrange } from "../arrange";
import type { Graph, Json, NodeId, Point, Size } from "../graph";
import type { JsonObject, UiInput, UiOutput } from "../uiWorkflow";
import type { Frame } from "./resolve";
import type { CompactGraph, CompactNode } from "./workflow";

/** What a node was in the graph before: it keeps its place, its looks and its properties. */
export interface KeptNode {
  position: Point;
  size: Size;
  /** Saved fields as they are, such as color and flags. */
  fields: JsonObject;
  /** Its slots, where a new node of the type may have others: it is not installed, or has them by its values and links. */
  slots?: { inputs: readonly UiInput[]; outputs: readonly UiOutput[] };
  /** All that it saves, in its order. */
  widgets?: readonly KeptWidget[];
  savesByName: boolean;
  /** Its values just as they are saved, where the lines change none of them. */
  savedValues?: Json;
}

export interface KeptWidget {
  name: string;
  value: Json;
  isDecor?: boolean;
  /** A link hides it, so nobody told its value. */
  isFed?: boolean;
}

const groupPadding = { side: 30, top: 80, bottom: 30 };

export type Box = Point & Size;

export function placedBoxes(
  graph: CompactGraph,
  frames: ReadonlyMap<NodeId, Frame>,
  kept: (node: CompactNode) => KeptNode | undefined,
): ReadonlyMap<NodeId, Box> {
  const sizeOf = (id: NodeId) => frames.get(id)?.size ?? { width: 200, height: 100 };
  const boxes = new Map<NodeId, Box>();
  for (const node of graph.nodes) {
    const was = kept(node);
    if (was) boxes.set(node.id, { ...was.position, ...was.size });
  }
  const below = Math.max(0, ...[...boxes.values()].map(({ y, height }) => y + height + 100));
  const left = Math.min(...(boxes.size > 0 ? [...boxes.values()].map(({ x }) => x) : [0]));
  const fresh = graph.nodes.filter(({ id }) => !boxes.has(id));
  const ids = fresh.map(({ id }) => id);
  for (const [id, { x, y }] of arrange(toArrange(graph, fresh, sizeOf), ids).positions)
    boxes.set(id, { x: left + x, y: below + y, ...sizeOf(id) });
  return boxes;
}

function toArrange(graph: CompactGraph, nodes: readonly CompactNode[], sizeOf: (id: NodeId) => Size): Graph {
  const ids = new Set(nodes.map(({ id }) => id));
  return {
    scope: { kind: "workflow" },
    nodes: nodes.map((node, index) => ({
      id: node.id,
      type: node.type,
      title: node.type,
      defaultTitle: node.type,
      mode: node.mode,
      isInstalled: true,
      inputs: node.links.map(({ input, source }) => ({
        name: input,
        type: "*",
        isWidget: false,
        isOptional: false,
        linkedFrom: { node: source.node, output: 0, name: "" },
      })),
      outputs: [],
      widgets: [],
      position: { x: 0, y: index },
      size: sizeOf(node.id),
    })),
    groups: graph.groups.map(({ title, nodes: members }) => ({
      title,
      nodes: members.filter((id) => ids.has(id)),
    })),
    selection: [],
  };
}

export function boundsOf(boxes: readonly Box[], index: number): Json {
  if (boxes.length === 0) return [0, -300 - 120 * index, 300, 80];
  const left = Math.min(...boxes.map(({ x }) => x)) - groupPadding.side;
  const top = Math.min(...boxes.map(({ y }) => y)) - groupPadding.top;
  const right = Math.max(...boxes.map(({ x, width }) => x + width)) + groupPadding.side;
  const bottom = Math.max(...boxes.map(({ y, height }) => y + height)) + groupPadding.bottom;
  return [left, top, right - left, bottom - top];
}

export function extent(nodes: readonly JsonObject[]): { left: number; right: number; top: number } {
  const boxes = nodes.map(({ pos, size }) => ({ pos: pos as number[], size: size as number[] }));
  return {
    left: Math.min(0, ...boxes.map(({ pos }) => pos[0] ?? 0)),
    right: Math.max(0, ...boxes.map(({ pos, size }) => (pos[0] ?? 0) + (size[0] ?? 0))),
    top: Math.min(0, ...boxes.map(({ pos }) => pos[1] ?? 0)),
  };
}
