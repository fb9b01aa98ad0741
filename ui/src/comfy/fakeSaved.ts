/** The fake's workflow as ComfyUI would save it, and a saved one loaded into the fake. */

import type { NamedWidget } from "../graph/compact/nodeValues";
import type { WorkflowSource } from "../graph/compact/read";
import { areFiles } from "../graph/fileChoices";
import type { Graph, GraphNode, Json, LinkSource, LinkTarget, SavedValues } from "../graph/graph";
import { subgraphInput, subgraphOutput } from "../graph/graph";
import type { NodeShape } from "../graph/nodeShape";
import { titleHeight } from "../graph/placement";
import {
  inputEdgeId,
  type JsonObject,
  labelOf,
  linkObject,
  nodeMode,
  outputEdgeId,
  pair,
  type UiGraph,
  type UiLinkObject,
  type UiNode,
  type UiSubgraph,
  type UiWorkflow,
  uiModes,
} from "../graph/uiWorkflow";
import type { NodeDefinition } from "./bridge";
import { newNode } from "./fakeNode";
import { type Held, inputNamed, rowNames } from "./inputsInForce";

export interface FakeWorkflow {
  root: Graph;
  subgraphs: Map<string, Graph>;
  /** What the page keeps beside the nodes. */
  extra?: JsonObject;
}

export function shapeOfNode(definition: NodeDefinition, held: Held = () => undefined): NodeShape {
  const { type, defaultTitle, inputs, outputs, widgets, size } = newNode("-1", definition, held);
  return {
    type,
    title: defaultTitle,
    inputs: inputs.map(({ name, type: slotType, isWidget, isOptional }) => ({
      ...rowNames(definition, name),
      name,
      type: slotType,
      isWidget,
      isOptional,
    })),
    outputs: outputs.map(({ name, type: slotType }) => ({ name, type: slotType })),
    widgets: widgets.map(({ name, value, choices, default: usual }) => ({
      name,
      value: inputNamed(definition, name)?.options ? (usual ?? value) : value,
      ...(usual === undefined && areFiles(choices ?? []) && { isOpenChoice: true }),
    })),
    ...(definition.inputs.some(({ options }) => options) && { variesByChoice: true }),
    ...(definition.isOutput && { isOutput: true }),
    size,
  };
}

export function saved({ root, subgraphs, extra }: FakeWorkflow): WorkflowSource {
  const used = usedSubgraphs(root, subgraphs);
  const definitions = [...subgraphs]
    .filter(([id]) => used.has(id))
    .map(([id, graph]): UiSubgraph => {
      const scope = graph.scope.kind === "subgraph" ? graph.scope : { name: id, inputs: [], outputs: [] };
      const { links, ...rest } = savedGraph(graph);
      const linkIds = (isOne: (link: UiLinkObject) => boolean) =>
        links.filter(isOne).map(({ id: link }) => link);
      return {
        id,
        name: scope.name,
        ...rest,
        links,
        inputs: (scope.inputs ?? []).map((port, slot) => ({
          ...port,
          linkIds: linkIds((link) => String(link.origin_id) === inputEdgeId && link.origin_slot === slot),
        })),
        outputs: scope.outputs.map(({ linkedFrom: _, ...port }, slot) => ({
          ...port,
          linkIds: linkIds((link) => String(link.target_id) === outputEdgeId && link.target_slot === slot),
        })),
      };
    });
  return {
    workflow: { ...savedGraph(root), definitions: { subgraphs: definitions }, ...(extra && { extra }) },
    widgets(scope, id) {
      const node = (scope === undefined ? root : subgraphs.get(scope))?.nodes.find((each) => each.id === id);
      return node?.isInstalled
        ? node.widgets.map(
            ({ name, value, choices, isShown }): NamedWidget => ({
              name,
              value,
              ...(choices && !choices.some((choice) => choice === value) && { isMissing: true }),
              ...(isShown && { isShown }),
            }),
          )
        : undefined;
    },
  };
}

/** ComfyUI saves no subgraph that no node stands for. */
function usedSubgraphs(
  graph: Graph,
  subgraphs: ReadonlyMap<string, Graph>,
  used = new Set<string>(),
): ReadonlySet<string> {
  for (const { subgraph } of graph.nodes) {
    const inner = subgraph && !used.has(subgraph.id) && subgraphs.get(subgraph.id);
    if (inner) usedSubgraphs(inner, subgraphs, used.add(subgraph.id));
  }
  return used;
}

function savedGraph(graph: Graph): UiGraph & { links: UiLinkObject[] } {
  const links: UiLinkObject[] = [];
  const link = (source: LinkSource, target: string, slot: number) => {
    const id = links.length + 1;
    const origin_id = source.node === subgraphInput ? inputEdgeId : source.node;
    links.push({ id, origin_id, origin_slot: source.output, target_id: target, target_slot: slot });
    return id;
  };
  const inputs = new Map(
    graph.nodes.map((node) => [
      node.id,
      node.inputs.map(({ name, type, isWidget, linkedFrom }, slot) => ({
        name,
        type,
        ...(isWidget && { widget: { name } }),
        link: linkedFrom ? link(linkedFrom, node.id, slot) : null,
      })),
    ]),
  );
  if (graph.scope.kind === "subgraph")
    graph.scope.outputs.forEach(({ linkedFrom }, slot) => {
      if (linkedFrom) link(linkedFrom, outputEdgeId, slot);
    });
  return {
    nodes: graph.nodes.map(
      (node): UiNode => ({
        id: node.id,
        type: node.subgraph?.id ?? node.type,
        title: node.title,
        mode: uiModes[node.mode],
        pos: [node.position.x, node.position.y],
        size: [node.size.width, node.size.height],
        ...(node.color !== undefined && { color: node.color }),
        inputs: inputs.get(node.id) ?? [],
        outputs: node.outputs.map(({ name, type }, slot) => ({
          name,
          type,
          links: links
            .filter(({ origin_id, origin_slot }) => origin_id === node.id && origin_slot === slot)
            .map(({ id }) => id),
        })),
        widgets_values: node.widgets.map(({ value }) => value),
      }),
    ),
    links,
    groups: graph.groups.map(({ title, nodes, color }) => ({
      ...{ title, bounding: boundsOf(graph, nodes) },
      ...(color && { color }),
    })),
  };
}

