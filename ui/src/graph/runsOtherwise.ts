/** Two saved workflows of the same nodes: what of it a run would use otherwise. */

import { isPlain } from "./sameState";
import { linkObject, type UiLink, type UiNode } from "./uiWorkflow";

interface SavedGraph {
  nodes?: readonly UiNode[];
  links?: readonly UiLink[];
}

/** As `3 KSampler`, or `Upscale: 3 KSampler` inside a subgraph: nodes that have another type, mode, value or link. */
export function runsOtherwise(meant: unknown, shown: unknown): string[] {
  const [should, has] = [graphsOf(meant), graphsOf(shown)];
  return [...should].flatMap(([id, { name, graph }]) => {
    const there = has.get(id);
    return there ? differing(graph, there.graph).map((words) => `${name}${words}`) : [];
  });
}

function graphsOf(state: unknown): Map<string, { name: string; graph: SavedGraph }> {
  const { definitions } = Object(state) as {
    definitions?: { subgraphs?: (SavedGraph & { id: string; name: string })[] };
  };
  const inner = (definitions?.subgraphs ?? []).map(
    (graph) => [graph.id, { name: `${graph.name}: `, graph }] as const,
  );
  return new Map([["", { name: "", graph: Object(state) as SavedGraph }], ...inner]);
}

function differing(meant: SavedGraph, shown: SavedGraph): string[] {
  const there = new Map((shown.nodes ?? []).map((node) => [String(node.id), node]));
  const [wanted, linked] = [linksInto(meant), linksInto(shown)];
  return (meant.nodes ?? []).flatMap((node) => {
    const id = String(node.id);
    const is = there.get(id);
    const isOther =
      is &&
      (node.type !== is.type ||
        (node.mode ?? 0) !== (is.mode ?? 0) ||
        hasOtherValues(node, is) ||
        wanted.get(id)?.join() !== linked.get(id)?.join());
    return isOther ? [`${id} ${node.title ?? node.type}`] : [];
  });
}

/** The sources of each node in the order of its inputs: some have others before or between them once they are loaded. */
function linksInto({ links = [] }: SavedGraph): Map<string, string[]> {
  const into = new Map<string, string[]>();
  const inOrder = links.map(linkObject).toSorted((one, other) => one.target_slot - other.target_slot);
  for (const { origin_id, origin_slot, target_id } of inOrder) {
    const target = String(target_id);
    into.set(target, [...(into.get(target) ?? []), `${origin_id}.${origin_slot}`]);
  }
  return into;
}

/**
 * Texts, numbers and switches that both have: what else a widget holds is for its look, such as a preview, or made anew,
 * and what only one of them has a pack keeps elsewhere by now. Lists of another length are those of other widgets.
 */
function hasOtherValues({ widgets_values: meant }: UiNode, { widgets_values: shown }: UiNode): boolean {
  if (Array.isArray(meant) && Array.isArray(shown) && meant.length !== shown.length) return false;
  const [should, has] = [meant, shown].map((values) => Object(values) as Record<string, unknown>);
  return Object.entries(should ?? {}).some(([name, value]) => {
    const now = has?.[name];
    const isTold = (each: unknown) => isPlain(each) && each !== null && each !== undefined && each !== "";
    return isTold(value) && isTold(now) && value !== now;
  });
}
