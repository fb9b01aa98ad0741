/** Notes go along with what they stand beside. */

import { type Block, joined } from "./blocks";
import type { Layout } from "./columns";
import { isGroupWithin } from "./frames";
import { nearestFree } from "./freePlace";
import type { Graph, GraphGroup, GraphNode, NodeId, Rectangle } from "./graph";
import { bounds, drawn, overlaps } from "./placement";

/** Between a note and what it explains. */
const farthest = 120;
const gap = 30;
/** A title that lies so far on a node lies under it. */
const leastLaid = 10;

interface Host {
  block: Block;
  notes: Block[];
}

/**
 * What can have no wire belongs to the nearest block that is not of its kind, also by way of other notes: it stands
 * there as it does now, or below where it stood left or right of it.
 */
export function withNotesJoined(
  blocks: readonly Block[],
  nodes: readonly GraphNode[],
  { isStacked = false } = {},
): Block[] {
  const hosts = hostsOf(blocks, nodes);
  const taken = new Set([...hosts.values()].flatMap(({ notes }) => notes));
  return blocks.flatMap((block) => {
    if (taken.has(block)) return [];
    const host = hosts.get(block);
    return host ? [together(host, isStacked)] : [block];
  });
}

/** The others are laid out alone; then each note goes to the free place nearest to where it stood beside its host. */
export function layoutWithNotes(
  blocks: readonly Block[],
  nodes: readonly GraphNode[],
  layOutOthers: (others: readonly Block[]) => Layout<Block>,
): Layout<Block> {
  const isNote = noteAmong(nodes);
  const others = blocks.filter((block) => !isNote(block));
  const layout = layOutOthers(others.length > 0 ? others : blocks);
  if (others.length === 0) return layout;
  const placed = new Map(
    [...layout.places].map(([block, { x, y }]) => {
      const { width, height } = block;
      return [block, { x, y, width, height }];
    }),
  );
  const notes = blocks.filter(isNote).map((note) => ({ note, ...nearestTo(note, others) }));
  for (const { note, host } of notes.sort((one, other) => one.apart - other.apart)) {
    const at = host && placed.get(host);
    if (!host || !at) continue;
    const beside = (by: number, own: number, hosts: number) =>
      Math.max(-own - gap, Math.min(by, hosts + gap));
    const wish = {
      x: at.x + beside(note.box.x - host.box.x, note.width, host.width),
      y: at.y + beside(note.box.y - host.box.y, note.height, host.height),
      width: note.width,
      height: note.height,
    };
    placed.set(note, nearestFree(wish, [...placed.values()], { gap }) ?? wish);
  }
  const { x: left, y: top, width, height } = bounds([...placed.values()]);
  const places = new Map([...placed].map(([block, { x, y }]) => [block, { x: x - left, y: y - top }]));
  return { places, width, height };
}

/**
 * Those that stand right over, under or beside one of these nodes, or a group of them, which is the nearest to them in the
 * groups that they are in, also by way of other notes.
 */
export function notesAt({ nodes, groups }: Graph, ids: ReadonlySet<NodeId>): GraphNode[] {
  const groupsOf = (id: NodeId) => groups.filter((group) => group.nodes.includes(id));
  const hosts: NoteHost[] = [
    ...nodes
      .filter((node) => !isWireless(node))
      .map((node) => ({ box: drawn(node), around: groupsOf(node.id), isAmong: ids.has(node.id) })),
    ...groups.flatMap((group) => {
      if (!group.bounds || group.nodes.length === 0) return [];
      const around = groups.filter((outer) => isGroupWithin(group, outer));
      return [{ box: group.bounds, around, isAmong: group.nodes.every((id) => ids.has(id)) }];
    }),
  ];
  const open = new Map<GraphNode, OpenNote>(
    nodes.filter(isWireless).map((note) => {
      const [box, own] = [drawn(note), groupsOf(note.id)];
      return [note, { box, own, nearest: nearestAmong(hosts, box, own) }];
    }),
  );
  const found: GraphNode[] = [];
  for (;;) {
    const [first] = [...open].sort(([, one], [, other]) => one.nearest.apart - other.nearest.apart);
    if (!first || first[1].nearest.apart > farthest) return found;
    const [note, { box, nearest }] = first;
    open.delete(note);
    if (!nearest.host || nearest.apart < -leastLaid) continue;
    if (nearest.host.isAmong) found.push(note);
    const next = { ...nearest.host, box };
    for (const each of open.values()) {
      const sooner = nearestAmong([next], each.box, each.own);
      if (sooner.apart < each.nearest.apart) each.nearest = sooner;
    }
  }
}

