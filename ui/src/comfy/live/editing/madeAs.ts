/**
 * As what each node of the open workflow was made. A pack may give an old node the name of a newer type when it is
 * loaded: it stays what it was made as, and is run as that, until the page loads what it has saved under the new name. A
 * page that is loaded anew does that with all of them, so nothing of this has to outlive it.
 */

import type { UiNode, UiWorkflow } from "../../../graph/uiWorkflow";
import type { LiveGraph, LiveNode, Page } from "../page";
import { rootGraph } from "../page";

/** By graph and node: its type now, and the one that it was made as. */
export type MadeAs = ReadonlyMap<string, { type: string; made: string }>;

export function nodesMadeAs(page: Page): MadeAs {
  const root = rootGraph(page);
  const graphs = [["", root], ...(root.subgraphs ?? [])] as [string, LiveGraph][];
  return new Map(
    graphs.flatMap(([graph, { nodes }]) =>
      nodes.map((node) => [keyOf(graph, node), { type: node.type, made: typeMade(page, node) }] as const),
    ),
  );
}

/** The saved workflow with the types that its nodes were made as, so that loading it makes the same nodes again. */
export function asMade<State>(state: State, madeAs: MadeAs): State {
  const named = (graph: string, nodes: readonly UiNode[] = []) =>
    nodes.map((node) => {
      const known = madeAs.get(keyOf(graph, node));
      return known?.type === node.type && known.made !== node.type ? { ...node, type: known.made } : node;
    });
  const { nodes, definitions } = state as Partial<UiWorkflow>;
  const subgraphs = definitions?.subgraphs?.map((each) => ({ ...each, nodes: named(each.id, each.nodes) }));
  return {
    ...state,
    ...(nodes && { nodes: named("", nodes) }),
    ...(subgraphs && { definitions: { ...definitions, subgraphs } }),
  };
}

function typeMade({ liteGraph }: Page, { type, constructor: maker }: LiveNode): string {
  const made = (maker as { type?: unknown }).type;
  const isKnown = typeof made === "string" && Object.hasOwn(liteGraph.registered_node_types, made);
  return isKnown && liteGraph.registered_node_types[made] === maker ? made : type;
}

function keyOf(graph: string, { id }: { id: string | number }): string {
  return `${graph} ${id}`;
}
