/** What the tools may ask of ComfyUI, in plain data. `live.ts` answers from the page, `fake.ts` from memory. */

import type { Choice, Graph, GraphNode, Json, NodeId, Point, Scope, WidgetKind } from "../graph/graph";

export interface Comfy {
  workflow(): Workflow;
  /** The graph that the user sees: an open subgraph, else the workflow itself. Read afresh on every call. */
  graph(): Graph;
  /** Which graph that is. */
  scope(): Scope;
  /** One node of that graph, for a look at what an edit has done. */
  node(id: NodeId): GraphNode | undefined;
  nodeTypes(): readonly string[];
  nodeDefinition(type: string): NodeDefinition | undefined;
  /**
   * Everything that `change` does becomes one undo step; nothing changed, no step. Edits of the same turn join into
   * one step, as long as nobody else changes the workflow in between.
   */
  edit<Result>(change: (editor: GraphEditor) => Result, options?: { turn?: string }): Result;
  readonly queue: PromptQueue;
  /** Same-origin address of a file that a run produced. */
  viewUrl(file: OutputFile): string;
}

export interface Workflow {
  /** Tells open workflows apart: the same tab keeps it, another tab has another. */
  key: string;
  name: string;
  isModified: boolean;
}

export interface NodeDefinition {
  type: string;
  title: string;
  category: string;
  description: string;
  isOutput: boolean;
  inputs: InputDefinition[];
  outputs: { name: string; type: string }[];
}

export interface InputDefinition {
  name: string;
  type: string;
  isOptional: boolean;
  /** The kind of widget that holds its value, if one does. */
  widget?: WidgetKind;
  choices?: readonly Choice[];
  default?: Json;
  min?: number;
  max?: number;
  step?: number;
}

/** Changes the graph that `Comfy.graph()` reads. Slots are indices; ids are those of `graph()`. */
export interface GraphEditor {
  /** Gives a node of an installed type a free place in view unless `position` says where. Moves nothing else. */
  addNode(type: string, options?: { title?: string; position?: Point }): NodeId;
  removeNode(node: NodeId): void;
  /** False when ComfyUI refuses the link. A link that was in the input is replaced. */
  connect(from: { node: NodeId; output: number }, to: { node: NodeId; input: number }): boolean;
  disconnect(input: { node: NodeId; input: number }): void;
  setWidget(node: NodeId, widget: string, value: Json): void;
}

/** ComfyUI's prompt queue, shared with everyone who uses this ComfyUI. */
export interface PromptQueue {
  /** Queues the whole workflow as the Run button does. Throws only when ComfyUI cannot be asked. */
  submit(): Promise<Submission>;
  subscribe(listener: (event: RunEvent) => void): () => void;
  place(promptId: string): Promise<QueuePlace>;
  /** What ComfyUI kept of a finished run; undefined while it waits or runs, and when it was removed unstarted. */
  record(promptId: string): Promise<RunRecord | undefined>;
  /** Takes this prompt out of the queue or interrupts it; every other prompt is left alone. */
  cancel(promptId: string): Promise<void>;
}

export type Submission = { accepted: true; promptId: string; problems: NodeProblem[] } | Refusal;

export interface Refusal {
  accepted: false;
  /** ComfyUI's word for the reason, such as `prompt_no_outputs` or `invalid_prompt`. */
  code: string;
  message: string;
  problems: NodeProblem[];
}

/** One reason why ComfyUI will not run a node. */
export interface NodeProblem {
  node: NodeId;
  type: string;
  input?: string;
  message: string;
}

export type RunEvent =
  | { type: "started"; promptId: string }
  | { type: "progress"; promptId: string; node: NodeId; value: number; maximum: number }
  | { type: "failed"; promptId: string; error: RunError }
  /** The run is over; `record` has it, or will in a moment. */
  | { type: "settled"; promptId: string }
  /** Something happened that may have ended a run, or events may have been missed: worth a look. */
  | { type: "stirred" };

export type QueuePlace = { state: "pending"; ahead: number } | { state: "running" } | { state: "absent" };

export interface RunRecord {
  status: "success" | "error" | "interrupted";
  /** From start to end by ComfyUI's clock. */
  seconds?: number;
  outputs: NodeOutput[];
  error?: RunError;
}

export interface RunError {
  /** As ComfyUI counts while it runs: node 3 inside subgraph node 6 is `6:3`. */
  node?: NodeId;
  type?: string;
  /** Class of the Python exception. */
  exception?: string;
  message: string;
}

export interface NodeOutput {
  node: NodeId;
  type: string;
  files: OutputFile[];
  texts: string[];
}

export interface OutputFile {
  kind: "image" | "video" | "audio" | "other";
  filename: string;
  subfolder: string;
  /** ComfyUI's folder: `output`, `temp` or `input`. */
  type: string;
}
