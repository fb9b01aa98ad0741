/** Places for new nodes: first those that take the place of others, then further branches, and those that come into one new frame go where that is free, as one. */

import { arrange } from "./arrange";
import { besideSibling } from "./besideSibling";
import { frameAround } from "./frames";
import type { Graph, GraphGroup, GraphNode, NodeId, Point, Rectangle } from "./graph";
import { boxesOf, titleHeight } from "./placement";
import { placeReplacing } from "./placeReplacing";
import { type Fixed, type PlacedWithRoom, placeWithRoom, thenOthers } from "./placeWithRoom";

interface Block {
  id: NodeId;
  nodes: readonly GraphNode[];
  boxes: ReadonlyMap<NodeId, Rectangle>;
  frame: Rectangle;
}

/** `added` has the boxes of the others; `held` stays where it is. Groups without bounds are those that are to be drawn. */
export function placeGrouped(
  graph: Graph,
  added: ReadonlyMap<NodeId, Rectangle | undefined>,
  held: ReadonlySet<NodeId> = new Set(),
): PlacedWithRoom {
  const replacing = new Map([...added].filter(([, box]) => box));
  const others = new Map([...added].flatMap(([id, box]) => (box ? [] : [[id, undefined] as const])));
  const open = { ...graph, groups: graph.groups.map((group) => without(group, others)) };
  const there = { ...open, nodes: graph.nodes.filter(({ id }) => !others.has(id)) };
  const first = placeReplacing(there, replacing, held);
  const fixed = { held, ends: new Set(replacing.keys()) };
  const placed = thenOthers(
    open,
    others,
    first,
    (after, rest) => placeNew(after, rest, fixed),
    (id) => added.has(id),
  );
  const boxes = boxesOf(graph.nodes, placed.positions);
  const along = graph.groups.flatMap(({ bounds, nodes }, index): [number, Rectangle][] =>
    bounds && !open.groups[index]?.bounds
      ? [[index, frameAround(nodes.flatMap((id) => boxes.get(id) ?? []))]]
      : [],
  );
  return { ...placed, groups: new Map([...placed.groups, ...along]) };
}

/** A group whose nodes all get other places is drawn anew around them; one that has others stays with these. */
function without(group: GraphGroup, moving: ReadonlyMap<NodeId, unknown>): GraphGroup {
  const { bounds, nodes, ...rest } = group;
  if (!bounds || !nodes.some((id) => moving.has(id))) return group;
  const left = nodes.filter((id) => !moving.has(id));
  return left.length > 0 ? { ...group, nodes: left } : { ...rest, nodes };
}

function placeNew(
  graph: Graph,
  added: ReadonlyMap<NodeId, undefined>,
  fixed: Required<Fixed>,
): PlacedWithRoom {
  const beside = besideSibling(graph, added, fixed.held);
  if (beside) return thenOthers(graph, added, beside, (after, others) => placeNew(after, others, fixed));
  const blocks = blocksOf(graph, added);
  if (blocks.length === 0) return placeWithRoom(graph, added, fixed);
  const blockOf = new Map(blocks.flatMap((block) => block.nodes.map(({ id }) => [id, block] as const)));
  const whole = new Map([
    ...[...added].filter(([id]) => !blockOf.has(id)),
    ...blocks.map(({ id }) => [id, undefined] as const),
  ]);
  const placed = placeWithRoom(asOne(graph, blocks, blockOf), whole, fixed);
  const positions = new Map(placed.positions);
  for (const { id, boxes, frame } of blocks) {
    const at = positions.get(id);
    positions.delete(id);
    if (at)
      for (const [each, box] of boxes)
        positions.set(each, { x: at.x + box.x - frame.x, y: at.y + box.y - frame.y });
  }
  return { ...placed, positions };
}

/** Of groups that have only new nodes which nobody has given a place. */
function blocksOf(graph: Graph, added: ReadonlyMap<NodeId, undefined>): Block[] {
  const isFree = (id: NodeId) => added.has(id);
  const drawn = graph.groups.filter(
    ({ bounds, nodes }) => !bounds && nodes.length > 0 && nodes.every(isFree),
  );
  const taken = new Set<NodeId>();
  return drawn
    .toSorted((one, other) => other.nodes.length - one.nodes.length)
    .flatMap(({ nodes: ids }, index) => {
      if (ids.some((id) => taken.has(id)) || isLeftAndEntered(graph, new Set(ids))) return [];
      for (const id of ids) taken.add(id);
      const nodes = graph.nodes.filter(({ id }) => ids.includes(id));
      const boxes = boxesOf(nodes, arrange({ ...graph, nodes, groups: [] }, ids).positions);
      const inner = drawn.filter(
        (other) => other.nodes.length < ids.length && other.nodes.every((id) => ids.includes(id)),
      );
      const around = (some: readonly NodeId[]) => frameAround(some.flatMap((id) => boxes.get(id) ?? []));
      const frame = frameAround([...boxes.values(), ...inner.map((each) => around(each.nodes))]);
      return [{ id: `group ${index}`, nodes, boxes, frame }];
    });
}

/** Whether a way leads out of these and back: what lies on it has to stand between them. */
function isLeftAndEntered(graph: Graph, ids: ReadonlySet<NodeId>): boolean {
  const behind = new Set<NodeId>();
  for (let before = -1; before !== behind.size; ) {
    before = behind.size;
    for (const { id, inputs } of graph.nodes)
      if (
        !ids.has(id) &&
        inputs.some(({ linkedFrom: from }) => from && (ids.has(from.node) || behind.has(from.node)))
      )
        behind.add(id);
  }
  return graph.nodes.some(
    ({ id, inputs }) => ids.has(id) && inputs.some(({ linkedFrom: from }) => from && behind.has(from.node)),
  );
}

/** The graph with a node in place of each block. */
function asOne(graph: Graph, blocks: readonly Block[], blockOf: ReadonlyMap<NodeId, Block>): Graph {
  const named = <Slot extends { node: NodeId }>(slot: Slot): Slot => ({
    ...slot,
    node: blockOf.get(slot.node)?.id ?? slot.node,
  });
  const renamed = (node: GraphNode): GraphNode => ({
    ...node,
    inputs: node.inputs.map((input) =>
      input.linkedFrom ? { ...input, linkedFrom: named(input.linkedFrom) } : input,
    ),
    outputs: node.outputs.map((output) => ({ ...output, linkedTo: output.linkedTo.map(named) })),
  });
  const blockNode = ({ id, nodes: [first, ...others], frame }: Block): GraphNode[] => {
    if (!first) return [];
    const all = [first, ...others].map(renamed);
    const inputs = all.flatMap((node) => node.inputs.filter(({ linkedFrom }) => linkedFrom?.node !== id));
    const outputs = all.flatMap((node) =>
      node.outputs.map((output) => ({
        ...output,
        linkedTo: output.linkedTo.filter(({ node }) => node !== id),
      })),
    );
    const { x, y, width, height } = frame;
    const position: Point = { x, y: y + titleHeight };
    return [{ ...first, id, inputs, outputs, position, size: { width, height: height - titleHeight } }];
  };
  return {
    ...graph,
    nodes: [...graph.nodes.filter(({ id }) => !blockOf.has(id)).map(renamed), ...blocks.flatMap(blockNode)],
  };
}
