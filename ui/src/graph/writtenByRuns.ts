/** What ComfyUI's page has written into widgets by itself for runs since a change, such as seeds: it is nobody's work. */

import { isObject } from "../shared/json";
import type { Change } from "./sameState";
import type { UiNode, UiWorkflow } from "./uiWorkflow";

/** `graph` is the id of a subgraph's definition, or "" for the workflow; `place` the index of a widget, or its name. */
export type IsByRun = (graph: string, node: string, place: string, value: unknown) => boolean;

/** The change, as if it had led to what runs have written since. Values that it left alone it leaves alone. */
export function withRunWrites<Of extends Change>(change: Of, now: unknown, isByRun: IsByRun): Of {
  const [first, since] = [nodesOf(change.before), nodesOf(now)];
  const written = new Map<UiNode, UiNode>();
  for (const [key, { node, graph }] of nodesOf(change.after)) {
    const fields = writtenFields(node, since.get(key)?.node, first.get(key)?.node, (place, value) =>
      isByRun(graph, String(node.id), place, value),
    );
    if (fields) written.set(node, { ...node, ...fields });
  }
  return written.size > 0 ? { ...change, after: withNodes(change.after as UiWorkflow, written) } : change;
}

function writtenFields(
  then: UiNode,
  now: UiNode | undefined,
  before: UiNode | undefined,
  isByRun: (place: string, value: unknown) => boolean,
): Partial<UiNode> | undefined {
  const fields: Record<string, unknown> = {};
  for (const name of ["widgets_values", "widgets_values_named"] as const) {
    const [from, to, first] = [then, now, before].map((node) => Object((node as never)?.[name]));
    const places = Object.keys(to).filter(
      (place) =>
        from[place] !== to[place] &&
        !(place in first && first[place] === from[place]) &&
        isByRun(place, to[place]),
    );
    if (places.length === 0) continue;
    const values = Object.fromEntries(places.map((place) => [place, to[place]]));
    fields[name] = Object.assign(Array.isArray(from) ? [...from] : { ...from }, values);
  }
  return Object.keys(fields).length > 0 ? fields : undefined;
}

function nodesOf(state: unknown): Map<string, { node: UiNode; graph: string }> {
  if (!isObject(state)) return new Map();
  const { nodes = [], definitions } = state as Partial<UiWorkflow>;
  const graphs = [{ id: "", nodes }, ...(definitions?.subgraphs ?? [])];
  return new Map(
    graphs.flatMap(({ id, nodes: inside = [] }) =>
      inside.map((node) => [`${id} ${node.id}`, { node, graph: String(id) }] as const),
    ),
  );
}

function withNodes(state: UiWorkflow, changed: ReadonlyMap<UiNode, UiNode>): UiWorkflow {
  const inGraph = <Graph extends { nodes?: UiNode[] }>(graph: Graph): Graph =>
    graph.nodes ? { ...graph, nodes: graph.nodes.map((node) => changed.get(node) ?? node) } : graph;
  const { definitions } = state;
  return {
    ...inGraph(state),
    ...(definitions?.subgraphs && {
      definitions: { ...definitions, subgraphs: definitions.subgraphs.map(inGraph) },
    }),
  };
}