function boundsOf(graph: Graph, ids: readonly string[]): number[] {
  const boxes = graph.nodes.filter(({ id }) => ids.includes(id));
  const left = Math.min(...boxes.map(({ position }) => position.x));
  const top = Math.min(...boxes.map(({ position }) => position.y - titleHeight));
  const right = Math.max(...boxes.map(({ position, size }) => position.x + size.width));
  const bottom = Math.max(...boxes.map(({ position, size }) => position.y + size.height));
  return [left, top, right - left, bottom - top];
}

/** Nodes of unknown types come without widgets, as ComfyUI shows them. */
export function loaded(
  workflow: UiWorkflow,
  madeFor: (saved: UiNode) => GraphNode | undefined,
): FakeWorkflow {
  const definitions = workflow.definitions?.subgraphs ?? [];
  const graphOf = (graph: UiGraph, scope: Graph["scope"]) => loadedGraph(graph, scope, definitions, madeFor);
  const { extra } = workflow as { extra?: JsonObject };
  return {
    ...(extra && { extra }),
    root: graphOf(workflow, { kind: "workflow" }),
    subgraphs: new Map(
      definitions.map((definition) => {
        const { id, name, inputs = [], outputs = [] } = definition;
        const ports = (list: typeof inputs) =>
          list.map((port) => ({ name: port.name, ...labelOf(port), type: String(port.type) }));
        return [
          id,
          graphOf(definition, { kind: "subgraph", id, name, inputs: ports(inputs), outputs: ports(outputs) }),
        ];
      }),
    ),
  };
}

function loadedGraph(
  { nodes, links, groups = [] }: UiGraph,
  scope: Graph["scope"],
  definitions: readonly UiSubgraph[],
  madeFor: (saved: UiNode) => GraphNode | undefined,
): Graph {
  const graph: Graph = {
    scope,
    nodes: nodes.map((node) => loadedNode(node, definitions, madeFor)),
    groups: groups.map(({ title, color }) => ({ title, nodes: [], ...(color && { color }) })),
    selection: [],
  };
  const byId = new Map(graph.nodes.map((node) => [node.id, node]));
  for (const each of links) {
    const { origin_id, origin_slot, target_id, target_slot } = linkObject(each);
    const origin = byId.get(String(origin_id))?.outputs[origin_slot];
    const edge = scope.kind === "subgraph" ? scope : undefined;
    const target = byId.get(String(target_id))?.inputs[target_slot] ?? edge?.outputs[target_slot];
    if (!target) continue;
    const isEdge = String(origin_id) === inputEdgeId;
    const from: LinkSource = {
      node: isEdge ? subgraphInput : String(origin_id),
      output: origin_slot,
      name: (isEdge ? edge?.inputs?.[origin_slot]?.name : origin?.name) ?? String(origin_slot),
    };
    const to: LinkTarget = {
      node: String(target_id) === outputEdgeId ? subgraphOutput : String(target_id),
      input: target_slot,
      name: target.name,
    };
    target.linkedFrom = from;
    origin?.linkedTo.push(to);
  }
  return graph;
}

function loadedNode(
  node: UiNode,
  definitions: readonly UiSubgraph[],
  madeFor: (saved: UiNode) => GraphNode | undefined,
): GraphNode {
  const definition = definitions.find(({ id }) => id === node.type);
  const usual = definition ? undefined : madeFor(node);
  const [x, y] = pair(node.pos, [0, 0]);
  const [width, height] = pair(node.size, [200, 100]);
  const values: Json[] = Array.isArray(node.widgets_values) ? node.widgets_values : [];
  const shownAs = (name: string, ports = definition?.inputs) =>
    labelOf(ports?.find((port) => port.name === name));
  const inputs = (node.inputs ?? []).map(({ name, type, widget }) => ({
    name,
    ...shownAs(name),
    type: String(type ?? "*"),
    isWidget: widget !== undefined,
    isOptional: usual?.inputs.find((input) => input.name === name)?.isOptional ?? true,
  }));
  const widgets =
    usual?.widgets ??
    inputs.flatMap(({ name, isWidget }) =>
      definition && isWidget ? [{ name, ...shownAs(name), kind: "other" as const, value: null }] : [],
    );
  return {
    id: String(node.id),
    type: node.type,
    title: node.title ?? usual?.title ?? definition?.name ?? node.type,
    defaultTitle: usual?.defaultTitle ?? definition?.name ?? node.type,
    mode: nodeMode(node.mode),
    isInstalled: Boolean(usual ?? definition),
    ...(!usual && !definition && { savedValues: (node.widgets_values ?? []) as SavedValues }),
    inputs,
    outputs: (node.outputs ?? []).map(({ name, type }) => ({
      name,
      ...shownAs(name, definition?.outputs),
      type: String(type ?? "*"),
      linkedTo: [],
    })),
    widgets: widgets.map((widget, index) => ({ ...widget, value: values[index] ?? widget.value })),
    position: { x, y },
    size: { width, height },
    ...(node.color !== undefined && { color: node.color }),
    ...(definition && { subgraph: { id: definition.id, name: definition.name } }),
  };
}
