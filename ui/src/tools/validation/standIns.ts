/** Which installed types may stand in for one that is not: those of a like name that take and give what its node does. */

import type { NodeDefinition } from "../../comfy/bridge";
import { possibleInputs } from "../../comfy/inputsInForce";
import { findNode, type Graph, type GraphNode, type NodeId } from "../../graph/graph";
import { acceptsType } from "../../graph/slotTypes";
import { closestNames } from "../values/closest";
import { type Installed, nodeAt, placeOf } from "./canvas";

const mostNamed = 5;
const mostOfLikeName = 20;

/** The likest name first, of those whose slots fit most of the node's links; a deprecated one where no other does. */
export function standIns(id: NodeId, type: string, installed: Installed): string[] {
  const graph = installed.graphAt(placeOf(id));
  const node = nodeAt(installed, id);
  const links = graph && node ? linksOf(graph, node) : { taken: [], given: [] };
  const isDeprecated = (name: string) => installed.definitionOf(name)?.isDeprecated === true;
  const near = (isMeant: (name: string) => boolean) =>
    closestNames(type, installed.types().filter(isMeant), mostOfLikeName).map((name) => ({
      name,
      fits: fittingLinks(installed.definitionOf(name), links),
    }));
  const [current, old] = [near((name) => !isDeprecated(name)), near(isDeprecated)];
  const most = Math.max(...[...current, ...old].map(({ fits }) => fits));
  const fitting = [current, old].map((found) => found.filter(({ fits }) => fits === most));
  return (fitting.find((found) => found.length > 0) ?? []).slice(0, mostNamed).map(({ name }) => name);
}

/** Types: of what comes into a node, and of the inputs that take from it. */
interface Links {
  taken: readonly string[];
  given: readonly string[];
}

function linksOf(graph: Graph, { inputs, outputs }: GraphNode): Links {
  return {
    taken: inputs.flatMap(({ linkedFrom: from, type }) =>
      from ? [findNode(graph, from.node)?.outputs[from.output]?.type ?? type] : [],
    ),
    given: outputs.flatMap(({ linkedTo, type }) =>
      linkedTo.map((to) => findNode(graph, to.node)?.inputs[to.input]?.type ?? type),
    ),
  };
}

/** Each slot that takes a link is one link's; an output may feed any number. */
function fittingLinks(definition: NodeDefinition | undefined, { taken, given }: Links): number {
  const free = possibleInputs(definition).map(({ type }) => type);
  const fed = taken.filter((type) => {
    const at = free.findIndex((input) => acceptsType(input, type));
    if (at >= 0) free.splice(at, 1);
    return at >= 0;
  });
  const outputs = definition?.outputs ?? [];
  return fed.length + given.filter((type) => outputs.some((output) => acceptsType(type, output.type))).length;
}
