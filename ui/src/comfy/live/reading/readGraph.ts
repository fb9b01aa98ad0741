/** The graph on the canvas, read into plain data. */

import type {
  Graph,
  GraphGroup,
  GraphInput,
  GraphNode,
  GraphOutput,
  GraphWidget,
  LinkSource,
  LinkTarget,
  NodeId,
  Place,
  Rectangle,
  SavedValues,
  Scope,
  SubgraphOfNode,
} from "../../../graph/graph";
import { subgraphInput, subgraphOutput } from "../../../graph/graph";
import { withLater } from "../../../graph/laterFields";
import { membersAmong } from "../../../graph/placement";
import { inputEdgeId, labelOf, nodeMode, outputEdgeId, rectangle } from "../../../graph/uiWorkflow";
import type { InputDefinition, WidgetValues } from "../../bridge";
import { inputNamed, isOptionalInput, rowOf } from "../../inputsInForce";
import { makeBlankNode } from "../editing/blankNode";
import { setWidgets } from "../editing/setWidget";
import { awaitsChoices } from "../files/fetchedLists";
import type { LiveGraph, LiveInput, LiveLink, LiveNode, LivePort, LiveType, LiveWidget, Page } from "../page";
import { graphAt, graphFound, liveNode, openGraph, rootGraph } from "../page";
import { readDefinition } from "./definition";
import { drawnSize, heldNode, leastSize } from "./drawnSize";
import { followsIn } from "./follows";
import { priceOf } from "./price";
import { shownWidgets } from "./promotion";
import { placeInto, slotLinks } from "./slotLinks";
import { choicesOf, heldValue, jsonOf } from "./values";
import { holdsValue, isShown, kindOf, widgetName } from "./widgets";

const optionalShape = 7;

/**
 * `isBrief`: groups, and slots, widgets and size of a node are read when they are asked for, which is right until the
 * graph is changed.
 */
export function readGraph(page: Page, place?: Place, { isBrief = false } = {}): Graph {
  const graph = graphAt(page, place);
  const around = { links: slotLinks(graph), followed: followsIn(graph), isBrief };
  const rest = {
    scope: readScope(page, place),
    nodes: graph.nodes.map((node) => readNode(page, graph, node, around)),
    selection: graph === openGraph(page) ? selectedNodes(page, graph) : [],
  };
  const parts = { groups: () => readGroups(graph) };
  return isBrief ? withLater(rest, parts) : { ...rest, groups: parts.groups() };
}

/** Groups and points of links can be selected, too. */
function selectedNodes({ app: { canvas } }: Page, graph: LiveGraph): NodeId[] {
  return [...(canvas.selectedItems ?? [])]
    .flatMap((item) => ("inputs" in item ? String(item.id) : []))
    .filter((id) => liveNode(graph, id));
}

function readGroups({ nodes, groups = [] }: LiveGraph): GraphGroup[] {
  const membersOf = membersAmong(nodes.map(heldNode));
  return groups.map((group) => {
    const bounds = boxOf(group);
    const { title, color } = group;
    return { title, nodes: membersOf(bounds), bounds, ...(color && { color }) };
  });
}

export function readOneNode(page: Page, id: NodeId, place?: Place): GraphNode | undefined {
  const graph = graphFound(page, place);
  const node = graph && liveNode(graph, id);
  return node && readNode(page, graph, node);
}

export function readBlankNode(page: Page, type: string, values: WidgetValues = []): GraphNode | undefined {
  const node = makeBlankNode(page, type);
  if (!node) return undefined;
  setWidgets(page, node, values);
  const leastHeight = drawnSize(page, node, leastSize(node)).height;
  return { ...readNode(page, rootGraph(page), node), leastHeight };
}

