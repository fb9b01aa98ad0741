/** ComfyUI does not tell the type of a node that is not installed; the page knows it. */

import type { NodeProblem } from "../../bridge";
import { type LiveApp, type LiveGraph, type LiveNode, liveNode } from "../page";
import { unknownType } from "./history";

type Graphs = Pick<LiveApp, "rootGraph" | "graph">;

export function withNamedTypes<Told extends { problems: NodeProblem[] }>(app: Graphs, told: Told): Told {
  const problems = told.problems.map((problem) =>
    problem.type === unknownType
      ? { ...problem, type: nodeAt(app, problem.node)?.type ?? unknownType }
      : problem,
  );
  return { ...told, problems };
}

/** Run ids name the way in: node 3 inside subgraph node 6 is `6:3`. */
function nodeAt({ rootGraph, graph }: Graphs, runId: string): LiveNode | undefined {
  let within: LiveGraph | undefined = rootGraph ?? graph;
  let node: LiveNode | undefined;
  for (const id of runId.split(":")) {
    node = within && liveNode(within, id);
    within = node?.subgraph;
  }
  return node;
}
