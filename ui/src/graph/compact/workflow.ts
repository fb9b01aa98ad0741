/** A whole workflow as its compact form tells it: what is run and what a person wrote, without places and sizes. */

import type { Json, NodeId, NodeMode, Point, Rectangle } from "../graph";

export interface CompactWorkflow extends CompactGraph {
  subgraphs: CompactSubgraph[];
}

export interface CompactGraph {
  nodes: CompactNode[];
  groups: CompactGroup[];
}

/** A definition; its instances are the nodes whose `type` is its `key`. */
export interface CompactSubgraph extends CompactGraph {
  /** `S1`, `S2`, … */
  key: string;
  /** ComfyUI's own id, which the compact form does not tell. */
  id?: string;
  name: string;
  inputs: CompactPort[];
  outputs: (CompactPort & { source?: CompactSource })[];
}

export interface CompactPort {
  name: string;
  /** What people see in place of the name. */
  label?: string;
  /** Only where nothing inside is connected, which would tell it. */
  type?: string;
}

export interface CompactNode {
  id: NodeId;
  type: string;
  /** Only a title of the person's own. */
  title?: string;
  mode: NodeMode;
  links: CompactLink[];
  values: CompactValue[];
  /** Widgets of inner nodes that a subgraph node shows as its own, as `12.seed`; the value lives inside. */
  shown: string[];
  remarks?: NodeRemarks;
  /** Absent in what was parsed. */
  unwritten?: Unwritten;
}

/** What the form leaves out and a comparison asks for. */
export interface Unwritten {
  /** Values that a new node has, too. */
  usual: CompactValue[];
  /** Values that have no effect, since a link feeds their widgets. */
  fed: CompactValue[];
  position: Point;
  color?: string;
  /** The names of slots that a new node of the type has not. */
  grown?: string[];
}

/** What a reader is told about a node beyond what defines it. */
export interface NodeRemarks {
  isUninstalled?: boolean;
  /** Required inputs without a source. */
  openInputs?: string[];
  /** The outputs of a node of which none is used. */
  unusedOutputs?: string[];
}

export interface CompactLink {
  /** Empty where a node takes something without a wire and without an input. */
  input: string;
  source: CompactSource;
  /** Only what ComfyUI runs has it: told to readers, and drawn by nobody. */
  unwired?: { via?: NodeId };
}

export interface CompactSource {
  /** `input` is the subgraph's own edge. */
  node: NodeId;
  /** Name or `#index`; left out where the input's own name tells it, or the node has just one output. */
  slot?: string;
}

export interface CompactValue {
  name: string;
  value: Json;
  /** The file is not installed. */
  isMissing?: boolean;
  /** As in `GraphWidget`: nobody writes it. */
  isShown?: boolean;
  /** So many characters were cut off for reading: `value` is only the beginning. */
  cut?: number;
}

export interface CompactGroup {
  title: string;
  nodes: NodeId[];
  /** Absent in what was parsed. */
  unwritten?: { color?: string; box: Rectangle };
}

/** The type names of nodes that hold text for people and are never run. */
export const noteTypes: ReadonlySet<string> = new Set(["Note", "MarkdownNote"]);

export const noWorkflow: CompactWorkflow = { nodes: [], groups: [], subgraphs: [] };

/** The workflow's own graph and the inside of each subgraph, each with the key of its definition. */
export function scopes(workflow: CompactWorkflow): { key: string | undefined; graph: CompactGraph }[] {
  return [
    { key: undefined, graph: workflow },
    ...workflow.subgraphs.map((subgraph) => ({ key: subgraph.key, graph: subgraph })),
  ];
}

/** Those inside of subgraphs count once. */
export function nodeCount(workflow: CompactWorkflow): number {
  return scopes(workflow).reduce((sum, { graph }) => sum + graph.nodes.length, 0);
}

export function linkCount(workflow: CompactWorkflow): number {
  return scopes(workflow).reduce(
    (sum, { graph }) =>
      sum + graph.nodes.reduce((all, { links }) => all + links.filter(({ unwired }) => !unwired).length, 0),
    0,
  );
}

/** Of one subgraph. Subgraphs in subgraphs can make any number of places out of a small file. */
export const MOST_PLACES = 1000;

/** Where instances of each subgraph are: `5` at the top, `13:76` for node 76 inside instance 13; the first thousand. */
export function instancePaths(workflow: CompactWorkflow): Map<string, string[]> {
  const paths = new Map<string, string[]>(workflow.subgraphs.map(({ key }) => [key, []]));
  const definitions = new Map(workflow.subgraphs.map((subgraph) => [subgraph.key, subgraph]));
  const visit = (graph: CompactGraph, prefix: string, within: readonly string[]) => {
    for (const { id, type } of graph.nodes) {
      const inner = definitions.get(type);
      const found = paths.get(type) ?? [];
      if (!inner || within.includes(type) || found.length >= MOST_PLACES) continue;
      found.push(prefix + id);
      visit(inner, `${prefix}${id}:`, [...within, type]);
    }
  };
  visit(workflow, "", []);
  return paths;
}
