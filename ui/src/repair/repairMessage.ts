/** What the assistant is asked when a run has failed: the error, its nodes, and only what feeds them. */

import type { Comfy, RunFailure } from "../comfy/bridge";
import { failedNodes, failureWords } from "../comfy/failureWords";
import { describeNodes } from "../graph/compact/describe";
import { graphAt, onlyNodes } from "../graph/compact/part";
import { readWorkflow } from "../graph/compact/read";
import { type CompactGraph, type CompactWorkflow, noWorkflow } from "../graph/compact/workflow";
import { graphLines } from "../graph/compact/write";
import type { NodeId } from "../graph/graph";
import { attached } from "../shared/attachedText";
import { cut } from "../shared/cut";

const mostFailedNodes = 6;
const mostSources = 40;
const longestMessage = 2000;

export function repairMessage(failure: RunFailure, comfy: Comfy): string {
  const places = byPlace(failedNodes(failure).slice(0, mostFailedNodes));
  const workflow = workflowNow(comfy);
  const sections = [
    errorText(failure),
    ...places.flatMap(({ place, nodes }) => placeText(comfy, workflow, place, nodes)),
  ];
  return `Find the cause of this error and repair it: ${failureWords(failure)}\n\n${attached("Error, node and what feeds it", sections.join("\n\n"))}`;
}

/** What cannot be read does not keep the error from being asked about. */
function workflowNow(comfy: Comfy): CompactWorkflow {
  try {
    return readWorkflow(comfy.whole.read(), comfy.whole.shape);
  } catch {
    return noWorkflow;
  }
}

function errorText({ error, problems, refusal }: RunFailure): string {
  if (error)
    return `While running, node ${error.node ?? "?"} (${error.type ?? "?"}) raised ${error.exception ?? "an exception"}:\n${cut(error.message, longestMessage)}`;
  const lines = problems.map(
    ({ node, type, input, message }) =>
      `node ${node} (${type})${input === undefined ? "" : `, input ${input}`}: ${cut(message, 400)}`,
  );
  return [`ComfyUI refused to run: ${refusal ?? "some nodes are not valid"}`, ...lines].join("\n");
}

/** Run ids name the way in: node 3 inside subgraph node 6 is `6:3`. */
function byPlace(runIds: readonly NodeId[]): { place: NodeId[]; nodes: NodeId[] }[] {
  const places = new Map<string, { place: NodeId[]; nodes: NodeId[] }>();
  for (const runId of runIds) {
    const path = runId.split(":");
    const place = path.slice(0, -1);
    const entry = places.get(place.join(":")) ?? { place, nodes: [] };
    entry.nodes.push(path.at(-1) ?? runId);
    places.set(place.join(":"), entry);
  }
  return [...places.values()];
}

function placeText(
  comfy: Comfy,
  workflow: CompactWorkflow,
  place: NodeId[],
  ids: readonly NodeId[],
): string[] {
  const graph = graphAt(workflow, place);
  const known = ids.filter((id) => graph?.nodes.some((node) => node.id === id));
  const nodes = known.flatMap((id) => comfy.node(id, place) ?? []);
  if (!graph || nodes.length === 0) return [];
  const where = place.length === 0 ? "" : ` (inside subgraph node ${place.join(":")})`;
  const sources = graphLines(onlyNodes(graph, sourcesOf(graph, known)), { valueLength: 200, noteLength: 80 });
  return [
    `The node${nodes.length === 1 ? "" : "s"} as of now${where}:\n${describeNodes(nodes)}`,
    ...(sources.length > 0 ? [`What feeds it${where}:\n${sources.join("\n")}`] : []),
  ];
}

/** Nearest first, so that what is cut off is far away. */
function sourcesOf({ nodes }: CompactGraph, ids: readonly NodeId[]): ReadonlySet<NodeId> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const found = new Set(ids);
  for (const id of found) for (const { source } of byId.get(id)?.links ?? []) found.add(source.node);
  return new Set([...found].filter((id) => byId.has(id) && !ids.includes(id)).slice(0, mostSources));
}
