/** Where nodes and groups of a workflow lie that is built anew. */

import { arrange } from "../arrange";
import { frameAround } from "../frames";
import type { Graph, Json, NodeId, Point, Size } from "../graph";
import { noteSize } from "../noteSize";
import { outline } from "../placement";
import type { JsonObject, UiInput, UiOutput } from "../uiWorkflow";
import type { Frame } from "./resolve";
import type { CompactGraph, CompactGroup, CompactNode } from "./workflow";

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

export type Box = Point & Size;

const unknownSize = { width: 200, height: 100 };

export function placedBoxes(
  graph: CompactGraph,
  frames: ReadonlyMap<NodeId, Frame>,
  kept: (node: CompactNode) => KeptNode | undefined,
): ReadonlyMap<NodeId, Box> {
  const sizes = new Map(graph.nodes.map((node) => [node.id, sizeOfNew(node, frames.get(node.id))]));
  const sizeOf = (id: NodeId) => sizes.get(id) ?? unknownSize;
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

function sizeOfNew({ title, type, values }: CompactNode, frame: Frame | undefined): Size {
  if (!frame) return unknownSize;
  const written = values.map(({ value }) => value);
  return noteSize({ ...frame, title: title ?? type }, written) ?? frame.size;
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

/** The frames of groups, each around its nodes and the frames of those within it. */
export function frameBounds(
  groups: readonly CompactGroup[],
  boxes: ReadonlyMap<NodeId, Box>,
): ReadonlyMap<CompactGroup, Json> {
  const frames = new Map<CompactGroup, Box>();
  const fewestFirst = groups.toSorted((one, other) => one.nodes.length - other.nodes.length);
  for (const group of fewestFirst) {
    const nodes = group.nodes.flatMap((id) => boxes.get(id) ?? []);
    if (nodes.length === 0) continue;
    const isWithin = (other: CompactGroup) => other.nodes.every((id) => group.nodes.includes(id));
    const inner = [...frames].flatMap(([other, frame]) => (isWithin(other) ? [frame] : []));
    frames.set(group, frameAround([...nodes.map((box) => outline({ position: box, size: box })), ...inner]));
  }
  return new Map(
    groups.map((group, index): [CompactGroup, Json] => {
      const { x, y, width, height } = frames.get(group) ?? {
        x: 0,
        y: -300 - 120 * index,
        width: 300,
        height: 80,
      };
      return [group, [x, y, width, height]];
    }),
  );
}

export function extent(nodes: readonly JsonObject[]): { left: number; right: number; top: number } {
  const boxes = nodes.map(({ pos, size }) => ({ pos: pos as number[], size: size as number[] }));
  return {
    left: Math.min(0, ...boxes.map(({ pos }) => pos[0] ?? 0)),
    right: Math.max(0, ...boxes.map(({ pos, size }) => (pos[0] ?? 0) + (size[0] ?? 0))),
    top: Math.min(0, ...boxes.map(({ pos }) => pos[1] ?? 0)),
  };
}
