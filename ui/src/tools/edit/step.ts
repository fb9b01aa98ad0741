/** One change of one graph, as a batch was planned to make it. Nodes go by their ids in the draft. */

import type { GraphEditor } from "../../comfy/bridge";
import type { GraphNode, Json, NodeId } from "../../graph/graph";
import type { ToolError } from "../toolError";
import type { DraftGraph } from "./draftGraphs";
import type { LiveGraph } from "./liveGraph";
import type { LostLink } from "./lost";
import type { Join } from "./rejoined";

/** Which node is meant, whatever path leads to it: all nodes of a subgraph show one graph. */
export interface NodeIdentity {
  /** Id of the subgraph's definition; undefined for the workflow's own graph. */
  graph: string | undefined;
  node: NodeId;
}

/** Takes nodes away, or out of what runs or of sight; as a question says it. */
export type CostlyAct = "delete" | "replace" | "mute" | "bypass" | "wrap" | "expand";

export interface Step {
  at: DraftGraph;
  /** Nodes that it changes; one that is only linked from is not changed. */
  touches: readonly NodeIdentity[];
  /** Throws a ToolError where ComfyUI does not do it. */
  apply(editor: GraphEditor, live: LiveGraph): void;
  /** Compares the graph with the draft once all steps are done. Throws a ToolError where ComfyUI did not do it. */
  check?(live: LiveGraph): Adjustment[];
  /** What is done to these nodes that the person may have to agree to. */
  costs?: {
    act: CostlyAct;
    nodes: readonly GraphNode[];
    /** The type that takes their place. */
    by?: string;
  };
  /** What goes with it, as `7.vae<4.VAE`: links and values that have no place any more. */
  loses?: readonly (string | LostLink)[];
  /** The link that it draws past a node which is taken out. */
  joins?: Join;
  /** What goes on by another name, as `3.seed to noise_seed`. */
  renames?: readonly string[];
  /** Carried out behind all others, when everything is in its place: groups, and what names them. */
  isLast?: boolean;
  /** The widget to which it gives a value, asked for or carried over. */
  sets?: { node: NodeId; widget: string };
  /** Where nothing becomes different by it, as `3.steps is 10 already`: false where it is otherwise once all is planned. */
  already?: () => string | false;
  /** Why it cannot be, once all is planned. */
  faultAtEnd?: () => ToolError | undefined;
  /** What one might expect to change and does not, as `10.model still takes 4.MODEL`: known once all is planned. */
  leaves?: () => readonly string[];
}

/** A value that ComfyUI keeps otherwise than asked. */
export interface Adjustment {
  node: NodeId;
  widget: string;
  asked: Json;
  kept: Json;
}

/** For a step to be made: what it tells where all is so before it, unless it is otherwise once all is planned. */
export function alreadySo(isSo: () => boolean, words: () => string): Pick<Step, "already"> {
  return isSo() ? { already: () => isSo() && words() } : {};
}

export function identityOf({ definition }: DraftGraph, node: NodeId): NodeIdentity {
  return { graph: definition, node };
}
