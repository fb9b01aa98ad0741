/** A workflow that is read time and again: between two readings few of its nodes change, and only those are read anew. */

import type { NodeId } from "../graph";
import type { NodeShape } from "../nodeShape";
import type { UiGraph } from "../uiWorkflow";
import { type ReadNodes, readWorkflow, type Surroundings, type ToldOfNode } from "./read";
import type { CompactNode } from "./workflow";

interface ReadGraph {
  /** What else of the graph tells how a node is read, and the shapes of its types. */
  around: string | undefined;
  shapes: readonly (NodeShape | undefined)[];
  nodes: ReadonlyMap<NodeId, ReadNode>;
}

/** `from` is all that is told of the node, as text, since the page changes its objects in place. */
interface ReadNode {
  from: string | undefined;
  node: CompactNode;
}

/** A `readWorkflow` whose readings share the nodes that did not change: as one object, which nobody may write into. */
export function createWorkflowReader(): (
  ...source: Parameters<typeof readWorkflow>
) => ReturnType<typeof readWorkflow> {
  let earlier: ReadonlyMap<string | undefined, ReadGraph> = new Map();
  return (source, shapeOf) => {
    const now = new Map<string | undefined, ReadGraph>();
    const readNodes: ReadNodes = (graph, surroundings, read) => {
      const around = textOf(aroundNodes(graph, surroundings));
      const shapes = graph.nodes.map(({ type }) => surroundings.shapeOf(type));
      const before = earlier.get(surroundings.scope?.id);
      const isAsBefore =
        around !== undefined &&
        before?.around === around &&
        before.shapes.every((shape, index) => shape === shapes[index]);
      const nodes = graph.nodes.map((node): ReadNode => {
        const told: ToldOfNode = surroundings.told(node);
        const from = textOf([node, told]);
        const known = isAsBefore ? before.nodes.get(String(node.id)) : undefined;
        return from !== undefined && known?.from === from ? known : { from, node: read(node, told) };
      });
      now.set(surroundings.scope?.id, {
        around,
        shapes,
        nodes: new Map(nodes.map((each) => [each.node.id, each])),
      });
      return nodes.map(({ node }) => node);
    };
    const workflow = readWorkflow(source, shapeOf, readNodes);
    earlier = now;
    return workflow;
  };
}

/** Which nodes there are, what they hand on, and what their links and the subgraphs are: a node is read by its sources, too. */
function aroundNodes({ nodes, links }: UiGraph, { scope, promoted, definitions }: Surroundings): unknown {
  return [
    links,
    nodes.map(({ id, type, mode, outputs }) => [id, type, mode, outputs?.map(({ name }) => name)]),
    scope?.inputs?.map(({ name }) => name),
    [...promoted],
    [...definitions.values()].map(({ id, name }) => [id, name]),
  ];
}

/** Undefined for what JSON cannot say. */
function textOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