export function readScope(page: Page, place?: Place): Scope {
  const graph = graphAt(page, place);
  if (graph === rootGraph(page)) return { kind: "workflow" };
  return {
    kind: "subgraph",
    id: String(graph.id),
    name: graph.name ?? "subgraph",
    inputs: (graph.inputs ?? []).map((port) => ({
      name: port.name,
      ...labelOf(port),
      type: typeName(port.type),
    })),
    outputs: (graph.outputs ?? []).map((port) => {
      const linkedFrom = linkSource(graph, graph.getLink(port.linkIds[0]));
      return {
        name: port.name,
        ...labelOf(port),
        type: typeName(port.type),
        ...(linkedFrom && { linkedFrom }),
      };
    }),
  };
}

function readNode(
  page: Page,
  graph: LiveGraph,
  node: LiveNode,
  { links = slotLinks(graph), followed = followsIn(graph), isBrief = false } = {},
): GraphNode {
  const isSubgraph = node.isSubgraphNode?.() ?? false;
  const price = priceOf(node);
  const follows = followed(node);
  const isInstalled = isSubgraph || Object.hasOwn(page.liteGraph.registered_node_types, node.type);
  const parts = {
    size: () => drawnSize(page, node),
    inputs: () => {
      const definition = readDefinition(node.type, "", node.constructor.nodeData);
      return (node.inputs ?? []).map((input, index): GraphInput => {
        const linkedFrom = linkSource(graph, links.into(node.id, index, input));
        const row = definition && rowOf(definition, input.name);
        return {
          name: input.name,
          ...portLabel(node.subgraph?.inputs, input.name),
          type: typeName(input.type),
          isWidget: input.widget !== undefined && input.widget !== null,
          isOptional: isOptional(node, input),
          ...(row !== undefined && { row }),
          ...(linkedFrom && { linkedFrom }),
        };
      });
    },
    outputs: () =>
      (node.outputs ?? []).map(
        (output, index): GraphOutput => ({
          name: output.name,
          ...portLabel(node.subgraph?.outputs, output.name),
          type: typeName(output.type),
          linkedTo: links.outOf(node.id, index, output).map((link) => linkTarget(graph, link)),
        }),
      ),
    widgets: () => {
      const definition = readDefinition(node.type, "", node.constructor.nodeData);
      const declared = (name: string) => definition && inputNamed(definition, name);
      return (isInstalled ? (node.widgets ?? []) : [])
        .filter((widget) => holdsValue(node, widget))
        .map((widget, index) => readWidget(node, widget, index, declared(widget.name)));
    },
  };
  const rest = {
    id: String(node.id),
    type: node.type,
    title: node.title ?? "",
    defaultTitle: node.constructor.title ?? node.type,
    mode: nodeMode(node.mode),
    isInstalled,
    ...(!isInstalled && {
      savedValues: savedValues(node),
      leastHeight: drawnSize(page, node, leastSize(node)).height,
    }),
    position: { x: node.pos[0] ?? 0, y: node.pos[1] ?? 0 },
    ...(node.color && { color: node.color }),
    ...(price && { price }),
    ...(follows.length > 0 && { follows }),
    ...(isSubgraph && { subgraph: readSubgraph(node) }),
  };
  if (isBrief) return withLater(rest, parts);
  return {
    ...rest,
    size: parts.size(),
    inputs: parts.inputs(),
    outputs: parts.outputs(),
    widgets: parts.widgets(),
  };
}

/** What a slot of a subgraph is called there; slots of other nodes have labels too, in the person's language. */
function portLabel(ports: readonly LivePort[] | undefined, name: string): { label?: string } {
  return labelOf(ports?.find((port) => port.name === name));
}

function savedValues({ last_serialization: saved }: LiveNode): SavedValues {
  return (jsonOf(saved?.widgets_values) ?? []) as SavedValues;
}

