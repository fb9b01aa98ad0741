/**
 * Room on a canvas for something that grows in its place: what lies right of it in its rows goes right, what lies below it
 * down, groups as one, and nothing else. Wires that run forward go on doing so.
 */

import { clustersOf, innerFirst } from "./blocks";
import { frameGrown, isGroupWithin } from "./frames";
import type { Graph, GraphGroup, NodeId, Point, Rectangle } from "./graph";
import { bounds, contains, drawn, shifted } from "./placement";
import { runsBack } from "./wires";

/** Kept clear of what is pushed, unless it stood nearer. */
const gap = 40;

export interface Growth {
  /** The box that stands there now. */
  from: Rectangle;
  /** What it becomes, with the same upper left corner. */
  to: Rectangle;
  /** Groups in which it lies: their frames grow with it. */
  homes?: readonly GraphGroup[];
  /** Nodes that have to stand right of such an x for their wires to run forward. */
  rightOf?: ReadonlyMap<NodeId, number>;
}

export interface RoomMade {
  positions: ReadonlyMap<NodeId, Point>;
  /** New bounds of frames, by the places of their groups in `Graph.groups`. */
  frames: ReadonlyMap<number, Rectangle>;
}

interface Block {
  box: Rectangle;
  nodes: readonly NodeId[];
  groups: readonly GraphGroup[];
}

/** `nodes` are all but the one that grows. */
export function makeRoom(
  { nodes, groups }: Pick<Graph, "nodes" | "groups">,
  { from, to, homes = [], rightOf = new Map() }: Growth,
): RoomMade {
  const before = new Map(nodes.map((node) => [node.id, drawn(node)]));
  const wires = nodes.flatMap(({ id, inputs }) =>
    inputs.flatMap(({ linkedFrom }) => (linkedFrom ? { source: linkedFrom.node, target: id } : [])),
  );
  const now = new Map(before);
  const frames = new Map<GraphGroup, Rectangle>();
  const rest = new Set(blocksAmong({ nodes, groups }, homes, before));
  const growOn = (growth: Pick<Growth, "from" | "to">, isAffected: (block: Block) => boolean) => {
    const blocks = [...rest].filter(isAffected);
    for (const block of blocks) rest.delete(block);
    for (const [block, by] of pushed(blocks, growth, { before, now, wires, rightOf })) {
      for (const id of block.nodes) {
        const box = before.get(id);
        if (box) now.set(id, shifted(box, by));
      }
      for (const group of block.groups) if (group.bounds) frames.set(group, shifted(group.bounds, by));
    }
  };
  let growth = { from, to };
  for (const home of innerFirst(homes)) {
    if (!home.bounds) continue;
    const isWithin = (block: Block) => isPartOf(block, home);
    growOn(growth, isWithin);
    const within = home.nodes.flatMap((id) => (before.get(id) === now.get(id) ? [] : (now.get(id) ?? [])));
    const inner = [...frames].flatMap(([group, frame]) => (isGroupWithin(group, home) ? [frame] : []));
    const grown = frameGrown(home.bounds, [growth.to, ...within, ...inner]);
    growth = { from: home.bounds, to: grown };
    frames.set(home, grown);
  }
  growOn(growth, () => true);
  return {
    positions: new Map(
      nodes.flatMap(({ id, position: { x, y } }) => {
        const [was, is] = [before.get(id), now.get(id)];
        return was && is && was !== is ? [[id, { x: x + is.x - was.x, y: y + is.y - was.y }] as const] : [];
      }),
    ),
    frames: new Map(
      [...frames].flatMap(([group, frame]) =>
        group.bounds && contains(group.bounds, frame) && contains(frame, group.bounds)
          ? []
          : [[groups.indexOf(group), frame] as const],
      ),
    ),
  };
}

/** Single nodes and whole groups, but for those in which something grows. */
function blocksAmong(
  { nodes, groups }: Pick<Graph, "nodes" | "groups">,
  homes: readonly GraphGroup[],
  boxes: ReadonlyMap<NodeId, Rectangle>,
): Block[] {
  const clusters = clustersOf(groups.filter((group) => group.bounds && !homes.includes(group)));
  const grouped = new Set(clusters.flat().flatMap((group) => group.nodes));
  const block = (ids: readonly NodeId[], cluster: readonly GraphGroup[]): Block => ({
    box: bounds([
      ...ids.flatMap((id) => boxes.get(id) ?? []),
      ...cluster.flatMap((group) => group.bounds ?? []),
    ]),
    nodes: ids,
    groups: cluster,
  });
  return [
    ...clusters.map((cluster) => block([...new Set(cluster.flatMap((group) => group.nodes))], cluster)),
    ...nodes.flatMap(({ id }) => (grouped.has(id) ? [] : block([id], []))),
  ];
}

