/** A saved workflow, read into what its compact form tells. */

import type { NodeId, Rectangle } from "../graph";
import { subgraphInput } from "../graph";
import type { NodeShape, ShapeOf } from "../nodeShape";
import { membersAmong } from "../placement";
import {
  inputEdgeId,
  labelOf,
  linkObject,
  nodeMode,
  rectangle,
  type UiGraph,
  type UiGroup,
  type UiLinkObject,
  type UiNode,
  type UiPort,
  type UiSubgraph,
  type UiWorkflow,
} from "../uiWorkflow";
import { compactValue, type NamedWidget, type ReadValue, readValues } from "./nodeValues";
import type {
  CompactGraph,
  CompactLink,
  CompactNode,
  CompactPort,
  CompactSource,
  CompactSubgraph,
  CompactWorkflow,
} from "./workflow";

export interface WorkflowSource {
  workflow: UiWorkflow;
  /** Undefined for nodes whose widgets nobody knows. `scope` is a definition's id, undefined at the top. */
  widgets(scope: string | undefined, node: NodeId): readonly NamedWidget[] | undefined;
  /** The nodes of the same graph that it takes from without a wire, where the page knows. */
  follows?(scope: string | undefined, node: NodeId): readonly NodeId[];
}

/** Nodes that only hand something on: what they are fed by may come to nothing. */
const passing: ReadonlySet<string> = new Set(["Reroute"]);

/** What a page tells of a node beside what it saves. */
export interface ToldOfNode {
  widgets: readonly NamedWidget[] | undefined;
  follows: readonly NodeId[];
}

/** Reads the nodes of a graph, each by `read`. */
export type ReadNodes = (
  graph: UiGraph,
  around: Surroundings,
  read: (node: UiNode, told: ToldOfNode) => CompactNode,
) => CompactNode[];

export function readWorkflow(
  { workflow, widgets, follows }: WorkflowSource,
  shapeOf: ShapeOf,
  readNodes: ReadNodes = readAll,
): CompactWorkflow {
  const definitions = inOrderOfUse(workflow);
  const keys = new Map(definitions.map(({ id }, index) => [id, `S${index + 1}`]));
  const names = new Map(definitions.map(({ id, name }) => [id, name]));
  const promoted = promotedNames(workflow, widgets);
  const isKnown = (type: string) => keys.has(type) || shapeOf(type) !== undefined;
  const graph = (graph: UiGraph, scope: UiSubgraph | undefined) =>
    readGraph(graph, {
      scope,
      promoted: promoted.get(scope?.id ?? "") ?? new Set(),
      definitions: new Map(definitions.map((each) => [each.id, each])),
      typeWord: (type) => keys.get(type) ?? type,
      usualTitle: (type) => names.get(type) ?? shapeOf(type)?.title,
      shapeOf,
      isKnown,
      told: ({ id }) => ({
        widgets: widgets(scope?.id, String(id)),
        follows: follows?.(scope?.id, String(id)) ?? [],
      }),
      readNodes,
    });
  return {
    ...graph(workflow, undefined),
    subgraphs: definitions.map((definition) =>
      readSubgraph(definition, keys.get(definition.id) ?? "", { graph, shapeOf, isKnown }),
    ),
  };
}

/** As they are met from the top down, whatever order a file has them in; unused ones come last. */
function inOrderOfUse(workflow: UiWorkflow): UiSubgraph[] {
  const all = workflow.definitions?.subgraphs ?? [];
  const byId = new Map(all.map((definition) => [definition.id, definition]));
  const met = new Set<UiSubgraph>();
  const visit = ({ nodes }: UiGraph) => {
    for (const { type } of nodes) {
      const definition = byId.get(type);
      if (!definition || met.has(definition)) continue;
      met.add(definition);
      visit(definition);
    }
  };
  visit(workflow);
  return [...new Set([...met, ...all])];
}

/** Of each definition, the inputs whose values its instances hold. */
function promotedNames(
  workflow: UiWorkflow,
  widgets: WorkflowSource["widgets"],
): ReadonlyMap<string, ReadonlySet<string>> {
  const definitions = workflow.definitions?.subgraphs ?? [];
  const names = new Map(definitions.map(({ id }) => [id, new Set<string>()]));
  for (const graph of [workflow, ...definitions])
    for (const { id, type } of graph.nodes)
      if (names.has(type))
        for (const { name } of widgets(
          graph === workflow ? undefined : (graph as UiSubgraph).id,
          String(id),
        ) ?? [])
          names.get(type)?.add(name);
  return names;
}

function readAll({ nodes }: UiGraph, { told }: Surroundings, read: Parameters<ReadNodes>[2]): CompactNode[] {
  return nodes.map((node) => read(node, told(node)));
}

export interface Surroundings {
  scope: UiSubgraph | undefined;
  /** The inputs of this subgraph whose values its instances hold. */
  promoted: ReadonlySet<string>;
  definitions: ReadonlyMap<string, UiSubgraph>;
  typeWord(type: string): string;
  usualTitle(type: string): string | undefined;
  shapeOf: ShapeOf;
  /** Whether it is installed, or a subgraph. */
  isKnown(type: string): boolean;
  told(node: UiNode): ToldOfNode;
  readNodes: ReadNodes;
}

