/** What a model calls a node, a slot or a widget, found in the graph; errors name what there is instead. */

import type { Comfy } from "../../comfy/bridge";
import { subgraphWord } from "../../graph/compact/write";
import { frameOf } from "../../graph/frames";
import type {
  Graph,
  GraphGroup,
  GraphInput,
  GraphNode,
  GraphOutput,
  GraphWidget,
  NodeId,
  Place,
} from "../../graph/graph";
import { inReadingOrder } from "../../graph/readingOrder";
import { seen, seenId } from "../../shared/quoted";
import { noSuchNode, notThere, ToolError } from "../toolError";
import { closest } from "../values/closest";

/**
 * By id, else by title, type, or either in other letter case where just one node fits. `elsewhere` finds nodes of other
 * graphs that could be meant.
 */
export function nodeReferred(
  graph: Graph,
  reference: string,
  elsewhere: (reference: string) => readonly GraphNode[] = () => [],
): GraphNode {
  const [node, ...others] = nodesReferred(graph, reference);
  if (node && others.length === 0) return node;
  const wanted = reference.trim();
  if (node)
    throw new ToolError(
      `"${wanted}" fits ${others.length + 1} nodes: ${named([node, ...others])}.`,
      "Use the id.",
    );
  const [group] = groupsReferred(graph, wanted);
  if (group)
    throw notThere(
      `"${wanted}" is a group and no node.`,
      group.nodes.length > 0 ? `Name the nodes in it: ${group.nodes.join(", ")}.` : "No node lies in it.",
    );
  const there = elsewhere(wanted);
  const [only] = there.length === 1 ? there : [];
  throw noSuchNode(
    `There is no node "${wanted}" in the open graph.`,
    there.length > 0
      ? `Elsewhere in the workflow: ${named(there.slice(0, 6))}. Use the path.`
      : nodesHint(graph, wanted),
    only && { node: pathWord(only) },
  );
}

/**
 * The groups of that title, in any letter case and with any blanks, also as `group "Upscale"`; more than one where
 * several share it, of which `Upscale (2)` is the second as they lie on the canvas.
 */
