/** A ComfyUI graph as plain data: everything a reader of the canvas can know, nothing that can change it. */

/** Ids are text on our side: ComfyUI's frontends use numbers (to 1.32) and strings (from 1.58) for the same node. */
export type NodeId = string;

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/**
 * Where a graph lies: the ids of the subgraph nodes that lead to it from the workflow, which is `[]` itself. As the
 * place of something, undefined is the graph on the canvas.
 */
export type Place = readonly NodeId[];

export interface LinkSource {
  node: NodeId;
  output: number;
  name: string;
}

export interface LinkTarget {
  node: NodeId;
  input: number;
  name: string;
}

export interface GraphInput {
  name: string;
  /** What people see in place of the name, of a slot of a subgraph's node. */
  label?: string;
  /** ComfyUI's type name: `IMAGE`, `COMBO`, `*`, or a comma-separated union such as `INT,FLOAT`. */
  type: string;
  /** A widget sits behind this input: unconnected, its value is used. */
  isWidget: boolean;
  isOptional: boolean;
  /** The growing row that it belongs to: `images` of `images.image0`. */
  row?: string;
  linkedFrom?: LinkSource;
}

export interface GraphOutput {
  name: string;
  label?: string;
  type: string;
  linkedTo: LinkTarget[];
}

export type WidgetKind = "integer" | "number" | "text" | "boolean" | "choice" | "color" | "other";

export type Choice = string | number | boolean;

export interface GraphWidget {
  name: string;
  /** As of an input: a subgraph's node shows it by this. */
  label?: string;
  kind: WidgetKind;
  /** An integer that stands for a color: 0xrrggbb. */
  isColor?: boolean;
  value: Json;
  default?: Json;
  choices?: readonly Choice[];
  /** What there is to choose depends on the rest of the graph: it is sure once everything is in its place. */
  hasOpenChoices?: boolean;
  /** What there is to choose is still to be fetched by the page. */
  awaitsChoices?: boolean;
  /** A control of the page: it does something where it is clicked, and a value of its own does nothing. */
  isForClicks?: boolean;
  /** A text that the node shows and nobody writes, such as what came of a run. */
  isShown?: boolean;
  /** Nobody sees it: it is there for older workflows. */
  isHidden?: boolean;
  min?: number;
  max?: number;
  step?: number;
}

export type NodeMode = "active" | "muted" | "bypassed";

export interface Point {
  x: number;
  y: number;
}

export interface Size {
  width: number;
  height: number;
}

export interface Rectangle extends Point, Size {}

export type SavedValues = readonly Json[] | { readonly [name: string]: Json };

export interface GraphNode {
  id: NodeId;
  type: string;
  title: string;
  /** The title that nodes of this type have unless somebody changes it. */
  defaultTitle: string;
  mode: NodeMode;
  /** False for a node that came with a workflow while its type is not installed. */
  isInstalled: boolean;
  /** Of a node that is not installed: what the workflow's file holds of its widgets, by position or by name. */
  savedValues?: SavedValues;
  inputs: GraphInput[];
  outputs: GraphOutput[];
  widgets: GraphWidget[];
  position: Point;
  /** What it takes once it is drawn, with the picture that it may come to show; a collapsed one has no height. */
  size: Size;
  /** Of a node in no graph yet, or of a type that is not installed: the height that its slots and widgets take. */
  leastHeight?: number;
  color?: string;
  /** What it is called, where another graph is open. */
  path?: string;
  /** What a run of it costs, where ComfyUI tells: "$0.06/Run", "an amount that depends on model". */
  price?: string;
  /** The nodes that it takes from without a wire, as the Get of a pair does from its Set. */
  follows?: NodeId[];
  /** Set when the node is an instance of a subgraph. */
  subgraph?: SubgraphOfNode;
}

export interface SubgraphOfNode {
  id: string;
  name: string;
  /** Widgets of inner nodes that it shows by name, without an input for them: `5.text`. */
  shown?: string[];
}

export interface GraphGroup {
  title: string;
  nodes: NodeId[];
  color?: string;
  bounds?: Rectangle;
}

/** Which graph it is: the workflow's own, or the subgraph that is open on the canvas, with its boundary. */
export type Scope =
  | { kind: "workflow" }
  | {
      kind: "subgraph";
      id: string;
      name: string;
      inputs?: { name: string; label?: string; type: string }[];
      outputs: { name: string; label?: string; type: string; linkedFrom?: LinkSource }[];
    };

export interface Graph {
  scope: Scope;
  nodes: GraphNode[];
  groups: GraphGroup[];
  /** What the user has selected on the canvas. */
  selection: NodeId[];
}

/** Inside a subgraph, the source of a link that comes in from outside, and the target of one that leaves. */
export const subgraphInput: NodeId = "input";
export const subgraphOutput: NodeId = "output";

export function findNode(graph: Pick<Graph, "nodes">, id: NodeId): GraphNode | undefined {
  return graph.nodes.find((node) => node.id === id);
}
