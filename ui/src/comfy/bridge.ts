/** What the tools may ask of ComfyUI, in plain data. `live.ts` answers from the page, `fake.ts` from memory. */

import type { WorkflowSource } from "../graph/compact/read";
import type {
  Choice,
  Graph,
  GraphNode,
  Json,
  NodeId,
  NodeMode,
  Place,
  Point,
  Rectangle,
  Scope,
  Size,
  WidgetKind,
} from "../graph/graph";
import type { ShapeOf } from "../graph/nodeShape";
import type { PromptNodes, RolledValue, RunChange } from "../graph/prompt";
import type { JsonObject } from "../graph/uiWorkflow";
import type { Unwired } from "../graph/unwired";
import type { FileKind } from "../shared/fileKinds";

export interface Comfy {
  workflow(): Workflow;
  /** What the server tells this page under a name, over ComfyUI's websocket. */
  hear(name: string, listener: (told: unknown) => void): void;
  /** The open workflows, that one among them, the last used first. */
  tabs(): Tab[];
  /** Goes to another of them, as a click on its tab does. */
  openTab(key: string): Promise<void>;
  /** A graph, read afresh on every call: by default the one that the user sees. Throws for a place that is none. */
  graph(place?: Place): Graph;
  /** The same, of which groups and the nodes' slots, widgets and sizes are read when asked for: until it is changed. */
  briefly(place?: Place): Graph;
  /** Where the graph lies that the user sees; one of its places, if its subgraph is used several times. */
  openPlace(): Place;
  /** Which graph that is. */
  scope(place?: Place): Scope;
  /** Links of the whole workflow that no wire draws, and which are there in what ComfyUI runs. */
  unwired(): Promise<Unwired>;
  /** One node of that graph, for a look at what an edit has done. */
  node(id: NodeId, place?: Place): GraphNode | undefined;
  nodeTypes(): readonly string[];
  nodeDefinition(type: string): NodeDefinition | undefined;
  /** Asks the server once which types it replaces; until it answers, none are known. */
  learnReplacements(): Promise<void>;
  /** The installed type that the server replaces this one with. Call `learnReplacements` first. */
  replacementOf(type: string): TypeReplacement | undefined;
  /** The types that only the page has, in the form of the server's definitions: it is told them for its searches. */
  pageTypes(): readonly JsonObject[];
  /**
   * Takes over the server's choices of these node types, such as files that were put into its folders since the page was
   * loaded. True where the page had others.
   */
  refreshChoices(types: readonly string[]): Promise<boolean>;
  /** Makes a file such as `a.png [output]` a choice of the widgets that take pictures from the page. */
  offerPicture(name: string): void;
  /**
   * A node of this type as ComfyUI would create it, in no graph. With values it is one that has got them, one after the
   * other, with what they bring forth; those for which there is no place in the end are passed over.
   */
  blankNode(type: string, values?: WidgetValues): GraphNode | undefined;
  /**
   * Everything that `change` does becomes one undo step; nothing changed, no step. Edits of the same turn join into
   * one step, as long as nobody else changes the workflow in between. When `change` throws, the workflow is put back.
   */
  edit<Result>(change: (editor: GraphEditor) => Result, options?: { turn?: string }): Result;
  /** Whether it is known what the turn has changed, and whether that is taken back now. */
  turnState(turn: string): TurnState | undefined;
  /**
   * Reads as soon as the newest edit is finished: packs do more to nodes that were just made, a moment later, which
   * belongs to the edit and its undo step.
   */
  finished<Result>(read: () => Result): Promise<Result>;
  /**
   * Takes back what the turn has changed in whatever workflows are open, or makes it again. What was changed since
   * stays; where both cannot be, nothing is changed, and it says in clauses what is in the way.
   */
  toggleTurn(turn: string): Promise<string[]>;
  /** Hears of the turns that the person has undone or made again by ComfyUI's own undo and redo. */
  hearTurns(listener: (turns: readonly string[]) => void): void;
  /** What is known of turns, as JSON, for the same page loaded anew. */
  keptTurns(): KeptTurn[];
  restoreTurns(kept: readonly KeptTurn[]): void;
  /** Outlines what a turn has changed on the canvas, until the next turn or a click on it. */
  mark(turn: string | undefined, changes: ChangeMarks): void;
  /** Moves the view to these nodes of the graph on the canvas, or to all: where they are out of sight, or always. */
  bringIntoView(nodes?: readonly NodeId[], options?: { always?: boolean }): void;
  readonly whole: WholeWorkflow;
  readonly queue: PromptQueue;
  /** Same-origin address of a file that a run produced. */
  viewUrl(file: OutputFile): string;
  /** A picture of this ComfyUI, made small; undefined when there is no such file, or it is no picture. */
  picture(file: StoredFile, limits: PictureLimits): Promise<Picture | undefined>;
  /** Puts a file into ComfyUI's input folder. Throws where ComfyUI does not take it. */
  upload(file: File): Promise<StoredFile>;
  /** Loads the page anew. Comes back only where the person keeps it, which the browser asks where something would be lost. */
  reload(): Promise<void>;
}