function readSubgraph(
  definition: UiSubgraph,
  key: string,
  {
    graph,
    shapeOf,
    isKnown,
  }: {
    graph(graph: UiGraph, scope: UiSubgraph): CompactGraph;
    shapeOf: ShapeOf;
    isKnown(type: string): boolean;
  },
): CompactSubgraph {
  const links = linksById(definition);
  const isConnected = (ids: readonly unknown[] | undefined) =>
    (ids ?? []).some((id) => links.has(String(id)));
  const slots = outputNames(definition, definition, shapeOf, isKnown);
  return {
    key,
    id: definition.id,
    name: definition.name,
    inputs: (definition.inputs ?? []).map((port) =>
      isConnected(port.linkIds) ? named(port) : { ...named(port), type: String(port.type) },
    ),
    outputs: (definition.outputs ?? []).map((port) => {
      const link = (port.linkIds ?? []).map((id) => links.get(String(id))).find((each) => each !== undefined);
      return link
        ? { ...named(port), source: sourceOf(link, port.name, slots) }
        : { ...named(port), type: String(port.type) };
    }),
    ...graph(definition, definition),
  };
}

function named(port: UiPort): CompactPort {
  return { name: port.name, ...labelOf(port) };
}

function readGraph(graph: UiGraph, around: Surroundings): CompactGraph {
  let known: NodeSurroundings | undefined;
  const surroundings = (): NodeSurroundings => {
    known ??= {
      ...around,
      links: linksById(graph),
      slots: outputNames(graph, around.scope, around.shapeOf, around.isKnown),
      nodes: new Map(graph.nodes.map((node) => [String(node.id), node])),
    };
    return known;
  };
  const membersOf = membersAmong(
    graph.nodes.map(({ id, pos, size, flags }) => ({
      id,
      box: rectangle(pos, size),
      isCollapsed: flags?.collapsed,
    })),
  );
  return {
    nodes: around.readNodes(graph, around, (node, told) => readNode(node, told, surroundings())),
    groups: (graph.groups ?? []).map((group) => ({
      title: group.title,
      nodes: membersOf(boundsOf(group)),
      unwritten: { box: boundsOf(group), ...(group.color && { color: group.color }) },
    })),
  };
}

function boundsOf({ bounding }: UiGroup): Rectangle {
  const [x = 0, y = 0, width = 0, height = 0] = Array.from(bounding);
  return { x, y, width, height };
}

interface NodeSurroundings extends Surroundings {
  links: ReadonlyMap<string, UiLinkObject>;
  slots: SlotNames;
  nodes: ReadonlyMap<NodeId, UiNode>;
}

function readNode(node: UiNode, { widgets, follows }: ToldOfNode, around: NodeSurroundings): CompactNode {
  const definition = around.definitions.get(node.type);
  const held = (name: string) => widgets?.find((widget) => widget.name === name)?.value;
  const shape = definition ? undefined : around.shapeOf(node.type, held);
  const links = readLinks(node, around);
  const hidden = new Set(links.filter((link) => isSure(link, around)).map(({ input }) => input));
  const title = node.title === "" || node.title === around.usualTitle(node.type) ? undefined : node.title;
  const openInputs = openInputsOf(node, shape);
  const unusedOutputs = unusedOutputsOf(node, shape);
  const grown = shape ? slotsBeyond(shape, node) : [];
  const isUninstalled = !shape && !definition;
  const values = readValues(node, widgets, shape);
  const isFed = ({ name }: ReadValue) => hidden.has(name);
  const told = values.filter((value) => !isFed(value));
  const { x, y } = rectangle(node.pos, node.size);
  return {
    id: String(node.id),
    type: around.typeWord(node.type),
    ...(title !== undefined && title !== node.type && { title }),
    mode: nodeMode(node.mode),
    links: [...links, ...follows.map((source) => ({ input: "", source: { node: source }, unwired: {} }))],
    values: told.filter(({ isUsual }) => !isUsual).map(compactValue),
    shown: definition ? shownOf(node) : [],
    ...((isUninstalled || openInputs.length > 0 || unusedOutputs.length > 0) && {
      remarks: {
        ...(isUninstalled && { isUninstalled }),
        ...(openInputs.length > 0 && { openInputs }),
        ...(unusedOutputs.length > 0 && { unusedOutputs }),
      },
    }),
    unwritten: {
      usual: told.filter(({ isUsual }) => isUsual).map(compactValue),
      fed: values.filter(isFed).map(compactValue),
      position: { x, y },
      ...(node.color !== undefined && { color: node.color }),
      ...(grown.length > 0 && { grown }),
    },
  };
}

function readLinks(node: UiNode, { links, slots }: NodeSurroundings): CompactLink[] {
  const inputs = node.inputs ?? [];
  return inputs.flatMap(({ name, link }, index) => {
    const found = link === null || link === undefined ? undefined : links.get(String(link));
    if (!found) return [];
    const isTwice = inputs.findIndex((input) => input.name === name) !== index;
    return [{ input: isTwice ? `#${index}` : name, source: sourceOf(found, name, slots) }];
  });
}

