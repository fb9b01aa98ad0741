/** Blocks whose wires run back go where they do not, or not so far. */

import { type Around, type BlockPlaces, movedTo } from "./blockPlaces";
import type { Block } from "./blocks";
import { nearestFree } from "./freePlace";
import type { Graph, NodeId, Point, Rectangle } from "./graph";
import { areaCost } from "./layoutMeasure";
import { bounds, contains, drawn, shifted } from "./placement";
import { runsBack, wireCost } from "./wires";

const gap = 40;
const columnGap = 60;
/** A move has to be worth so much, and so much of what its wires cost. */
const leastGain = 1000;
const leastShare = 0.5;
/** So far from where it would stand best something may go. */
const farthest = 800;
/** So many move, of so many whose wires cost most. */
const mostMoves = 10;
const mostTried = 8;

/** One after the other, that first which gains most by it. */
export function moveNearer(places: BlockPlaces, graph: Graph, around: Around): void {
  const moved = new Set<Block>();
  const costOf = (wires: readonly Wire[]) => wires.reduce((sum, { from, to }) => sum + wireCost(from, to), 0);
  while (moved.size < mostMoves) {
    const best = [...wiresByBlock(places, graph)]
      .filter(([block, wires]) => !moved.has(block) && wires.some(({ from, to }) => runsBack(from, to)))
      .filter(([, wires]) => costOf(wires) >= leastGain)
      .sort(([, one], [, other]) => costOf(other) - costOf(one))
      .slice(0, mostTried)
      .flatMap(([block, wires]) => nearerPlace(block, wires, places, around) ?? [])
      .sort((one, other) => other.gain - one.gain)[0];
    const place = best && places.get(best.block);
    if (!place) return;
    moved.add(best.block);
    places.set(best.block, movedTo(place, best.place));
  }
}

interface Move {
  block: Block;
  place: Rectangle;
  gain: number;
}

interface End {
  /** None where it does not move. */
  block?: Block;
  box: Rectangle;
  /** What it lies in. */
  home: Rectangle;
}

interface Wire {
  from: Rectangle;
  to: Rectangle;
  /** Whether it leads into the block. */
  isInto: boolean;
  /** What the other end lies in. */
  other: Rectangle;
}

function nearerPlace(
  block: Block,
  wires: readonly Wire[],
  places: BlockPlaces,
  { obstacles, room }: Around,
): Move | undefined {
  const now = bounds(places.get(block)?.boxes ?? []);
  const endsAt = ({ from, to, isInto }: Wire, { x, y }: Point) => {
    const way = { x: x - now.x, y: y - now.y };
    return isInto ? ([from, shifted(to, way)] as const) : ([shifted(from, way), to] as const);
  };
  const costAt = (place: Point) => wires.reduce((sum, wire) => sum + wireCost(...endsAt(wire, place)), 0);
  const cost = costAt(now);
  const rest = [...places].flatMap(([each, { boxes }]) => (each === block ? [] : boxes));
  const others = [...rest, ...obstacles];
  const turnsBack = (place: Point) =>
    wires.some((wire) => {
      const [source, target] = endsAt(wire, place);
      return (
        runsBack(source, target) && (!runsBack(wire.from, wire.to) || target.y < source.y + source.height)
      );
    });
  const space = (place: Rectangle) => areaCost(bounds([...rest, place]));
  const spaceNow = space(now);
  const moves = wishesOf(wires, now).flatMap((wish) => {
    const place = nearestFree(wish, others, {
      gap,
      fits: (each) =>
        Math.abs(each.x - wish.x) + Math.abs(each.y - wish.y) <= farthest &&
        (!room || contains(room, each)) &&
        !turnsBack(each),
    });
    if (!place) return [];
    const shorter = cost - costAt(place);
    const gain = shorter + spaceNow - space(place);
    return Math.min(shorter, gain) >= leastGain && Math.max(shorter, gain) >= leastShare * cost
      ? [{ block, place, gain }]
      : [];
  });
  return moves.sort((one, other) => other.gain - one.gain)[0];
}

/** Right of what feeds it, left of what it feeds, and over or under both. */
function wishesOf(wires: readonly Wire[], now: Rectangle): Rectangle[] {
  const first = new Map(wires.map((wire) => [`${wire.isInto} ${wire.other.x} ${wire.other.y}`, wire]));
  const wishes = [...first.values()].flatMap(({ from, to, isInto, other }) => {
    const [end, far] = isInto ? [to, from] : [from, to];
    const y = far.y - (end.y - now.y);
    return [
      { x: isInto ? other.x + other.width + columnGap : other.x - columnGap - now.width, y },
      { x: other.x, y: isInto ? other.y + other.height + gap : other.y - gap - now.height },
    ];
  });
  return wishes.map((wish) => ({ ...now, ...wish }));
}

/** Of all nodes, where their blocks stand. */
function endsOf(places: BlockPlaces, graph: Graph): Map<NodeId, End> {
  const homes = new Map(
    [...places].flatMap(([block, place]) => [...block.nodes].map(([id, box]) => [id, { block, place, box }])),
  );
  return new Map(
    graph.nodes.map((node): [NodeId, End] => {
      const home = homes.get(node.id);
      if (!home) return [node.id, { box: drawn(node), home: drawn(node) }];
      const { block, place } = home;
      const box = shifted(shifted(home.box, block.box), place.by);
      return [node.id, { block, box, home: bounds(place.boxes) }];
    }),
  );
}

/** Those that lead into a block or out of it. */
function wiresByBlock(places: BlockPlaces, graph: Graph): Map<Block, Wire[]> {
  const ends = endsOf(places, graph);
  const wires = new Map<Block, Wire[]>([...places.keys()].map((block) => [block, []]));
  for (const { id, inputs } of graph.nodes)
    for (const { linkedFrom } of inputs) {
      const [from, to] = [linkedFrom && ends.get(linkedFrom.node), ends.get(id)];
      if (!from || !to || from.block === to.block) continue;
      const wire = { from: from.box, to: to.box };
      if (to.block) wires.get(to.block)?.push({ ...wire, isInto: true, other: from.home });
      if (from.block) wires.get(from.block)?.push({ ...wire, isInto: false, other: to.home });
    }
  return wires;
}
