/** What we use of ComfyUI's page, in the shapes that frontends 1.32 and 1.58 share. */

import type { Rectangle } from "../../graph/placement";

export interface Page {
  readonly app: LiveApp;
  readonly api: LiveApi;
  readonly liteGraph: LiveLiteGraph;
  /** The part of the canvas that no panel covers, in the graph's coordinates. */
  visibleArea(): Rectangle | undefined;
}

export interface LiveApp {
  rootGraph?: LiveGraph;
  graph: LiveGraph;
  canvas: LiveCanvas;
  extensionManager?: { workflow?: { activeWorkflow?: LiveWorkflow | null } };
  /** 0 appends to the queue. The reply says nothing reliable: false on 1.32 even on success. */
  queuePrompt(number: number, batchCount: number): Promise<unknown>;
  processingQueue?: boolean;
}

export interface LiveWorkflow {
  path: string;
  filename?: string;
  isModified?: boolean;
  changeTracker?: LiveChangeTracker | null;
}

export interface LiveChangeTracker {
  /** The states before each undo step, the latest last. */
  undoQueue: unknown[];
  beforeChange(): void;
  /** Makes a step of what changed since the last one. */
  afterChange(): void;
}

export interface LiveCanvas {
  graph?: LiveGraph | null;
  canvas: HTMLCanvasElement;
  ds: { scale: number; offset: ArrayLike<number> };
  selected_nodes?: Record<string, LiveNode>;
}

export interface LiveGraph {
  id: string;
  name?: string;
  nodes: LiveNode[];
  groups?: LiveGroup[];
  /** Only inside a subgraph. */
  outputs?: { name: string; type: LiveType; linkIds: (string | number)[] }[];
  inputs?: { name: string; type: LiveType }[];
  getNodeById(id: string | number): LiveNode | null | undefined;
  getLink(id: string | number | null | undefined): LiveLink | null | undefined;
  add(node: LiveNode): unknown;
  remove(node: LiveNode): void;
  setDirtyCanvas(foreground: boolean, background?: boolean): void;
}

export interface LiveGroup {
  title: string;
  pos: ArrayLike<number>;
  size: ArrayLike<number>;
}

/** LiteGraph types are text, a number for "event" or 0 for anything. */
export type LiveType = string | number;

export interface LiveLink {
  origin_id: string | number;
  origin_slot: number;
  target_id: string | number;
  target_slot: number;
}

export interface LiveNode {
  id: string | number;
  type: string;
  title: string;
  mode: number;
  pos: ArrayLike<number>;
  size: ArrayLike<number>;
  inputs?: LiveInput[];
  outputs?: LiveOutput[];
  widgets?: LiveWidget[];
  constructor: { title?: string; nodeData?: unknown };
  subgraph?: LiveGraph;
  isSubgraphNode?(): boolean;
  connect(output: number, target: LiveNode, input: number): unknown;
  disconnectInput(input: number): unknown;
  onWidgetChanged?(name: string, value: unknown, previous: unknown, widget: LiveWidget): void;
}

export interface LiveInput {
  name: string;
  type: LiveType;
  link?: string | number | null;
  widget?: { name?: string };
  /** 7, the hollow circle, marks optional inputs. */
  shape?: number;
}

export interface LiveOutput {
  name: string;
  type: LiveType;
  links?: (string | number)[] | null;
}

export interface LiveWidget {
  name: string;
  type?: string;
  value: unknown;
  /** False for what is not saved with the workflow. */
  serialize?: boolean;
  options?: {
    values?: unknown;
    min?: number;
    max?: number;
    /** The real step; `step` is ten times as much. */
    step2?: number;
    precision?: number;
  };
  callback?(value: unknown, canvas: LiveCanvas, node: LiveNode, position?: unknown, event?: unknown): void;
  setValue?(value: unknown, around: { e: unknown; node: LiveNode; canvas: LiveCanvas }): void;
}

export interface LiveLiteGraph {
  createNode(type: string): LiveNode | null;
  registered_node_types: Record<string, { title?: string; nodeData?: unknown }>;
  NODE_TITLE_HEIGHT: number;
}

export interface LiveApi {
  fetchApi(route: string, init?: RequestInit): Promise<Response>;
  apiURL(route: string): string;
  addEventListener(type: string, listener: (event: Event) => void): void;
  removeEventListener(type: string, listener: (event: Event) => void): void;
  queuePrompt(number: number, ...rest: unknown[]): Promise<unknown>;
}

/** The graph on the canvas: an open subgraph, else the workflow. */
export function openGraph(page: Page): LiveGraph {
  return page.app.canvas.graph ?? rootGraph(page);
}

export function rootGraph(page: Page): LiveGraph {
  return page.app.rootGraph ?? page.app.graph;
}

/** Ids are numbers on 1.32 and strings on 1.58. */
export function liveNode(graph: LiveGraph, id: string): LiveNode | undefined {
  return graph.nodes.find((node) => String(node.id) === id);
}