/** What a note may belong to: a node, a group, or another note that belongs to one. */
interface NoteHost {
  box: Rectangle;
  around: readonly GraphGroup[];
  isAmong: boolean;
}

interface OpenNote {
  box: Rectangle;
  own: readonly GraphGroup[];
  nearest: { host?: NoteHost; apart: number };
}

function nearestAmong(
  hosts: readonly NoteHost[],
  box: Rectangle,
  own: readonly GraphGroup[],
): { host?: NoteHost; apart: number } {
  let nearest: { host?: NoteHost; apart: number } = { apart: Number.POSITIVE_INFINITY };
  for (const host of hosts) {
    if (!isSame(own, host.around)) continue;
    const apart = standsOff(box, host.box);
    if (apart < nearest.apart) nearest = { host, apart };
  }
  return nearest;
}

/** How far a note is from what it may explain: sooner over or under it than beside it, and not across a corner. */
export function standsOff(note: Rectangle, host: Rectangle): number {
  const { across, down } = sidesApart(note, host);
  if (across >= 0 && down >= 0) return Number.POSITIVE_INFINITY;
  return across > down ? across + farthest / 2 : down;
}

function isSame(some: readonly GraphGroup[], others: readonly GraphGroup[]): boolean {
  return some.length === others.length && some.every((group) => others.includes(group));
}

function hostsOf(blocks: readonly Block[], nodes: readonly GraphNode[]): Map<Block, Host> {
  const isNote = noteAmong(nodes);
  const isAsItStands = ({ box, width, height }: Block) => box.width === width && box.height === height;
  const hosts = new Map<Block, Host>(
    blocks
      .filter((block) => !isNote(block) && isAsItStands(block))
      .map((block) => [block, { block, notes: [] }]),
  );
  const open = new Set(blocks.filter(isNote));
  for (;;) {
    const nearest = [...open]
      .flatMap((note) =>
        [...hosts.values()]
          .filter((host) => [host.block, ...host.notes].every(({ box }) => !overlaps(note.box, box)))
          .flatMap((host) =>
            [host.block, ...host.notes].map(({ box }) => ({ note, host, apart: apartness(note.box, box) })),
          ),
      )
      .filter(({ apart }) => apart >= 0 && apart <= farthest)
      .sort((one, other) => one.apart - other.apart)[0];
    if (!nearest) break;
    open.delete(nearest.note);
    nearest.host.notes.push(nearest.note);
  }
  return new Map([...hosts].filter(([, { notes }]) => notes.length > 0));
}

function nearestTo(note: Block, others: readonly Block[]): { host?: Block; apart: number } {
  const [nearest] = others
    .map((host) => ({ host, apart: Math.max(0, apartness(note.box, host.box)) }))
    .sort((one, other) => one.apart - other.apart);
  return nearest ?? { apart: 0 };
}

function noteAmong(nodes: readonly GraphNode[]): (block: Block) => boolean {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return ({ nodes: inside, frames }) =>
    frames.size === 0 && [...inside.keys()].every((id) => isWireless(byId.get(id)));
}

function together({ block, notes }: Host, isStacked: boolean): Block {
  const isBeside = ({ box }: Block) =>
    box.y < block.box.y + block.box.height && block.box.y < box.y + box.height;
  const below = isStacked ? notes.filter(isBeside) : [];
  const rest = [block, ...notes.filter((note) => !below.includes(note))];
  let bottom = Math.max(...rest.map(({ box }) => box.y + box.height));
  const stacked = below.map((note) => {
    const y = bottom + gap;
    bottom = y + note.height;
    return { ...note, box: { ...note.box, x: block.box.x, y } };
  });
  return joined([...rest, ...stacked]);
}

export function isWireless(
  node: { inputs: readonly unknown[]; outputs: readonly unknown[] } | undefined,
): boolean {
  return node !== undefined && node.inputs.length === 0 && node.outputs.length === 0;
}

/** How far the sides that face each other lie apart, further where none do; below 0 where one lies on the other. */
function apartness(one: Rectangle, other: Rectangle): number {
  const { across, down } = sidesApart(one, other);
  return Math.max(across, down) + (across >= 0 && down >= 0 ? farthest / 2 : 0);
}

function sidesApart(one: Rectangle, other: Rectangle): { across: number; down: number } {
  return {
    across: Math.max(one.x - (other.x + other.width), other.x - (one.x + one.width)),
    down: Math.max(one.y - (other.y + other.height), other.y - (one.y + one.height)),
  };
}
