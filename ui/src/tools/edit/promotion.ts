/** Slots and widgets of nodes inside a subgraph that the subgraph's node shows. */

import type { GraphNode } from "../../graph/graph";
import type { SubgraphGraphs } from "../../graph/subgraphSlots";
import { nodeName } from "../read/references";
import { ToolError } from "../tool";
import type { Draft } from "./draft";
import type { DraftGraph } from "./draftGraphs";
import { needs } from "./operation";

export interface PromotedSlot {
  side: "input" | "output";
  /** `12:5.seed`. */
  reference: string;
}

/** An input or widget is named by `to`, an output by `from`. */
export function promotedSlot({ from, to }: { from?: string; to?: string }): PromotedSlot {
  if (to !== undefined && from === undefined) return { side: "input", reference: to };
  if (from !== undefined && to === undefined) return { side: "output", reference: from };
  throw needs("to (an input or widget) or from (an output)");
}

export function whichSlot(node: GraphNode, side: PromotedSlot["side"]): ToolError {
  const names = (side === "input" ? node.inputs : node.outputs).map(({ name }) => name);
  return new ToolError(`Which ${side} of ${nodeName(node)}?`, `Its ${side}s: ${names.join(", ") || "none"}.`);
}

/** A widget that is shown without an input: `5.text`, or `text` where just one is called so. */
export function shownMeant({ subgraph, inputs }: GraphNode, name: string): string | undefined {
  const { shown = [] } = subgraph ?? {};
  if (shown.includes(name)) return name;
  const [only, ...more] = shown.filter((each) => each.slice(each.indexOf(".") + 1) === name);
  return more.length > 0 || inputs.some((input) => input.name === name) ? undefined : only;
}

/** The graph around the subgraph is opened, since nodes there change. */
export function graphsAround(draft: Draft, inner: DraftGraph): SubgraphGraphs {
  draft.graphAt(inner.place.slice(0, -1));
  return { inner: inner.graph, outer: [...draft.graphs.values()].map(({ graph }) => graph) };
}
