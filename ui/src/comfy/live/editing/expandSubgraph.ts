/** A subgraph's node makes way for what is in it, with all links. */

import type { Point } from "../../../graph/graph";
import { inputEdgeId, type UiLink } from "../../../graph/uiWorkflow";
import type { LiveGraph, LiveLink, LiveNode } from "../page";
import { relinkGraph } from "./relink";

/** The output that a link comes from. */
interface Origin {
  node: LiveNode;
  slot: number;
}

interface Shift {
  by: Point;
  move(node: LiveNode, place: Point): void;
}

/**
 * ComfyUI's page links what comes out by the places that inputs had: where a growing row of a new node has not grown yet,
 * links are lost or go into what stands behind the row. It puts its middle to that of the subgraph's node. False where it
 * does nothing, or leaves nodes out.
 */
export function expandSubgraph(graph: LiveGraph, instance: LiveNode, { by, move }: Shift): boolean {
  const { subgraph } = instance;
  if (!subgraph) throw new Error(`Node ${instance.id} is no subgraph.`);
  const origins = originsAround(graph, instance, subgraph);
  const outside = new Set(graph.nodes.filter((node) => node !== instance));
  const isFed = ({ inputs = [] }: LiveNode) =>
    inputs.some(({ link }) => String(graph.getLink(link)?.origin_id) === String(instance.id));
  const wanted = [
    ...subgraph.nodes.map((node) => ({ node, links: linksInto(subgraph, node, origins.inside) })),
    ...[...outside].filter(isFed).map((node) => ({ node, links: linksInto(graph, node, origins.outside) })),
  ];
  const inside = [...subgraph.nodes];
  const places = new Map(inside.map((node) => [node, pointOf(node.pos)]));
  const shiftOthers = othersShifted(graph, subgraph, by);
  if (graph.unpackSubgraph(instance) === false) return false;
  const added = graph.nodes.filter((node) => node !== instance && !outside.has(node));
  if (graph.nodes.includes(instance) || added.length !== inside.length) return false;
  const placeOf = (node: LiveNode) => (outside.has(node) ? node : counterpart(node, inside, added));
  for (const [node, { x, y }] of places) {
    const out = placeOf(node);
    if (out) move(out, { x: x + by.x, y: y + by.y });
  }
  shiftOthers();
  const links: UiLink[] = [];
  const nodes = wanted.flatMap(({ node, links: into }) => {
    const target = placeOf(node);
    if (!target) return [];
    const inputs = into.flatMap(({ name, origin }) => {
      const source = placeOf(origin.node);
      if (!source) return [];
      const id = links.length + 1;
      links.push({
        id,
        origin_id: source.id,
        origin_slot: origin.slot,
        target_id: target.id,
        target_slot: 0,
      });
      return [{ name, type: "*", link: id }];
    });
    return [{ id: target.id, type: target.type, inputs }];
  });
  relinkGraph(graph, { nodes, links }, { isWhole: true });
  return true;
}

/** For groups and points of links, once they have come out: they do so in their order. */
function othersShifted(graph: LiveGraph, subgraph: LiveGraph, by: Point): () => void {
  const itemsOf = ({ groups = [], reroutes }: LiveGraph) => [[...groups], [...(reroutes?.values() ?? [])]];
  const before = new Set(itemsOf(graph).flat());
  const places = itemsOf(subgraph).map((items) => items.map(({ pos }) => pointOf(pos)));
  return () => {
    for (const [kind, items] of itemsOf(graph).entries())
      for (const [index, item] of items.filter((each) => !before.has(each)).entries()) {
        const place = places[kind]?.[index];
        if (place) item.pos = [place.x + by.x, place.y + by.y];
      }
  };
}

function pointOf({ 0: x = 0, 1: y = 0 }: ArrayLike<number>): Point {
  return { x, y };
}

/** What links inside and outside come from once the subgraph's node is gone; undefined where that is nothing. */
function originsAround(graph: LiveGraph, instance: LiveNode, subgraph: LiveGraph) {
  const nodeIn = ({ nodes }: LiveGraph, id: string | number) =>
    nodes.find((node) => String(node.id) === String(id));
  const through = (name: string | undefined): Origin | undefined => {
    const into = graph.getLink(instance.inputs?.find((input) => input.name === name)?.link);
    const node = into && nodeIn(graph, into.origin_id);
    return node ? { node, slot: into.origin_slot } : undefined;
  };
  const inside = ({ origin_id, origin_slot }: LiveLink): Origin | undefined => {
    if (String(origin_id) === inputEdgeId) return through(subgraph.inputs?.[origin_slot]?.name);
    const node = nodeIn(subgraph, origin_id);
    return node && { node, slot: origin_slot };
  };
  const outside = ({ origin_id, origin_slot }: LiveLink): Origin | undefined => {
    const node = nodeIn(graph, origin_id);
    if (node !== instance) return node && { node, slot: origin_slot };
    const [first] = subgraph.outputs?.[origin_slot]?.linkIds ?? [];
    const link = subgraph.getLink(first);
    return link ? inside(link) : undefined;
  };
  return { inside, outside };
}

function linksInto(
  graph: LiveGraph,
  { inputs = [] }: LiveNode,
  originOf: (link: LiveLink) => Origin | undefined,
): { name: string; origin: Origin }[] {
  return inputs.flatMap(({ name, link: id }) => {
    const link = graph.getLink(id);
    const origin = link ? originOf(link) : undefined;
    return origin ? [{ name, origin }] : [];
  });
}

/** The added node that is as many-th of its type as this one is inside. */
function counterpart(
  node: LiveNode,
  inside: readonly LiveNode[],
  added: readonly LiveNode[],
): LiveNode | undefined {
  const isAlike = ({ type }: LiveNode) => type === node.type;
  return added.filter(isAlike)[inside.filter(isAlike).indexOf(node)];
}