export function groupsReferred(graph: Graph, wanted: string): GraphGroup[] {
  const titled = groupsTitled(graph, wanted);
  const [, title = "", place] = /^(.*?)\s*\((\d+)\)("?)$/s.exec(wanted.trim()) ?? [];
  if (titled.length > 0 || place === undefined) return titled;
  const quote = wanted.trim().endsWith('"') ? '"' : "";
  return groupsTitled(graph, `${title}${quote}`).slice(Number(place) - 1, Number(place));
}

/** `"Upscale (1)" has 1 2, "Upscale (2)" has 3`: how to name these. */
export function groupPlaces(groups: readonly GraphGroup[]): string {
  return groups
    .map(
      ({ title, nodes }, index) =>
        `${JSON.stringify(`${title} (${index + 1})`)} has ${nodes.join(" ") || "no node"}`,
    )
    .join(", ");
}

/** As they lie on the canvas. */
function groupsTitled(graph: Graph, wanted: string): GraphGroup[] {
  const { groups } = graph;
  const spelling = (text: string) => text.trim().replace(/\s+/g, " ").toLowerCase();
  const title = wanted
    .trim()
    .replace(/^group\s+/i, "")
    .replace(/^"(.*)"$/s, "$1");
  const ways: ((group: GraphGroup) => boolean)[] = [
    (group) => group.title === wanted.trim() || group.title === title,
    (group) => [spelling(wanted), spelling(title)].includes(spelling(group.title)),
  ];
  const found = ways.map((fits) => groups.filter(fits)).find((each) => each.length > 0) ?? [];
  return found.length < 2
    ? found
    : inReadingOrder(
        found,
        ({ bounds, nodes }) => bounds ?? (nodes.length > 0 ? frameOf(graph, nodes) : undefined),
      );
}

/** All that the most exact way finds. */
export function nodesReferred(graph: Graph, reference: string): GraphNode[] {
  const wanted = reference.trim();
  const id = wanted.replace(/^(?:node\s*)?#?\s*(?=\d+$)/i, "");
  const byId = graph.nodes.find((node) => node.id === id);
  if (byId) return [byId];
  const lower = wanted.toLowerCase();
  const ways: ((node: GraphNode) => boolean)[] = [
    (node) => node.title === wanted,
    (node) => node.type === wanted,
    (node) => node.title.toLowerCase() === lower || node.type.toLowerCase() === lower,
  ];
  for (const fits of ways) {
    const found = graph.nodes.filter(fits);
    if (found.length > 0) return found;
  }
  return [];
}

/** The node as it is after an edit. */
export function nodeAfterEdit(comfy: Comfy, id: NodeId): GraphNode {
  const node = comfy.node(id);
  if (!node) throw new ToolError(`Node ${id} is gone from the open graph.`, "Call getWorkflowInfo.");
  return node;
}

export interface SlotReferred<Slot> {
  slot: Slot;
  index: number;
}

export function outputReferred(node: GraphNode, reference: string): SlotReferred<GraphOutput> {
  return slotReferred(node, node.outputs, reference, "output");
}

export function inputReferred(node: GraphNode, reference: string): SlotReferred<GraphInput> {
  return slotReferred(node, node.inputs, reference, "input");
}

export function widgetReferred(node: GraphNode, reference: string): GraphWidget {
  const wanted = reference.trim();
  const found = widgetNamed(node, wanted);
  if (found) return found;
  if (node.inputs.some((input) => input.name === wanted))
    throw new ToolError(
      `"${wanted}" of ${nodeName(node)} is an input without a widget.`,
      "Connect another node's output to it with connectNodes.",
    );
  throw notThere(
    `${nodeName(node)} has no widget "${wanted}".`,
    node.widgets.length === 0
      ? "It has no widgets at all."
      : `${nearest(wanted, node.widgets.flatMap(namesOf))}Its widgets: ${node.widgets.map(labelled).join(", ")}.`,
  );
}

export function widgetNamed({ widgets }: GraphNode, reference: string): GraphWidget | undefined {
  const wanted = reference.trim();
  const seen = widgets.filter(({ isHidden }) => !isHidden);
  const of = (all: readonly GraphWidget[]) =>
    all.find(({ name }) => name === wanted) ?? calledAlike(all, wanted);
  return of(seen) ?? of(widgets);
}

interface Named {
  name: string;
  label?: string;
}

/**
 * The only one that has this name or label, in whichever case, with blanks or with underscores; else the only one whose
 * name ends with it, as `resize_type.width` does with `width`.
 */
function calledAlike<Each extends Named>(all: readonly Each[], wanted: string): Each | undefined {
  const spelling = (text: string) => text.toLowerCase().replace(/[\s_-]+/g, "_");
  const isAlike = (text: string | undefined) => text !== undefined && spelling(text) === spelling(wanted);
  const ends = ({ name }: Named) => spelling(name).endsWith(`.${spelling(wanted)}`);
  return (
    only(all.filter(({ name }) => isAlike(name))) ??
    only(all.filter(({ label }) => isAlike(label))) ??
    only(all.filter(ends))
  );
}

function namesOf({ name, label }: Named): string[] {
  return label === undefined ? [name] : [name, label];
}

function labelled({ name, label }: Named): string {
  return label === undefined ? name : `${name} "${label}"`;
}

/** `KSampler (node 3)`, as results and errors speak of a node. */
export function nodeName(node: GraphNode): string {
  const path = pathWord(node);
  return path.startsWith(unnamed) ? `the new ${typeWord(node)}` : `${typeWord(node)} (node ${path})`;
}

/** Begins the id of a node that a batch adds without a name: nobody has seen it, and it is no name that one may give. */
export const unnamed = "+";

/** The same in a question: a name that the workflow gave can neither end our quotes nor go on for ever. */
export function nodeNameAsked(node: GraphNode): string {
  const word = node.subgraph ? `Subgraph “${seen(node.subgraph.name)}”` : seen(node.type);
  return `${word} (${seenId(pathWord(node))})`;
}

export function typeWord({ type, subgraph }: GraphNode): string {
  return subgraph ? subgraphWord(subgraph.name) : type;
}

export function pathWord({ id, path = id }: GraphNode): string {
  return path;
}

/** Appended to summaries with plain ids of the open graph, so that nobody takes a subgraph for the whole workflow. */
export function whereabouts(comfy: Comfy, place: Place = comfy.openPlace()): string {
  const scope = comfy.scope();
  if (place.join() !== comfy.openPlace().join()) return "";
  return scope.kind === "subgraph" ? ` (inside the open subgraph "${scope.name}")` : "";
}

function slotReferred<Slot extends Named & { type: string }>(
  node: GraphNode,
  slots: readonly Slot[],
  reference: string,
  side: "input" | "output",
): SlotReferred<Slot> {
  const wanted = reference.trim();
  const lower = wanted.toLowerCase();
  const all = slots.map((slot, index) => ({ slot, index }));
  const alike = calledAlike(slots, wanted);
  const byIndex = /^\d+$/.test(wanted) ? all[Number(wanted)] : undefined;
  const found =
    all.find(({ slot }) => slot.name === wanted) ??
    all.find(({ slot, index }) => `${slot.name}#${index}` === wanted || `#${index}` === wanted) ??
    byIndex ??
    (alike && all.find(({ slot }) => slot === alike)) ??
    only(all.filter(({ slot }) => slot.type.toLowerCase() === lower));
  if (found) return found;
  if (slots.length === 0) throw new ToolError(`${nodeName(node)} has no ${side}s.`);
  throw notThere(
    `${nodeName(node)} has no ${side} "${wanted}".`,
    `${nearest(wanted, slots.flatMap(namesOf))}Its ${side}s: ${slots.map(slotWords).join(", ")}.`,
  );
}

export function slotWords({ name, label, type }: Named & { type: string }): string {
  const word = labelled({ name, label });
  return name === type ? word : `${word} (${type})`;
}

function nodesHint(graph: Graph, wanted: string): string {
  if (graph.nodes.length === 0) return "The graph is empty. Add nodes with addNode.";
  if (graph.nodes.length <= 12) return `Nodes: ${named(graph.nodes)}.`;
  const near = closest(
    wanted,
    graph.nodes.flatMap((node) => [node.title, node.type]),
    1,
  );
  const fitting = graph.nodes.filter((node) => near.includes(node.title) || near.includes(node.type));
  return fitting.length > 0
    ? `Closest: ${named(fitting.slice(0, 6))}.`
    : "Call getWorkflowInfo to see the nodes and their ids.";
}

function named(nodes: readonly GraphNode[]): string {
  return nodes
    .map((node) => {
      const isOwn = node.title !== node.defaultTitle && node.title !== node.subgraph?.name;
      return `${pathWord(node)} ${typeWord(node)}${isOwn ? ` "${node.title}"` : ""}`;
    })
    .join(", ");
}

function nearest(wanted: string, names: readonly string[]): string {
  const [best] = closest(wanted, names, 1);
  return best === undefined ? "" : `Closest: ${best}. `;
}

function only<Item>(items: readonly Item[]): Item | undefined {
  return items.length === 1 ? items[0] : undefined;
}
