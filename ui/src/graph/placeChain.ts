/** A place for a chain of new nodes as a whole, where what it leads to cannot move on. */

import { arrange } from "./arrange";
import { nearestFree } from "./freePlace";
import type { Graph, NodeId, Point, Rectangle } from "./graph";
import { measureOf } from "./layoutMeasure";
import { placeAdded } from "./placeAdded";
import { bounds, boxesOf, titleHeight } from "./placement";

const columnGap = 60;
const gap = 20;
const grid = 10;
/** It goes no further from what feeds it. */
const farthest = 1500;

/** The places of all new nodes, those of the chain in a row right of what feeds it; undefined where that is no better. */
export function chainTogether(
  graph: Graph,
  added: ReadonlyMap<NodeId, Rectangle | undefined>,
  chain: ReadonlySet<NodeId>,
  apart: ReadonlyMap<NodeId, Point>,
): Map<NodeId, Point> | undefined {
  if (chain.size < 2 || [...chain].some((id) => added.get(id))) return undefined;
  const row = inRow(graph, added, chain);
  if (!row) return undefined;
  const settled = graph.nodes.map((node) => ({ ...node, position: row.get(node.id) ?? node.position }));
  const others = new Map([...added].filter(([id]) => !chain.has(id)));
  const together = new Map([...row, ...placeAdded({ ...graph, nodes: settled }, others)]);
  const back = (positions: ReadonlyMap<NodeId, Point>) =>
    measureOf(graph, boxesOf(graph.nodes, positions), { width: 0, height: 0 }).wiresBack;
  return back(together) < back(apart) ? together : undefined;
}

function inRow(
  graph: Graph,
  added: ReadonlyMap<NodeId, unknown>,
  chain: ReadonlySet<NodeId>,
): Map<NodeId, Point> | undefined {
  const nodes = graph.nodes.filter(({ id }) => chain.has(id));
  const there = boxesOf(graph.nodes.filter(({ id }) => !added.has(id)));
  const feeding = nodes.flatMap(({ inputs }) =>
    inputs.flatMap(({ linkedFrom }) => (linkedFrom && there.get(linkedFrom.node)) ?? []),
  );
  const [last] = feeding.toSorted((one, other) => other.x + other.width - one.x - one.width);
  if (!last) return undefined;
  const { positions } = arrange({ ...graph, nodes, groups: [] }, [...chain]);
  const inner = boxesOf(nodes, positions);
  const whole = bounds([...inner.values()]);
  const right = last.x + last.width;
  const wish = { ...whole, x: right + columnGap, y: last.y };
  const taken = [...there.values(), ...graph.groups.flatMap((group) => group.bounds ?? [])];
  const found = nearestFree(wish, taken, {
    gap,
    fits: ({ x, y }) => x >= right + gap && Math.abs(x - wish.x) + Math.abs(y - wish.y) <= farthest,
  });
  if (!found) return undefined;
  const by = (from: number, to: number) => Math.ceil((to - from) / grid) * grid;
  const [x, y] = [by(whole.x, found.x), by(whole.y, found.y)];
  return new Map([...inner].map(([id, box]) => [id, { x: box.x + x, y: box.y + y + titleHeight }]));
}
