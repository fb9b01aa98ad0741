/** What an edit has changed: told to the model, listed in the panel and marked on the canvas. */

import type { ChangeMarks, Comfy, MarkedNode } from "../../comfy/bridge";
import type { Changes, GroupChange, NodeChange } from "../../graph/compact/changes";
import { groupName, groupWords, pathOf, whatWords } from "../../graph/compact/changeWords";
import type { GraphInput, GraphNode, Place } from "../../graph/graph";
import { inputKey, type UnwiredLink } from "../../graph/unwired";
import type { ChangeKind, GraphChangesTold, NamedChanges } from "../../shared/graphChanges";

export interface Outcome {
  added: NodeChange[];
  changed: NodeChange[];
  removed: NodeChange[];
  groups: GroupChange[];
}

/** Of the texts in what a change is told as. */
export const reading = { valueLength: 60 };

/**
 * A graph that came or went with its subgraph's node is told by that node, and so is what went into one, or was bypassed
 * or muted with it.
 */
export function outcomeOf({ nodes, groups }: Changes): Outcome {
  const modes = new Map(
    nodes.flatMap((change) => {
      const mode = change.differences.flatMap((each) => (each.of === "mode" ? [each.after] : []))[0];
      return change.places.map((place) => [[...place, change.node].join(":"), mode] as const);
    }),
  );
  const isWithSubgraph = ({ places, differences: [only, ...others] }: NodeChange) =>
    only?.of === "mode" &&
    others.length === 0 &&
    places.every((place) =>
      place.some((_, count) => modes.get(place.slice(0, count + 1).join(":")) === only.after),
    );
  const kept = nodes.filter(
    (change) => change.isGraphKept && change.movedInto === undefined && !isWithSubgraph(change),
  );
  const ofKind = (kind: ChangeKind) => kept.filter((change) => change.kind === kind);
  return {
    added: ofKind("added"),
    changed: ofKind("changed"),
    removed: ofKind("removed"),
    groups: groups.filter(({ isGraphKept }) => isGraphKept),
  };
}

export function marksOf({ added, changed }: Outcome): ChangeMarks {
  const marked = (change: NodeChange): MarkedNode => ({
    place: change.places[0],
    node: change.node,
    inputs: inputsLinked(change),
  });
  const nodes = changed.filter(({ type }) => type !== undefined);
  return { added: added.map(marked), changed: nodes.map(marked) };
}

/** For results. Plain ids are those of the graph at `open`; of very many changes only so many of each kind. */
export function changesData(
  outcome: Outcome,
  open: Place,
  most = Number.POSITIVE_INFINITY,
): GraphChangesTold {
  const told = (kind: ChangeKind): NamedChanges => {
    const named = new Map<string, string>();
    for (const change of outcome[kind].slice(0, most))
      named.set(pathOf(change, open), whatWords(change, open, reading));
    for (const change of outcome.groups.filter((each) => each.kind === kind)) {
      const earlier = named.get(groupName(change));
      const words = groupWords(change, open);
      named.set(groupName(change), earlier === undefined ? words : `${earlier}; ${words}`);
    }
    return Object.fromEntries(named);
  };
  return { added: told("added"), changed: told("changed"), removed: told("removed") };
}

/** Inputs into which a link was drawn. */
function inputsLinked({ kind, after, differences }: NodeChange): string[] {
  if (kind === "added") return (after?.links ?? []).flatMap(({ input, unwired }) => (unwired ? [] : input));
  return differences.flatMap((difference) =>
    difference.of === "link" && difference.after ? [difference.input] : [],
  );
}

/** The inputs of a node that need a wire and have none. */
function openInputs({ inputs }: GraphNode): GraphInput[] {
  return inputs.filter((input) => !input.isWidget && !input.isOptional && !input.linkedFrom);
}

/** Required inputs without a source, and nodes that nothing uses, among these; `feeds` are the links without a wire. */
export function looseEnds(
  comfy: Comfy,
  changes: readonly NodeChange[],
  feeds: readonly UnwiredLink[],
  open: Place,
): string[] {
  const nodes = changes.flatMap((change) => {
    const node = comfy.node(change.node, change.places[0]);
    return node?.mode === "active" ? [{ change, node }] : [];
  });
  const fed = new Set(feeds.map(inputKey));
  return nodes.flatMap(({ change, node }) => {
    const path = pathOf(change, open);
    const inputs = openInputs(node)
      .filter(({ name }) => !fed.has(inputKey({ place: change.places[0], node: node.id, input: name })))
      .map(({ name, type }) => `${path}.${name} (${type}) needs a source`);
    const isUsed = node.outputs.some(({ linkedTo }) => linkedTo.length > 0);
    const outputs =
      change.kind === "added" &&
      node.outputs.length > 0 &&
      !isUsed &&
      !comfy.nodeDefinition(node.type)?.isOutput
        ? [`${path} is used by nothing: ${node.outputs.map(({ name }) => name).join(", ")}`]
        : [];
    return [...inputs, ...outputs];
  });
}