/** The workflow with all its subgraphs, as ComfyUI saves and loads it. */
export interface WholeWorkflow {
  read(): WorkflowSource;
  /** What a new node of this type looks like, with what belongs to the choices that are held. */
  shape: ShapeOf;
  /**
   * Puts a saved workflow in the place of the open one, as one undo step, or opens a tab for it. Throws when ComfyUI
   * cannot load it; the open workflow is then as it was.
   */
  load(workflow: JsonObject, options?: LoadOptions): Promise<void>;
  /** The workflow of a template, in any form; undefined when there is no template of that name. */
  template(name: string): Promise<unknown>;
  /** A file of a run, as it is; undefined when there is none of that name. */
  file(file: StoredFile): Promise<Uint8Array | undefined>;
}

export type TurnState = "done" | "undone";

export interface KeptTurn {
  turn: string;
  isUndone: boolean;
  /** Parts of saved workflows; one without `before` was opened, one without `after` closed. */
  changes: readonly { path: string; name: string; before?: unknown; after?: unknown }[];
}

export interface LoadOptions {
  /** Opens a tab of this name. */
  newTab?: string;
  turn?: string;
  /** Keeps what nodes of the same ids show, such as results of the last run. */
  keepsResults?: boolean;
}

export type WidgetValues = readonly (readonly [widget: string, value: Json])[];

export interface Workflow {
  /** Tells open workflows apart until the page is loaded anew: the same tab keeps it, another tab has another. */
  key: string;
  name: string;
  /** Where it was saved, as ComfyUI names it. */
  file?: string;
  /** Of its graph, the same in all pages; a copy of it has the same one. */
  id?: string;
  isModified: boolean;
}

export interface Tab {
  /** As in `Workflow`. */
  key: string;
  name: string;
  /** Those inside of a subgraph count once, as in a reading; undefined where it has not been loaded since the page was. */
  nodes?: number;
}

export interface ChangeMarks {
  added: readonly MarkedNode[];
  changed: readonly MarkedNode[];
}

export interface MarkedNode {
  place: Place;
  node: NodeId;
  /** Those into which a link was drawn. */
  inputs: readonly string[];
}

export interface NodeDefinition {
  type: string;
  title: string;
  category: string;
  description: string;
  isOutput: boolean;
  /** Kept for old workflows alone. */
  isDeprecated?: boolean;
  /** A run of it is paid from the person's ComfyUI account: the server marks it, or its module is ComfyUI's for that. */
  isPaid?: boolean;
  /** The package that brings it; none for ComfyUI's own. */
  origin?: string;
  inputs: InputDefinition[];
  outputs: { name: string; type: string; match?: string }[];
}

