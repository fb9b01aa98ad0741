/** A compact form, built into a workflow that ComfyUI's frontends load. */

import type { Json, NodeId } from "../graph";
import { subgraphInput } from "../graph";
import type { ShapeOf } from "../nodeShape";
import { inputEdgeId, type JsonObject, labelOf, outputEdgeId, uiModes } from "../uiWorkflow";
import { type Box, extent, frameBounds, type KeptNode, placedBoxes } from "./boxes";
import { type Frame, type ResolvedGraph, type ResolvedSubgraph, resolveWorkflow } from "./resolve";
import type { CompactGraph, CompactNode, CompactWorkflow } from "./workflow";

export interface BuildOptions {
  shapeOf: ShapeOf;
  newUuid(): string;
  /** The id of a subgraph that is there already, by its key. */
  uuidOf?(key: string): string | undefined;
  /** `scope` is the key of the subgraph, undefined at the top. */
  kept?(scope: string | undefined, node: CompactNode): KeptNode | undefined;
}

/** Throws `ResolveError` with everything that is named and does not exist. */
export function buildWorkflow(
  workflow: CompactWorkflow,
  { shapeOf, newUuid, uuidOf, kept }: BuildOptions,
): JsonObject {
  const resolved = resolveWorkflow(workflow, shapeOf, kept);
  const uuids = new Map(workflow.subgraphs.map(({ key }) => [key, uuidOf?.(key) ?? newUuid()]));
  const build = (graph: CompactGraph, slots: ResolvedGraph, scope: string | undefined) =>
    buildGraph(graph, slots, {
      typeOf: (type) => uuids.get(type) ?? type,
      kept: (node) => kept?.(scope, node),
    });
  const { nodes, links, groups, lastNode, lastLink } = build(workflow, resolved, undefined);
  const subgraphs = [...resolved.subgraphs.values()].map((slots): JsonObject => {
    const { definition } = slots;
    const inside = build(definition, slots, definition.key);
    return buildSubgraph(slots, inside, uuids.get(definition.key) ?? "", newUuid);
  });
  return {
    id: newUuid(),
    revision: 0,
    last_node_id: lastNode,
    last_link_id: lastLink,
    nodes,
    links: links.map(({ id, origin_id, origin_slot, target_id, target_slot, type }) => [
      id,
      origin_id,
      origin_slot,
      target_id,
      target_slot,
      type,
    ]),
    groups,
    ...(subgraphs.length > 0 && { definitions: { subgraphs } }),
    config: {},
    extra: {},
    version: 0.4,
  };
}

interface BuiltLink {
  [key: string]: Json;
  id: number;
  origin_id: number;
  origin_slot: number;
  target_id: number;
  target_slot: number;
  type: string;
}

interface BuiltGraph {
  nodes: JsonObject[];
  links: BuiltLink[];
  groups: JsonObject[];
  idOf(node: NodeId): number;
  lastNode: number;
  lastLink: number;
}

interface Surroundings {
  typeOf(type: string): string;
  kept(node: CompactNode): KeptNode | undefined;
}

function buildGraph(
  graph: CompactGraph,
  { frames, connections }: ResolvedGraph,
  around: Surroundings,
): BuiltGraph {
  const ids = numbers(graph.nodes.map(({ id }) => id));
  const idOf = (node: NodeId) => (node === subgraphInput ? Number(inputEdgeId) : (ids.get(node) ?? 0));
  const links = connections.map(
    ({ origin, slot, target, input, type }, index): BuiltLink => ({
      id: index + 1,
      origin_id: idOf(origin),
      origin_slot: slot,
      target_id: idOf(target),
      target_slot: input,
      type,
    }),
  );
  const boxes = placedBoxes(graph, frames, around.kept);
  const drawn = frameBounds(graph.groups, boxes);
  const linkOf = new Map(links.map((link) => [`${link.target_id} ${link.target_slot}`, link.id]));
  const linksOf = new Map<string, number[]>();
  for (const { id, origin_id, origin_slot } of links)
    linksOf.set(`${origin_id} ${origin_slot}`, [...(linksOf.get(`${origin_id} ${origin_slot}`) ?? []), id]);
  return {
    nodes: graph.nodes.map((node, order) =>
      buildNode(node, frames.get(node.id) as Frame, {
        id: idOf(node.id),
        order,
        type: around.typeOf(node.type),
        linkInto: (input) => linkOf.get(`${idOf(node.id)} ${input}`),
        linksFrom: (output) => linksOf.get(`${idOf(node.id)} ${output}`) ?? [],
        box: boxes.get(node.id) as Box,
        kept: around.kept(node),
      }),
    ),
    links,
    groups: graph.groups.map((group, index) => ({
      id: index + 1,
      title: group.title,
      bounding: drawn.get(group) ?? null,
      flags: {},
    })),
    idOf,
    lastNode: Math.max(0, ...ids.values()),
    lastLink: links.length,
  };
}

