/** Two saved workflows of the same nodes: what of it a run would use otherwise. */

import { isPlain } from "./sameState";
import { linkObject, type UiLink, type UiNode } from "./uiWorkflow";

interface SavedGraph {
  nodes?: readonly UiNode[];
  links?: readonly UiLink[];
}

/** As `3 KSampler`, or `Upscale: 3 KSampler` inside a subgraph: nodes that have another mode, value or link. */
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
      ((node.mode ?? 0) !== (is.mode ?? 0) ||
        plainValues(node) !== plainValues(is) ||
        wanted.get(id)?.join() !== linked.get(id)?.join());
    return isOther ? [`${id} ${node.title ?? node.type}`] : [];
  });
}

/** Of inputs, by their names, since a pack may have others before them. */
function linksInto({ nodes = [], links = [] }: SavedGraph): Map<string, string[]> {
  const inputs = new Map(nodes.map((node) => [String(node.id), node.inputs ?? []]));
  const into = new Map<string, string[]>();
  for (const link of links) {
    const { origin_id, origin_slot, target_id, target_slot } = linkObject(link);
    const target = String(target_id);
    const name = inputs.get(target)?.[target_slot]?.name ?? String(target_slot);
    into.set(target, [...(into.get(target) ?? []), `${name}<${origin_id}.${origin_slot}`].sort());
  }
  return into;
}

/** Texts, numbers and switches: what else a widget holds is for its look, such as a preview, or made anew. */
function plainValues({ widgets_values: values }: UiNode): string {
  const held = Object.entries(Object(values) as Record<string, unknown>);
  return JSON.stringify(held.filter(([, value]) => isPlain(value) && value !== null && value !== ""));
}
