/** Primitives of the page write their values into the widgets that they feed whenever a prompt is made. */

import { type LiveGraph, type LiveWidget, liveNode } from "../page";

/** Notes what these widgets hold; what it returns puts that back. */
export function noteAppliedValues(graphs: readonly LiveGraph[]): () => void {
  const held = graphs.flatMap((graph) =>
    graph.nodes
      .filter(({ applyToGraph }) => applyToGraph)
      .flatMap(({ outputs = [] }) => outputs.flatMap(({ links }) => links ?? []))
      .flatMap((id) => fedWidget(graph, id))
      .map((widget) => ({ widget, value: widget.value })),
  );
  return () => {
    for (const { widget, value } of held) if (widget.value !== value) widget.value = value;
  };
}

function fedWidget(graph: LiveGraph, linkId: string | number): LiveWidget[] {
  const link = graph.getLink(linkId);
  const target = link && liveNode(graph, String(link.target_id));
  const name = target?.inputs?.[link?.target_slot ?? 0]?.widget?.name;
  return (target?.widgets ?? []).filter((widget) => name !== undefined && widget.name === name);
}
