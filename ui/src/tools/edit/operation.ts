/** One change of a graph, as a batch lists them. */

import type { Json, NodeMode, Point } from "../../graph/graph";

/** `4.IMAGE`, or the node alone where one slot fits; single-step tools give node and slot apart. */
export type SlotReference = string | { node: string; slot?: string };

export type Values = { readonly [name: string]: Json };

export type Operation =
  | {
      op: "add";
      type: string;
      as?: string;
      title?: string;
      widgets?: Values;
      /** Sources by input name. */
      inputs?: { readonly [input: string]: string };
      position?: Point;
      /** The subgraph node in which to add it. */
      inside?: string;
    }
  | { op: "remove"; nodes: readonly string[] }
  | { op: "connect"; from: SlotReference; to: SlotReference }
  | { op: "disconnect"; to: SlotReference }
  | { op: "set"; nodes: readonly string[]; widgets: Values }
  | { op: "replace"; node: string; type: string; as?: string; widgets?: Values }
  | { op: "insert"; to: SlotReference; type?: string; node?: string; as?: string; widgets?: Values }
  | { op: "move"; nodes: readonly string[]; position: Point }
  | { op: "mode"; nodes: readonly string[]; mode: NodeMode }
  | { op: "title"; node: string; title: string }
  | { op: "color"; nodes: readonly string[]; color?: string }
  | { op: "group"; nodes: readonly string[]; title: string; color?: string }
  | { op: "makeSubgraph"; nodes: readonly string[]; title?: string }
  | { op: "expandSubgraph"; node: string }
  /** Shows a slot or widget of an inner node on the node of its subgraph. */
  | { op: "promote"; slot: PromotedSlot; name?: string }
  /** Takes a slot or shown widget from the node of a subgraph. */
  | { op: "demote"; slot: PromotedSlot };

export interface PromotedSlot {
  side: "input" | "output";
  /** `12:5.seed`. */
  reference: string;
}

export type OperationName = Operation["op"];

/** What one operation was refused for. */
export interface Refusal {
  index: number;
  op: OperationName;
  error: string;
  hint?: string;
}
