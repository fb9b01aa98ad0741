/** The open workflows, of which one is on the canvas. */

import type { Tab } from "../../bridge";
import { loadWithLists } from "../files/fetchedLists";
import {
  type LiveGraph,
  type LiveNode,
  type LiveWorkflow,
  type Page,
  rootGraph,
  type SerialisedGraph,
} from "../page";

export function readTabs(page: Page, keyOf: (workflow: LiveWorkflow) => string): Tab[] {
  const { activeWorkflow, openWorkflows = [] } = page.app.extensionManager?.workflow ?? {};
  const open = activeWorkflow && keyOf(activeWorkflow);
  return openWorkflows.map((workflow) => {
    // What ComfyUI keeps of the one on the canvas is as old as the last change that it has noted.
    const nodes = keyOf(workflow) === open ? shownNodes(rootGraph(page)) : keptNodes(workflow.activeState);
    return { key: keyOf(workflow), name: nameOf(workflow), ...(nodes !== undefined && { nodes }) };
  });
}

export interface TabOrder {
  /** The workflow is on the canvas. */
  see(key: string): void;
  /** The last used first; those that were not on the canvas since the page was loaded come behind, the newest first. */
  lastUsedFirst(tabs: readonly Tab[]): Tab[];
}

/** ComfyUI keeps its tabs in the order in which they stand, and does not tell which was used when. */
export function createTabOrder(): TabOrder {
  const seen = new Set<string>();
  return {
    see(key) {
      seen.delete(key);
      seen.add(key);
    },
    lastUsedFirst(tabs) {
      const order = [...seen];
      return tabs.toReversed().toSorted((one, other) => order.indexOf(other.key) - order.indexOf(one.key));
    },
  };
}

function shownNodes(root: LiveGraph): number {
  return nodesIn<LiveNode>(root, ({ subgraph }) => subgraph);
}

/** Undefined where ComfyUI keeps none. */
function keptNodes(state: unknown): number | undefined {
  const kept = Object(state) as Partial<SerialisedGraph>;
  if (!Array.isArray(kept.nodes)) return undefined;
  const insides = new Map((kept.definitions?.subgraphs ?? []).map((inside) => [inside.id, inside]));
  return nodesIn<KeptNode>(kept as Inside<KeptNode>, ({ type }) => insides.get(type ?? ""));
}

type KeptNode = SerialisedGraph["nodes"][number];
type Inside<Node> = { nodes: readonly Node[] };

/** As a reading counts them: those inside of a subgraph once, however often it is used. */
function nodesIn<Node>(root: Inside<Node>, insideOf: (node: Node) => Inside<Node> | undefined): number {
  const graphs = new Set([root]);
  for (const graph of graphs)
    for (const node of graph.nodes) {
      const inside = insideOf(node);
      if (inside) graphs.add(inside);
    }
  return [...graphs].reduce((sum, graph) => sum + graph.nodes.length, 0);
}

export function nameOf({ filename, path }: LiveWorkflow): string {
  return filename ?? path;
}

/** What the page's own tabs do. */
export async function openTab(
  page: Page,
  keyOf: (workflow: LiveWorkflow) => string,
  key: string,
): Promise<void> {
  const { activeWorkflow, openWorkflows = [] } = page.app.extensionManager?.workflow ?? {};
  const workflow = openWorkflows.find((each) => keyOf(each) === key);
  if (!workflow || (activeWorkflow && keyOf(activeWorkflow) === key)) return;
  if (!workflow.isLoaded) await workflow.load?.();
  await loadWithLists(page, JSON.parse(JSON.stringify(workflow.activeState)), true, true, workflow, {
    checkForRerouteMigration: false,
  });
}