/** What takes the place of a type, and what then becomes of its parts. */
export interface TypeReplacement {
  type: string;
  /** The old type's widgets, in the order in which a saved workflow lists their values. */
  widgets?: readonly string[];
  /** Of inputs and widgets, the new name by the old one; what is not in it keeps its name. */
  names: ReadonlyMap<string, string>;
  /** What the new node is set to. */
  values: WidgetValues;
  /** The new place of an output by the old one. */
  outputs: ReadonlyMap<number, number>;
}

export interface InputDefinition {
  name: string;
  type: string;
  isOptional: boolean;
  /** The kind of widget that holds its value, if one does. */
  widget?: WidgetKind;
  /** An integer that stands for a color: 0xrrggbb. */
  isColor?: boolean;
  choices?: readonly Choice[];
  default?: Json;
  min?: number;
  max?: number;
  step?: number;
  /** Of a choice that brings inputs along: those of each, by their full names, such as `resize_type.width`. */
  options?: readonly { key: string; inputs: InputDefinition[] }[];
  /** It stands for a row of inputs, such as `images.image0`: their full names, how many are needed, and what each takes. */
  grows?: { names: readonly string[]; least: number; each: InputDefinition };
  /** All inputs and outputs of the node with this name have one type, of those that `type` lists. */
  match?: string;
}

/** Changes the graph that `Comfy.graph()` reads. Slots are indices; ids are those of `graph()`. */
export interface GraphEditor {
  /** The same for another graph of the workflow. */
  within(place: Place | undefined): GraphEditor;
  /**
   * A node of an installed type, somewhere unless `position` says where. Moves nothing else. `id` has to be free.
   */
  addNode(type: string, options?: NewNode): NodeId;
  removeNode(node: NodeId): void;
  /** False when ComfyUI refuses the link. A link that was in the input is replaced. */
  connect(from: { node: NodeId; output: number }, to: { node: NodeId; input: number }): boolean;
  disconnect(input: { node: NodeId; input: number }): void;
  /** The same where another link comes into this input within the same edit: the others of a growing row stay where they are. */
  makeRoom(input: { node: NodeId; input: number }): void;
  /** A widget that is not there yet is made, where the node has a way to load such a value. */
  setWidget(node: NodeId, widget: string, value: Json): void;
  setTitle(node: NodeId, title: string): void;
  setMode(node: NodeId, mode: NodeMode): void;
  /** One of ComfyUI's color names or `#rrggbb`; undefined takes the color away. */
  setColor(node: NodeId, color: string | undefined): void;
  moveNode(node: NodeId, position: Point): void;
  /** Draws a group around these nodes, which the bounds have to hold. */
  addGroup(title: string, nodes: readonly NodeId[], color?: string, bounds?: Rectangle): void;
  /** Gives a group, by its place in `Graph.groups`, new bounds; its nodes stay where they are. */
  placeGroup(index: number, bounds: Rectangle): void;
  /** Inside a subgraph: what stands for its inputs is left of all nodes then, and what stands for its outputs right of them. */
  clearEdges(): void;
  /** Takes the frame away; its nodes stay where they are. */
  removeGroup(index: number): void;
  /** A color as for nodes; without one the group gets that of a new one. */
  colorGroup(index: number, color: string | undefined): void;
  titleGroup(index: number, title: string): void;
  /** Puts these nodes into a new subgraph; returns the node that stands for it. */
  makeSubgraph(nodes: readonly NodeId[], title?: string): NodeId;
  /**
   * Puts the nodes of a subgraph in place of its node, under new ids, so far from where they lie inside. False where
   * ComfyUI does not do it, or loses some: the edit has to fail then.
   */
  expandSubgraph(node: NodeId, by: Point): boolean;
  /** Inside a subgraph: links a new input of it to this one. Its nodes show the input, or the widget behind it. */
  promoteInput(to: { node: NodeId; input: number }, name: string): void;
  promoteOutput(from: { node: NodeId; output: number }, name: string): void;
  /** Takes a slot, or a widget that it shows, from the node of a subgraph and from all others of that subgraph. */
  demote(node: NodeId, side: "input" | "output", name: string): void;
}