/** An input of a subgraph is, where everything is that it feeds inside; each is looked at once. */
function isOptional(node: LiveNode, { name, shape }: LiveInput, seen = new Set<LivePort>()): boolean {
  const { subgraph } = node;
  if (subgraph) {
    const port = subgraph.inputs?.find((input) => input.name === name);
    if (!port || seen.has(port)) return true;
    seen.add(port);
    return (port.linkIds ?? []).every((id) => {
      const link = subgraph.getLink(id);
      const target = link && liveNode(subgraph, String(link.target_id));
      const fed = target?.inputs?.[link?.target_slot ?? 0];
      return !target || !fed || Boolean(fed.widget) || isOptional(target, fed, seen);
    });
  }
  const definition = readDefinition(node.type, "", node.constructor.nodeData);
  return shape === optionalShape || !definition || isOptionalInput(definition, name);
}

function readSubgraph(node: LiveNode): SubgraphOfNode {
  const shown = shownWidgets(node);
  return {
    id: String(node.subgraph?.id ?? node.type),
    name: node.subgraph?.name ?? node.title,
    ...(shown.length > 0 && { shown }),
  };
}

function readWidget(
  node: LiveNode,
  widget: LiveWidget,
  index: number,
  declared: InputDefinition | undefined,
): GraphWidget {
  const options = widget.options ?? {};
  const kind = kindOf(widget, declared);
  const hasOpenChoices = kind === "choice" && typeof options.values === "function";
  const choices =
    kind === "choice" && (!hasOpenChoices || node.graph) ? liveChoices(node, widget) : undefined;
  const isNumeric = kind === "integer" || kind === "number";
  const usual = declared?.default ?? (widget.name === "control_after_generate" ? "randomize" : undefined);
  const step = declared?.step ?? options.step2;
  return {
    name: widgetName(node, widget, index),
    ...portLabel(node.subgraph?.inputs, widget.name),
    kind,
    value: heldValue(widget),
    ...(usual !== undefined && { default: usual }),
    ...(choices && { choices }),
    ...(hasOpenChoices && { hasOpenChoices }),
    ...(kind === "choice" && awaitsChoices(node, widget) && { awaitsChoices: true }),
    ...(kind === "other" && node.isVirtualNode && !node.subgraph && { isForClicks: true }),
    ...(isShown(node, widget) && { isShown: true }),
    ...(declared && widget.options?.hidden && { isHidden: true }),
    ...(declared?.isColor && { isColor: true }),
    ...(isNumeric && options.min !== undefined && { min: options.min }),
    ...(isNumeric && options.max !== undefined && { max: options.max }),
    ...(isNumeric && step !== undefined && { step }),
  };
}

function liveChoices(node: LiveNode, widget: LiveWidget): GraphWidget["choices"] {
  const values = widget.options?.values;
  try {
    return choicesOf(typeof values === "function" ? values(widget, node) : values);
  } catch {
    return undefined;
  }
}

function linkSource(graph: LiveGraph, link: LiveLink | null | undefined): LinkSource | undefined {
  if (!link) return undefined;
  if (String(link.origin_id) === inputEdgeId)
    return {
      node: subgraphInput,
      output: link.origin_slot,
      name: graph.inputs?.[link.origin_slot]?.name ?? String(link.origin_slot),
    };
  const origin = liveNode(graph, String(link.origin_id));
  return {
    node: String(link.origin_id),
    output: link.origin_slot,
    name: origin?.outputs?.[link.origin_slot]?.name ?? String(link.origin_slot),
  };
}

function linkTarget(graph: LiveGraph, link: LiveLink): LinkTarget {
  const { target_id, target_slot: slot } = link;
  if (String(target_id) === outputEdgeId)
    return { node: subgraphOutput, input: slot, name: graph.outputs?.[slot]?.name ?? String(slot) };
  const target = liveNode(graph, String(target_id));
  const place = target ? placeInto(target, link) : slot;
  return { node: String(target_id), input: place, name: target?.inputs?.[place]?.name ?? String(place) };
}

function typeName(type: LiveType): string {
  return type === 0 || type === "" ? "*" : String(type);
}

function boxOf({ pos, size }: Pick<LiveNode, "pos" | "size">): Rectangle {
  return rectangle(pos, size);
}
