/** What a batch has changed, told from the graphs as they were and as they are. */

import type { ChangeMarks, Comfy, MarkedNode } from "../../comfy/bridge";
import { cut } from "../../graph/compact";
import { findNode, type Graph, type GraphNode, type Json, type NodeId, type Place } from "../../graph/graph";

/** A graph as it was. */
export interface GraphBefore {
  place: Place;
  before: Graph;
}

export interface NodeChange {
  place: Place;
  node: GraphNode;
  /** `steps=20→30`, `model<4.MODEL`, `bypassed`; empty for nodes that are new or gone. */
  what: string[];
  /** Inputs into which a link was drawn. */
  linked: string[];
}

export interface Outcome {
  added: NodeChange[];
  changed: NodeChange[];
  removed: NodeChange[];
}

/** `isSame` tells whether a node is still what had its id before. */
export function outcomeOf(
  comfy: Comfy,
  graphs: Iterable<GraphBefore>,
  isSame: (was: GraphNode, is: GraphNode) => boolean = () => true,
): Outcome {
  const outcome: Outcome = { added: [], changed: [], removed: [] };
  for (const { place, before } of graphs) {
    const after = graphStillAt(comfy, place);
    if (!after) continue;
    const stays = (was: GraphNode | undefined, is: GraphNode | undefined) =>
      was !== undefined && is !== undefined && isSame(was, is);
    for (const node of after.nodes) {
      const earlier = findNode(before, node.id);
      const was = stays(earlier, node) ? earlier : undefined;
      const what = was ? differences(was, node) : [];
      const linked = linkedInputs(was, node);
      if (!was) outcome.added.push({ place, node, what, linked });
      else if (what.length > 0) outcome.changed.push({ place, node, what, linked });
    }
    for (const node of before.nodes)
      if (!stays(node, findNode(after, node.id))) outcome.removed.push({ place, node, what: [], linked: [] });
  }
  return outcome;
}

export function marksOf({ added, changed }: Outcome): ChangeMarks {
  const marked = ({ place, node, linked }: NodeChange): MarkedNode => ({
    place,
    node: node.id,
    inputs: linked,
  });
  return { added: added.map(marked), changed: changed.map(marked) };
}

/** For results, where the panel finds what to list. Plain ids are those of the graph at `open`. */
export function changesData({ added, changed, removed }: Outcome, open: Place) {
  return {
    added: added.map((change) => nodeWord(change, open)),
    changed: changed.map((change) => `${nodeWord(change, open)} ${change.what.join(" ")}`),
    removed: removed.map((change) => nodeWord(change, open)),
  };
}

function graphStillAt(comfy: Comfy, place: Place): Graph | undefined {
  try {
    return comfy.graph(place);
  } catch {
    return undefined;
  }
}

/** Links count where they come in; where a node's outputs go shows at the other end. */
function differences(was: GraphNode, is: GraphNode): string[] {
  return [
    ...(was.type === is.type ? [] : [`${was.type}→${is.type}`]),
    ...(ownTitle(was) === ownTitle(is) ? [] : [`title ${JSON.stringify(is.title)}`]),
    ...(was.mode === is.mode ? [] : [is.mode]),
    ...(was.color === is.color ? [] : [`color ${is.color ?? "none"}`]),
    ...(was.position.x === is.position.x && was.position.y === is.position.y ? [] : ["moved"]),
    ...is.inputs.flatMap((input) => {
      const before = sourceWord(was.inputs.find(({ name }) => name === input.name));
      const after = sourceWord(input);
      return before === after ? [] : [`${input.name}<${after}`];
    }),
    ...(is.subgraph ? slotChanges(was, is) : []),
    ...is.widgets.flatMap(({ name, value }) => {
      const before = was.widgets.find((widget) => widget.name === name)?.value;
      return before === undefined || JSON.stringify(before) === JSON.stringify(value)
        ? []
        : [`${name}=${valueWord(before)}→${valueWord(value)}`];
    }),
  ];
}

/** `+seed`, `-IMAGE`: what the node of a subgraph shows now, and what no more. */
function slotChanges(was: GraphNode, is: GraphNode): string[] {
  const names = ({ inputs, outputs, widgets }: GraphNode) => [
    ...new Set([...inputs, ...widgets, ...outputs].map(({ name }) => name)),
  ];
  const [before, after] = [names(was), names(is)];
  return [
    ...after.filter((name) => !before.includes(name)).map((name) => `+${name}`),
    ...before.filter((name) => !after.includes(name)).map((name) => `-${name}`),
  ];
}

function linkedInputs(was: GraphNode | undefined, is: GraphNode): string[] {
  return is.inputs
    .filter((input) => {
      const before = was?.inputs.find(({ name }) => name === input.name);
      return input.linkedFrom && sourceWord(before) !== sourceWord(input);
    })
    .map(({ name }) => name);
}

function ownTitle({ title, defaultTitle }: GraphNode): string | undefined {
  return title === defaultTitle ? undefined : title;
}

function sourceWord(input: GraphNode["inputs"][number] | undefined): string {
  return input?.linkedFrom ? `${input.linkedFrom.node}.${input.linkedFrom.name}` : "?";
}

function valueWord(value: Json): string {
  return cut(JSON.stringify(value), 60);
}

/** `5 VAEDecode`, inside a subgraph `12:5 VAEDecode`. */
export function nodeWord({ place, node }: { place: Place; node: GraphNode }, open: Place): string {
  const type = node.subgraph ? `Subgraph "${node.subgraph.name}"` : node.type;
  return `${pathWord(place, node.id, open)} ${type}`;
}

export function pathWord(place: Place, id: NodeId, open: Place): string {
  if (place.join() === open.join()) return id;
  return place.length === 0 ? `/${id}` : [...place, id].join(":");
}

/** Required inputs without a source, and nodes that nothing uses, among these. */
export function looseEnds(
  changes: readonly NodeChange[],
  isNew: (id: NodeId) => boolean,
  open: Place,
): string[] {
  return changes.flatMap(({ place, node }) => {
    if (node.mode !== "active") return [];
    const path = pathWord(place, node.id, open);
    const inputs = node.inputs
      .filter((input) => !input.isWidget && !input.isOptional && !input.linkedFrom)
      .map(({ name, type }) => `${path}.${name} (${type}) needs a source`);
    const isUsed = node.outputs.some(({ linkedTo }) => linkedTo.length > 0);
    const outputs =
      isNew(node.id) && node.outputs.length > 0 && !isUsed
        ? [`${path} is used by nothing: ${node.outputs.map(({ name }) => name).join(", ")}`]
        : [];
    return [...inputs, ...outputs];
  });
}