export interface NewNode {
  id?: NodeId;
  /** Collapsed as the removed node was that had this id, and as large where that is enough. */
  keepsLook?: boolean;
  title?: string;
  position?: Point;
  size?: Size;
}

/** ComfyUI's prompt queue, shared with everyone who uses this ComfyUI. */
export interface PromptQueue {
  /** What a run would execute now. The graph stays as it is. */
  prompt(): Promise<Prompt>;
  /** Queues a run. Throws only when ComfyUI cannot be asked. */
  submit(request?: RunRequest, options?: SubmitOptions): Promise<Submission>;
  /** A run that a page before this one has queued for us: its failure is no news to the person. */
  adopt(promptId: string): void;
  subscribe(listener: (event: RunEvent) => void): () => void;
  place(promptId: string): Promise<QueuePlace>;
  /** What ComfyUI kept of a finished run; undefined while it waits or runs, and when it was removed unstarted. */
  record(promptId: string): Promise<RunRecord | undefined>;
  /**
   * Tells of runs that fail although no tool began them, with the key of the workflow that they are of, and with
   * undefined that a later run of it is queued.
   */
  watchFailures(listener: (workflow: string, failure: RunFailure | undefined) => void): void;
  /** Why the newest run of the open workflow failed, whoever began it, as far as ComfyUI's page marks it or it was heard of. */
  shownFailure(): RunFailure | undefined;
  /** Takes this prompt out of the queue or interrupts it; every other prompt is left alone. */
  cancel(promptId: string): Promise<void>;
  /** ComfyUI's models leave its memory before the next run. */
  freeMemory(): Promise<void>;
}

export interface Prompt {
  nodes: PromptNodes;
  /** Why what a pack adds to a run is not in it, as a sentence: the pack's own function failed. */
  packFailure?: string;
  /** The workflow as it is saved into the files that a run makes; only `submit` looks into it. */
  workflow: unknown;
}

/**
 * Left out, the whole workflow is queued as the Run button does it, and with `targets` only these output nodes: seeds
 * count on, and sign-in is passed along. With `prompt`, exactly that is queued, and the graph stays as it is.
 */
export type RunRequest = { targets: readonly NodeId[] } | { prompt: Prompt; changes: readonly RunChange[] };

export interface SubmitOptions {
  /** What the page changes by queueing it belongs to this turn. */
  turn?: string | undefined;
  /** Told what is about to be sent, all of it: false refuses it as `changedMeanwhile`. */
  isAsAsked?(nodes: PromptNodes): Promise<boolean>;
}

export const changedMeanwhile = "changed_meanwhile";

export type Submission = Accepted | Refusal;

export interface Accepted {
  accepted: true;
  promptId: string;
  problems: NodeProblem[];
  /** What the run uses and the graph holds no more, such as seeds. */
  rolled?: RolledValue[];
}

export interface Refusal {
  accepted: false;
  /** ComfyUI's word for the reason, such as `prompt_no_outputs` or `invalid_prompt`, or `changedMeanwhile`. */
  code: string;
  message: string;
  problems: NodeProblem[];
}

/** Why a run did not begin, or what ended it. */
export interface RunFailure {
  problems: NodeProblem[];
  /** Why the whole prompt was refused. */
  refusal?: string;
  error?: RunError;
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
  /** Short texts and choices that the node was called with, by their inputs. */
  texts?: Readonly<Record<string, string>>;
}

export interface NodeOutput {
  node: NodeId;
  type: string;
  /** It did not run, as nothing that leads to it had changed: the files are those of an earlier run. */
  isCached?: boolean;
  files: OutputFile[];
  texts: string[];
}

export interface PictureLimits {
  /** In pixels. */
  longestSide: number;
  mostBytes: number;
}

export interface Picture {
  /** A data URL. */
  url: string;
  /** Of the whole picture. */
  width: number;
  height: number;
}

export interface StoredFile {
  filename: string;
  subfolder: string;
  /** ComfyUI's folder: `output`, `temp` or `input`. */
  type: string;
}

export interface OutputFile extends StoredFile {
  kind: FileKind;
}
