/** Which nodes of the open workflow a reading is of. */

import type { Comfy } from "../../comfy/bridge";
import { graphAt } from "../../graph/compact/part";
import { nodesOfPart } from "../../graph/compact/parts";
import { instancePaths } from "../../graph/compact/workflow";
import type { NodeId, Place } from "../../graph/graph";
import { ToolError } from "../tool";
import { idNamed, pathNamed } from "./givenNames";
import type { Sight } from "./known";
import { nodeReferred } from "./references";
import { look } from "./sight";

/** The nodes of a group, chain or subgraph of that name, unless a node goes by it. */
export function partMeant(comfy: Comfy, { workflow }: Sight, reference: string): string[] | undefined {
  const name = reference.trim();
  if (/^[\d:#]+$/.test(name) || comfy.graph().nodes.some(({ title }) => title === name)) return undefined;
  const graph = graphAt(workflow, openPlace(comfy, workflow));
  return graph && nodesOfPart(workflow, graph, name);
}

interface NodeMeant {
  place: Place | undefined;
  id: NodeId;
}

/** Where a subgraph is that readings call `S4`: one of its places, which share what is inside. */
export function placeOfKey(comfy: Comfy, key: string): Place | undefined {
  if (!/^S\d+$/.test(key)) return undefined;
  return instancePaths(look(comfy).workflow).get(key)?.[0]?.split(":");
}

/** Where an id is that one subgraph alone has. */
function placeInside(comfy: Comfy, id: NodeId): Place | undefined {
  const { workflow } = look(comfy);
  const [only, ...others] = workflow.subgraphs.filter(({ nodes }) => nodes.some((node) => node.id === id));
  return only && others.length === 0 ? placeOfKey(comfy, only.key) : undefined;
}

/**
 * By the name that a batch gave, by a path such as `12:3` or `S4:3`, else by id or title in the open graph, else by id in the workflow's own or the only
 * subgraph that has it.
 */
export function placeMeant(comfy: Comfy, reference: string): NodeMeant {
  const path = reference
    .trim()
    .replace(/^(?:node\s*)?#?/i, "")
    .split(":");
  const [first = "", ...others] = path;
  const named = pathNamed(comfy, reference.trim());
  if (named) return { place: named.slice(0, -1), id: named.at(-1) ?? "" };
  if (others.length > 0 && path.every((part) => /^\w+$/.test(part))) {
    const outer = pathNamed(comfy, first) ?? placeOfKey(comfy, first) ?? [first];
    const place = [...outer, ...others.slice(0, -1)];
    const last = others.at(-1) ?? "";
    return { place, id: idNamed(comfy, place, last) ?? last };
  }
  const isOpen = nodeAt(comfy, undefined, first) !== undefined;
  const place = isOpen ? undefined : nodeAt(comfy, [], first) ? [] : placeInside(comfy, first);
  return place ? { place, id: first } : { place: undefined, id: nodeReferred(comfy.graph(), reference).id };
}

export function nodeMeant(comfy: Comfy, reference: string) {
  const { place, id } = placeMeant(comfy, reference);
  const node = nodeAt(comfy, place, id);
  if (node) return { node, place: place ?? comfy.openPlace(), path: place ? [...place, id].join(":") : id };
  throw new ToolError(
    `There is no node "${reference}".`,
    "Call getWorkflowInfo to see the nodes and their ids.",
  );
}

function nodeAt(comfy: Comfy, place: Place | undefined, id: NodeId) {
  try {
    return comfy.node(id, place);
  } catch {
    return undefined;
  }
}

/** One of the places where the graph on the canvas is. */
export function openPlace(comfy: Comfy, workflow: Sight["workflow"]): Place {
  const scope = comfy.scope();
  if (scope.kind === "workflow") return [];
  const subgraph = workflow.subgraphs.find(({ id }) => id === scope.id);
  return (subgraph && instancePaths(workflow).get(subgraph.key)?.[0]?.split(":")) ?? [];
}
