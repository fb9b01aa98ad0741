/** Which nodes of the open workflow a reading is of. */

import type { Comfy } from "../../comfy/bridge";
import { graphAt } from "../../graph/compact/part";
import { nodesOfPart } from "../../graph/compact/parts";
import { instancePaths } from "../../graph/compact/workflow";
import type { NodeId, Place } from "../../graph/graph";
import { ToolError } from "../tool";
import type { Sight } from "./known";
import { nodeReferred } from "./references";

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

/** By a path such as `12:3`, else by id or title in the open graph, else in the workflow's own. */
export function placeMeant(comfy: Comfy, reference: string): NodeMeant {
  const path = reference
    .trim()
    .replace(/^(?:node\s*)?#?/i, "")
    .split(":");
  if (path.length > 1 && path.every((part) => /^\w+$/.test(part)))
    return { place: path.slice(0, -1), id: path.at(-1) ?? "" };
  const isInRoot = nodeAt(comfy, [], path[0] ?? "") !== undefined && !nodeAt(comfy, undefined, path[0] ?? "");
  return isInRoot
    ? { place: [], id: path[0] ?? "" }
    : { place: undefined, id: nodeReferred(comfy.graph(), reference).id };
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
