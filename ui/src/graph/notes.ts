/** Notes go along with what they stand beside. */

import { asItIs, type Block } from "./blocks";
import type { Graph, GraphGroup, GraphNode, NodeId, Rectangle } from "./graph";
import { outline, titleHeight } from "./placement";

/** Between a note and what it explains. */
const farthest = 120;
const gap = 20;

interface Host {
  block: Block;
  notes: readonly Block[];
}

/**
 * What can have no wire belongs to the nearest block that is not of its kind: it stands there as it does now, or below
 * where it stood left or right of it.
 */
export function withNotesJoined(
  blocks: readonly Block[],
  nodes: readonly GraphNode[],
  groups: readonly GraphGroup[],
  { isStacked = false } = {},
): Block[] {
  const hosts = hostsOf(blocks, nodes);
  const taken = new Set([...hosts.values()].flatMap(({ notes }) => notes));
  return blocks.flatMap((block) => {
    if (taken.has(block)) return [];
    const host = hosts.get(block);
    return host ? [together(host, nodes, groups, isStacked)] : [block];
  });
}

/** Those that stand right over or under one of these nodes, which is the nearest to them, in the groups that it is in. */
export function notesAt({ nodes, groups }: Graph, ids: ReadonlySet<NodeId>): GraphNode[] {
  const others = nodes.filter((node) => !isWireless(node));
  const groupsOf = (id: NodeId) => groups.filter((group) => group.nodes.includes(id));
  return nodes.filter(isWireless).filter((note) => {
    const box = outline(note);
    const [nearest] = others
      .map((node) => ({ node, box: outline(node), apart: apartness(box, outline(node)) }))
      .sort((one, other) => one.apart - other.apart);
    if (!nearest || !ids.has(nearest.node.id) || nearest.apart < 0 || nearest.apart > farthest) return false;
    const isAcross = box.x < nearest.box.x + nearest.box.width && nearest.box.x < box.x + box.width;
    const [own, around] = [groupsOf(note.id), groupsOf(nearest.node.id)];
    return isAcross && own.length === around.length && own.every((group) => around.includes(group));
  });
}

function hostsOf(blocks: readonly Block[], nodes: readonly GraphNode[]): Map<Block, Host> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const isNote = ({ nodes: inside, frames }: Block) =>
    frames.size === 0 && [...inside.keys()].every((id) => isWireless(byId.get(id)));
  const isAsItStands = ({ box, width, height }: Block) => box.width === width && box.height === height;
  const free = blocks.filter((block) => !isNote(block) && isAsItStands(block));
  const hosts = new Map<Block, Host>();
  for (const note of blocks.filter(isNote)) {
    const [nearest] = free
      .map((block) => ({ block, apart: apartness(note.box, block.box) }))
      .sort((one, other) => one.apart - other.apart);
    if (!nearest || nearest.apart < 0 || nearest.apart > farthest) continue;
    const { block } = nearest;
    hosts.set(block, { block, notes: [...(hosts.get(block)?.notes ?? []), note] });
  }
  return hosts;
}

function together(
  { block, notes }: Host,
  nodes: readonly GraphNode[],
  groups: readonly GraphGroup[],
  isStacked: boolean,
): Block {
  const own = (some: readonly Block[]) => nodes.filter(({ id }) => some.some((each) => each.nodes.has(id)));
  const isBeside = ({ box }: Block) =>
    box.y < block.box.y + block.box.height && block.box.y < box.y + box.height;
  const below = isStacked ? notes.filter(isBeside) : [];
  const rest = notes.filter((note) => !below.includes(note));
  let bottom = Math.max(...[block, ...rest].map(({ box }) => box.y + box.height));
  const stacked = own(below).map((note) => {
    const y = bottom + gap + titleHeight;
    bottom += gap + outline(note).height;
    return { ...note, position: { x: block.box.x, y } };
  });
  return asItIs(
    [...own([block, ...rest]), ...stacked],
    groups.filter((group) => block.frames.has(group)),
  );
}

function isWireless(node: GraphNode | undefined): boolean {
  return node !== undefined && node.inputs.length === 0 && node.outputs.length === 0;
}

/** How far the sides that face each other lie apart, further where none do; below 0 where one lies on the other. */
function apartness(one: Rectangle, other: Rectangle): number {
  const across = Math.max(one.x - (other.x + other.width), other.x - (one.x + one.width));
  const down = Math.max(one.y - (other.y + other.height), other.y - (one.y + one.height));
  return Math.max(across, down) + (across >= 0 && down >= 0 ? farthest / 2 : 0);
}
