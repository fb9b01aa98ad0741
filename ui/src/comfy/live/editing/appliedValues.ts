/** Primitives of the page write their values into the widgets that they feed whenever a prompt is made. */

import { type LiveGraph, type LiveLink, type LiveWidget, liveNode } from "../page";
import { slotLinks } from "../reading/slotLinks";

/** Notes what these widgets hold; what it returns puts that back. */
export function noteAppliedValues(graphs: readonly LiveGraph[]): () => void {
  const held = graphs.flatMap((graph) => {
    const links = slotLinks(graph);
    return graph.nodes
      .filter(({ applyToGraph }) => applyToGraph)
      .flatMap(({ id, outputs = [] }) => outputs.flatMap((output, index) => links.outOf(id, index, output)))
      .flatMap((link) => fedWidget(graph, link))
      .map((widget) => ({ widget, value: widget.value }));
  });
  return () => {
    for (const { widget, value } of held) if (widget.value !== value) widget.value = value;
  };
}

function fedWidget(graph: LiveGraph, link: LiveLink): LiveWidget[] {
  const target = liveNode(graph, String(link.target_id));
  const name = target?.inputs?.[link.target_slot]?.widget?.name;
  return (target?.widgets ?? []).filter((widget) => name !== undefined && widget.name === name);
}