function isPartOf({ box, nodes }: Block, { nodes: members, bounds: frame }: GraphGroup): boolean {
  if (nodes.length === 0) return frame !== undefined && contains(frame, box);
  return nodes.every((id) => members.includes(id));
}

interface Around {
  before: ReadonlyMap<NodeId, Rectangle>;
  /** Where all stand by now. */
  now: ReadonlyMap<NodeId, Rectangle>;
  wires: readonly { source: NodeId; target: NodeId }[];
  rightOf: ReadonlyMap<NodeId, number>;
}

/** How far which of the blocks go: all that go right go equally far, and so do all that go down. */
function pushed(
  blocks: readonly Block[],
  { from, to }: Pick<Growth, "from" | "to">,
  { before, now, wires, rightOf }: Around,
): Map<Block, Point> {
  const right = new Set<Block>();
  const down = new Set<Block>();
  const by = { x: 0, y: 0 };
  const wayOf = (block: Block): Point => ({ x: right.has(block) ? by.x : 0, y: down.has(block) ? by.y : 0 });
  const boxOf = (block: Block) => shifted(block.box, wayOf(block));
  const goRight = (block: Block, far: number) => {
    by.x = Math.max(by.x, Math.ceil(wayOf(block).x + far));
    right.add(block);
  };
  const goDown = (block: Block, far: number) => {
    by.y = Math.max(by.y, Math.ceil(wayOf(block).y + far));
    down.add(block);
  };
  const blockOf = new Map(blocks.flatMap((block) => block.nodes.map((id) => [id, block] as const)));
  const boxNow = (id: NodeId) => {
    const [block, box] = [blockOf.get(id), now.get(id)];
    return block && box ? shifted(box, wayOf(block)) : box;
  };
  const followWires = () => {
    for (const { source, target } of wires) {
      const [was, is] = [before.get(source), boxNow(source)];
      const [aim, end, block] = [before.get(target), boxNow(target), blockOf.get(target)];
      if (!was || !is || !aim || !end || !block || runsBack(was, aim) || !runsBack(is, end)) continue;
      goRight(block, is.x + is.width + Math.min(gap, aim.x - was.x - was.width) - end.x);
    }
  };
  const followBlocks = () => {
    for (const one of [...right, ...down])
      for (const other of blocks) {
        if (one === other) continue;
        const { right: far, down: deep } = waysOut(boxOf(other), one.box, boxOf(one), other.box);
        if (far !== undefined && right.has(one) && !right.has(other)) right.add(other);
        else if (deep !== undefined && down.has(one) && !down.has(other)) down.add(other);
      }
  };
  const follow = () => {
    for (let count = -1; count < right.size + down.size; ) {
      count = right.size + down.size;
      followWires();
      followBlocks();
    }
  };
  for (const [id, x] of rightOf) {
    const [block, box] = [blockOf.get(id), before.get(id)];
    if (block && box && box.x < x) goRight(block, x + gap - box.x);
  }
  const isTied = (block: Block) => block.nodes.some((id) => rightOf.has(id));
  for (const isSure of [true, false]) {
    for (const block of blocks) {
      const { right: far, down: deep } = waysOut(boxOf(block), from, to, block.box);
      const isEither = far !== undefined && deep !== undefined && !isTied(block);
      if (isEither && isSure) continue;
      if (far !== undefined && (deep === undefined || isTied(block) || far <= deep)) goRight(block, far);
      else if (deep !== undefined) goDown(block, deep);
    }
    follow();
  }
  return new Map([...new Set([...right, ...down])].map((block) => [block, wayOf(block)]));
}

/** How far a box would have to go in either direction, as far as it lay on that side before. */
interface Ways {
  right?: number;
  down?: number;
}

/** None where what is at `to` does not reach the box, which stood at `was` when the other stood at `from`. */
function waysOut(box: Rectangle, from: Rectangle, to: Rectangle, was: Rectangle): Ways {
  const apart = { x: was.x - from.x - from.width, y: was.y - from.y - from.height };
  const clear = { x: clearance(apart.x), y: clearance(apart.y) };
  const right = to.x + to.width + clear.x - box.x;
  const down = to.y + to.height + clear.y - box.y;
  const isReached = right > 0 && down > 0 && box.x + box.width > to.x && box.y + box.height > to.y;
  return isReached ? { ...(apart.x > -gap && { right }), ...(apart.y > -gap && { down }) } : {};
}

function clearance(apart: number): number {
  return apart > 0 ? Math.min(apart, gap) : gap;
}