function buildNode(
  node: CompactNode,
  { inputs, outputs, widgets, savesByName }: Frame,
  {
    id,
    order,
    type,
    linkInto,
    linksFrom,
    box,
    kept,
  }: {
    id: number;
    order: number;
    type: string;
    linkInto(input: number): number | undefined;
    linksFrom(output: number): number[];
    box: Box;
    kept: KeptNode | undefined;
  },
): JsonObject {
  const isInstance = type !== node.type;
  const shown = node.shown.map((path) => [
    path.slice(0, path.indexOf(".")),
    path.slice(path.indexOf(".") + 1),
  ]);
  return {
    ...kept?.fields,
    id,
    type,
    pos: [box.x, box.y],
    size: [box.width, box.height],
    flags: kept?.fields.flags ?? {},
    order,
    mode: uiModes[node.mode],
    inputs: inputs.map(
      ({ name, label, type: slotType, isWidget, isOptional }, index): JsonObject => ({
        name,
        ...labelOf({ name, label }),
        type: slotType,
        ...(isOptional && !isWidget && { shape: 7 }),
        ...(isWidget && { widget: { name } }),
        link: linkInto(index) ?? null,
      }),
    ),
    outputs: outputs.map(
      ({ name, label, type: slotType, widget }, index): JsonObject => ({
        name,
        ...labelOf({ name, label }),
        type: slotType,
        ...(widget !== undefined && { widget: { name: widget } }),
        links: linksFrom(index),
      }),
    ),
    ...(node.title !== undefined && { title: node.title }),
    properties: {
      ...(isInstance ? {} : { "Node name for S&R": type }),
      ...(kept?.fields.properties as JsonObject | undefined),
      ...(shown.length > 0 && { proxyWidgets: [...widgets.map(({ name }) => ["-1", name]), ...shown] }),
    },
    widgets_values:
      kept?.savedValues ??
      (savesByName
        ? Object.fromEntries(widgets.map(({ name, value }) => [name, value]))
        : widgets.map(({ value }) => value)),
  };
}

function buildSubgraph(
  { definition, instance, results }: ResolvedSubgraph,
  { nodes, links, groups, idOf, lastNode, lastLink }: BuiltGraph,
  id: string,
  newUuid: () => string,
): JsonObject {
  const endings = results.flatMap((result, slot): BuiltLink[] =>
    result
      ? [
          {
            id: lastLink + 1 + slot,
            origin_id: idOf(result.origin),
            origin_slot: result.slot,
            target_id: Number(outputEdgeId),
            target_slot: slot,
            type: result.type,
          },
        ]
      : [],
  );
  for (const ending of endings) {
    const outputs = nodes.find((node) => node.id === ending.origin_id)?.outputs as
      | { links: number[] }[]
      | undefined;
    outputs?.[ending.origin_slot]?.links.push(ending.id);
  }
  const all = [...links, ...endings];
  const { left, right, top } = extent(nodes);
  return {
    id,
    version: 1,
    revision: 0,
    state: {
      lastGroupId: groups.length,
      lastNodeId: lastNode,
      lastLinkId: lastLink + results.length,
      lastRerouteId: 0,
    },
    config: {},
    name: definition.name,
    inputNode: {
      id: Number(inputEdgeId),
      bounding: [left - 200, top, 120, 60 + 20 * definition.inputs.length],
    },
    outputNode: {
      id: Number(outputEdgeId),
      bounding: [right + 80, top, 120, 60 + 20 * definition.outputs.length],
    },
    inputs: instance.inputs.map(({ name, label, type }, slot) => ({
      id: newUuid(),
      name,
      ...labelOf({ name, label }),
      type,
      linkIds: all
        .filter((link) => link.origin_id === Number(inputEdgeId) && link.origin_slot === slot)
        .map((link) => link.id),
    })),
    outputs: instance.outputs.map(({ name, label, type }, slot) => ({
      id: newUuid(),
      name,
      ...labelOf({ name, label }),
      type,
      linkIds: endings.filter((link) => link.target_slot === slot).map((link) => link.id),
    })),
    widgets: [],
    nodes,
    groups,
    links: all,
    extra: {},
  };
}

/** Numbers for ids: a number stays itself, other words get numbers that are free. */
function numbers(ids: readonly NodeId[]): Map<NodeId, number> {
  const isNumber = (id: NodeId) => /^\d{1,9}$/.test(id);
  let last = Math.max(0, ...ids.filter(isNumber).map(Number));
  return new Map(ids.map((id) => [id, isNumber(id) ? Number(id) : ++last]));
}