/** Whether something is sure to come from there, so that the widget behind the input is never asked. */
function isSure(
  { input, source }: CompactLink,
  { nodes, definitions, shapeOf, promoted }: NodeSurroundings,
): boolean {
  if (source.node === subgraphInput) return promoted.has(source.slot ?? input);
  const node = nodes.get(source.node);
  return (
    node !== undefined &&
    nodeMode(node.mode) === "active" &&
    !passing.has(node.type) &&
    !definitions.has(node.type) &&
    shapeOf(node.type) !== undefined
  );
}

/** Both frontends' ways to show widgets and previews of inner nodes on a subgraph node. */
function shownOf({ properties = {} }: UiNode): string[] {
  const widgets = listOf(properties.proxyWidgets).flatMap((entry) =>
    Array.isArray(entry) && entry.length > 1 && String(entry[0]) !== "-1" ? [`${entry[0]}.${entry[1]}`] : [],
  );
  const previews = listOf(properties.previewExposures).flatMap((entry) => {
    const { sourceNodeId, sourcePreviewName } = Object(entry);
    return sourceNodeId === undefined ? [] : [`${sourceNodeId}.${sourcePreviewName}`];
  });
  return [...widgets, ...previews];
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function openInputsOf(node: UiNode, shape: NodeShape | undefined): string[] {
  const required = new Set(
    (shape?.inputs ?? [])
      .filter(({ isWidget, isOptional }) => !isWidget && !isOptional)
      .map(({ name }) => name),
  );
  return (node.inputs ?? [])
    .filter(({ name, link }) => (link === null || link === undefined) && required.has(name))
    .map(({ name }) => name);
}

function slotsBeyond(shape: NodeShape, { inputs = [], outputs = [] }: UiNode): string[] {
  const names = (slots: readonly { name: string }[]) => new Set(slots.map(({ name }) => name));
  const [usualInputs, usualOutputs] = [names(shape.inputs), names(shape.outputs)];
  return [
    ...inputs.flatMap(({ name }) => (usualInputs.has(name) ? [] : [name])),
    ...outputs.flatMap(({ name }) => (usualOutputs.has(name) ? [] : [name])),
  ];
}

/** None of a node that shows or saves: what it hands on need not be taken. */
function unusedOutputsOf({ outputs = [] }: UiNode, shape: NodeShape | undefined): string[] {
  if (shape?.isOutput) return [];
  return outputs.some(({ links }) => (links ?? []).length > 0) ? [] : outputs.map(({ name }) => name);
}

/** `isUnsure` where the type is not installed: once it is, it may have them in another order. */
type SlotNames = (node: NodeId) => { names: readonly string[]; isUnsure: boolean };

/** The outputs that the installed type has; a file may be from a time when there were others. */
function outputNames(
  graph: UiGraph,
  scope: UiSubgraph | undefined,
  shapeOf: ShapeOf,
  isKnown: (type: string) => boolean,
): SlotNames {
  const slots = new Map(
    graph.nodes.map(({ id, type, outputs }) => [
      String(id),
      {
        names: (shapeOf(type)?.outputs ?? outputs ?? []).map((output) => output.name),
        isUnsure: !isKnown(type),
      },
    ]),
  );
  const edge = { names: (scope?.inputs ?? []).map(({ name }) => name), isUnsure: false };
  return (node) => (node === subgraphInput ? edge : (slots.get(node) ?? { names: [], isUnsure: false }));
}

/**
 * A slot is told unless the node has just this one, or it is the only one that is called like the input; of a type that is
 * not installed always, by name and place.
 */
function sourceOf(link: UiLinkObject, input: string, slots: SlotNames): CompactSource {
  const node = String(link.origin_id) === inputEdgeId ? subgraphInput : String(link.origin_id);
  return sourceNamed(node, slots(node), link.origin_slot, input);
}

export function sourceNamed(
  node: NodeId,
  { names, isUnsure }: ReturnType<SlotNames>,
  output: number,
  input: string,
): CompactSource {
  if (!isUnsure && plainSlot(names, input) === output) return { node };
  const name = names[output];
  const isClear = name !== undefined && name !== "" && names.filter((each) => each === name).length === 1;
  const place = `#${output}`;
  return { node, slot: isClear ? `${name}${isUnsure ? place : ""}` : place };
}

/** The slot that is meant where none is named. */
export function plainSlot(names: readonly string[], input: string): number | undefined {
  if (names.length === 1) return 0;
  const lower = input.toLowerCase();
  const alike = names.flatMap((name, index) => (name.toLowerCase() === lower ? [index] : []));
  return alike.length === 1 ? alike[0] : undefined;
}

function linksById(graph: UiGraph): ReadonlyMap<string, UiLinkObject> {
  return new Map(graph.links.map((link) => linkObject(link)).map((link) => [String(link.id), link]));
}
