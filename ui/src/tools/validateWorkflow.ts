import { z } from "zod";
import type { Comfy } from "../comfy/bridge";
import { findNode, type GraphNode, type NodeId } from "../graph/graph";
import { defineTool } from "./tool";
import { findProblems, type Installed } from "./validation/findProblems";
import { type Problem, problemData } from "./validation/problem";

const shown = 30;

export const validateWorkflow = defineTool({
  name: "validateWorkflow",
  description:
    "Check the workflow without running it: missing node types, files and inputs, wrong choices and values, types that do not fit, bypassed nodes that are needed, loops. Names the fix for each.",
  input: z.object({}),
  effect: "reads",
  async run(_, comfy) {
    const { nodes } = await comfy.queue.prompt();
    const { errors, warnings, running } = findProblems(nodes, installedIn(comfy));
    const idle = Object.keys(nodes).length - running;
    const rest = errors.length - shown;
    return {
      ok: true,
      summary:
        errors.length === 0
          ? `No problems: ${running} nodes would run${idle > 0 ? `, ${idle} lead to no output` : ""}.`
          : `${errors.length} problem${errors.length === 1 ? "" : "s"}: ${errors.slice(0, 5).map(word).join("; ")}${errors.length > 5 ? "; …" : "."}`,
      data: {
        problems: errors.slice(0, shown).map(problemData),
        ...(rest > 0 && { moreProblems: rest }),
        ...(warnings.length > 0 && { inNodesThatLeadToNoOutput: warnings.slice(0, 10).map(problemData) }),
      },
    };
  },
  label: () => "Check the workflow",
});

function word({ node, type, input, found }: Problem): string {
  const text = found.replace(/\.$/, "");
  return node === undefined
    ? text
    : `${node} ${type ?? ""}${input === undefined ? "" : `.${input}`}: ${text}`;
}

function installedIn(comfy: Comfy): Installed {
  const graphOf = (id: NodeId) => {
    try {
      return comfy.graph(id.split(":").slice(0, -1));
    } catch {
      return undefined;
    }
  };
  const nodeOf = (id: NodeId): GraphNode | undefined => {
    const graph = graphOf(id);
    return graph && findNode(graph, id.split(":").at(-1) ?? "");
  };
  return {
    definitionOf: (type) => comfy.nodeDefinition(type),
    types: () => comfy.nodeTypes(),
    nodeOf,
    sourceOf(id, input) {
      const source = nodeOf(id)?.inputs.find(({ name }) => name === input)?.linkedFrom;
      const graph = source && graphOf(id);
      return graph && findNode(graph, source.node);
    },
  };
}
