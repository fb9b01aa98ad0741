/** Parts of the open workflow, line by line: what is around some nodes, and what is selected. */

import type { Comfy } from "../../comfy/bridge";
import { around, definitionAt, graphAt, onlyNodes } from "../../graph/compact/part";
import type { CompactGraph, CompactWorkflow } from "../../graph/compact/workflow";
import { graphLines, groupWord, type Reading } from "../../graph/compact/write";
import type { NodeId, Place } from "../../graph/graph";
import { ToolError } from "../tool";
import type { Form } from "./forms";
import { nodeKey, type Sight } from "./known";
import { openPlace, placeMeant } from "./nodesMeant";

type Listing = (reading: Reading) => Pick<Form, "entries" | "tells" | "distances">;

interface Asked {
  nodeIds: readonly string[];
  /** Those of them that were not asked for by a group or a subgraph: their groups are told. */
  named: readonly string[];
  /** Groups and subgraphs that hold nothing. */
  empty: readonly string[];
}

export function surroundings(
  comfy: Comfy,
  { workflow }: Sight,
  { nodeIds: references, named, empty }: Asked,
  depth: number,
): Listing {
  if (references.length === 0 && empty.length === 0)
    throw new ToolError("Around which nodes? No nodeIds were given.", "Pass the ids of one or a few nodes.");
  const groups = new Map<string, NodeId[]>();
  const remarks = empty.map((each) => `# ${each}: no nodes`);
  for (const reference of references) {
    const { place, id } = placeMeant(comfy, reference);
    const at = place ?? openPlace(comfy, workflow);
    const key = at.join(":");
    groups.set(key, [...(groups.get(key) ?? []), id]);
    const around = graphAt(workflow, at)?.groups.filter(({ nodes }) => nodes.includes(id)) ?? [];
    if (named.includes(reference) && around.length > 0)
      remarks.push(`# ${reference} in ${around.map(groupWord).join(", ")}`);
  }
  const parts = [...groups].map(([key, ids]): PartOfGraph => {
    const place = key === "" ? [] : key.split(":");
    const graph = graphAt(workflow, place);
    const missing = ids.find((id) => !graph?.nodes.some((node) => node.id === id));
    if (!graph || missing !== undefined)
      throw new ToolError(
        `There is no node ${missing ?? key}.`,
        "Call getWorkflowInfo to see the nodes and their ids.",
      );
    const near = around(graph, ids, depth);
    return { place, graph: onlyNodes(graph, near), distanceOf: (id) => near.get(id) ?? depth };
  });
  return withRemarks(remarks, listingOf(workflow, parts));
}

function withRemarks(remarks: readonly string[], listing: Listing): Listing {
  return (reading) => {
    const { entries, tells, distances } = listing(reading);
    return {
      entries: [...remarks, ...entries],
      ...(Array.isArray(tells) && { tells: [...remarks.map(() => undefined), ...tells] }),
      ...(distances && { distances: [...remarks.map(() => 0), ...distances] }),
    };
  };
}

export function selection(comfy: Comfy, { workflow }: Sight): Listing {
  const selected = new Set(comfy.graph().selection);
  const place = openPlace(comfy, workflow);
  const graph = graphAt(workflow, place);
  if (selected.size === 0 || !graph) return () => ({ entries: ["Nothing is selected."], tells: [] });
  return listingOf(workflow, [{ place, graph: onlyNodes(graph, selected) }]);
}

interface PartOfGraph {
  place: Place;
  graph: CompactGraph;
  /** In links from what was asked for. */
  distanceOf?(id: NodeId): number;
}

function listingOf(workflow: CompactWorkflow, parts: readonly PartOfGraph[]): Listing {
  const heads = parts.map(({ place }) => (place.length === 0 ? [] : [`# inside ${place.join(":")}`]));
  const tells = parts.flatMap(({ place, graph }, index) => [
    ...(heads[index] ?? []).map(() => undefined),
    ...graph.nodes.map(({ id }) => nodeKey({ graph: definitionAt(workflow, place), node: id })),
  ]);
  const distances = parts.flatMap(({ graph, distanceOf = () => 0 }, index) => [
    ...(heads[index] ?? []).map(() => 0),
    ...graph.nodes.map(({ id }) => distanceOf(id)),
  ]);
  return (reading) => ({
    entries: parts.flatMap(({ graph }, index) => [...(heads[index] ?? []), ...graphLines(graph, reading)]),
    tells,
    distances,
  });
}
