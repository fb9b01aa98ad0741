/** What we use of ComfyUI's page, in the shapes that frontends 1.32 and 1.58 share. */

import type { Place } from "../../graph/graph";

export interface Page {
  readonly app: LiveApp;
  readonly api: LiveApi;
  readonly liteGraph: LiveLiteGraph;
  /** Of ComfyUI's frontend: "1.58.1". */
  readonly version?: string;
}

export interface LiveApp {
  rootGraph?: LiveGraph;
  graph: LiveGraph;
  canvas: LiveCanvas;
  extensionManager?: { workflow?: LiveTabs; setting?: { get(id: string): unknown } };
  /** Without a workflow, or with a name for one, it opens a tab. Failures of its own it shows and swallows. */
  loadGraphData(
    workflow: unknown,
    clean: boolean,
    restoreView: boolean,
    into: LiveWorkflow | string | null,
    options: Record<string, boolean>,
  ): Promise<unknown>;
  /** 0 appends to the queue. The reply says nothing reliable: false on 1.32 even on success. */
  queuePrompt(number: number, batchCount: number, targets?: readonly string[]): Promise<unknown>;
  /** The workflow in API form, and as it is saved. */
  graphToPrompt(): Promise<unknown>;
  /** The same as a run gets it, from a pack that draws its links only for that time. */
  ue_modified_prompt?(): Promise<unknown>;
  /** By node id. */
  lastNodeErrors?: unknown;
  lastExecutionError?: unknown;
  processingQueue?: boolean;
}

export interface LiveTabs {
  activeWorkflow?: LiveWorkflow | null;
  openWorkflows?: readonly LiveWorkflow[];
  closeWorkflow?(workflow: LiveWorkflow): Promise<void>;
}

export interface LiveWorkflow {
  path: string;
  filename?: string;
  isModified?: boolean;
  /** It was never saved. */
  isTemporary?: boolean;
  isLoaded?: boolean;
  activeState?: unknown;
  load?(): Promise<unknown>;
  changeTracker?: LiveChangeTracker | null;
}

export interface LiveChangeTracker {
  /** The states before each undo step, the latest last. */
  undoQueue: unknown[];
  redoQueue?: unknown[];
  /** What the workflow is now, and what it was when it was saved. */
  activeState?: unknown;
  initialState?: unknown;
  updateModified?(): void;
  undo?(): Promise<void>;
  redo?(): Promise<void>;
  beforeChange(): void;
  /** Makes a step of what changed since the last one. */
  afterChange(): void;
}

export interface LiveCanvas {
  graph?: LiveGraph | null;
  setGraph?(graph: LiveGraph): void;
  canvas: HTMLCanvasElement;
  constructor: { node_colors?: Record<string, LiveColors> };
  ds: { scale: number; offset: { [index: number]: number } };
  selectedItems?: Iterable<LiveNode | LiveGroup>;
  deselectAll?(): void;
  selectItems?(items: Iterable<LiveNode | LiveGroup>): void;
  /** Where nodes are elements, on pages that keep the places of these themselves. */
  repositionNodesVueMode?(places: { node: LiveNode; newPos: { x: number; y: number } }[]): void;
  /** Called in the graph's coordinates after everything else is drawn. */
  onDrawForeground?: ((context: CanvasRenderingContext2D, area: unknown) => void) | null;
}

export interface LiveGraph {
  id: string;
  name?: string;
  nodes: LiveNode[];
  groups?: LiveGroup[];
  extra?: Record<string, unknown>;
  /** Counters, of which the next ids come. */
  state?: { lastLinkId: number };
  /** Only inside a subgraph: what stands on the canvas for its inputs, and for its outputs. */
  inputNode?: LiveEdge;
  outputNode?: LiveEdge;
  outputs?: LiveSubgraphOutput[];
  inputs?: LiveSubgraphInput[];
  addInput?(name: string, type: LiveType): LiveSubgraphInput;
  addOutput?(name: string, type: LiveType): LiveSubgraphOutput;
  removeInput?(input: LiveSubgraphInput): void;
  removeOutput?(output: LiveSubgraphOutput): void;
  /** Only of the workflow: its subgraphs by id. */
  subgraphs?: Map<string, LiveGraph>;
  getNodeById?(id: string | number): LiveNode | null | undefined;
  links?: { values(): Iterable<LiveLink> };
  /** The points that links are led over. */
  reroutes?: { values(): Iterable<{ pos: ArrayLike<number> }> };
  getLink(id: string | number | null | undefined): LiveLink | null | undefined;
  add(item: LiveNode | LiveGroup): unknown;
  remove(item: LiveNode | LiveGroup): void;
  convertToSubgraph(nodes: Set<LiveNode>): { node: LiveNode; subgraph: LiveGraph };
  /** False where newer pages do nothing. */
  unpackSubgraph(node: LiveNode): unknown;
  serialize(): SerialisedGraph;
  configure(data: SerialisedGraph): unknown;
  setDirtyCanvas(foreground: boolean, background?: boolean): void;
}

export interface LiveEdge {
  pos: ArrayLike<number>;
  size: ArrayLike<number>;
}

export interface SerialisedGraph {
  nodes: { id: string | number; type?: string; order?: number; widgets_values?: unknown }[];
  definitions?: { subgraphs?: (SerialisedGraph & { id: string })[] };
}

export interface LivePort {
  name: string;
  /** What somebody has called it on the canvas. */
  label?: string;
  type: LiveType;
  linkIds: (string | number)[];
}

export interface LiveSubgraphInput extends LivePort {
  connect(input: LiveInput, node: LiveNode): unknown;
}

export interface LiveSubgraphOutput extends LivePort {
  connect(output: LiveOutput, node: LiveNode): unknown;
  disconnect(): void;
}

export interface LiveGroup {
  title: string;
  pos: ArrayLike<number>;
  size: ArrayLike<number>;
  color?: string;
}

export interface LiveColors {
  color: string;
  bgcolor: string;
  groupcolor: string;
}

/** LiteGraph types are text, a number for "event" or 0 for anything. */
export type LiveType = string | number;

export interface LiveLink {
  id?: string | number;
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
  order: number;
  pos: ArrayLike<number>;
  size: ArrayLike<number>;
  /** The least that its slots and widgets take. */
  computeSize?(): ArrayLike<number>;
  flags?: { collapsed?: boolean };
  /** Known once it has been drawn collapsed. */
  _collapsed_width?: number;
  title_mode?: number;
  color?: string;
  bgcolor?: string;
  setColorOption?(colors: LiveColors | null): void;
  inputs?: LiveInput[];
  outputs?: LiveOutput[];
  widgets?: LiveWidget[];
  /** As it stands in the file, of a node whose type is not installed. */
  last_serialization?: { widgets_values?: unknown; [field: string]: unknown };
  constructor: { title?: string; nodeData?: unknown };
  /** It only hands on what `getInputLink` tells for an output, and is not run. */
  isVirtualNode?: boolean;
  /** Of a primitive: writes its value into the widgets that it feeds. */
  applyToGraph?(): void;
  getInputLink?(output: number): LiveLink | null | undefined;
  badges?: unknown[];
  /** On 1.32, assigning `proxyWidgets` shows these widgets of inner nodes: `[node, widget]`, -1 for its own. */
  properties?: { proxyWidgets?: unknown };
  graph?: LiveGraph | null;
  subgraph?: LiveGraph;
  isSubgraphNode?(): boolean;
  boundingRect?: ArrayLike<number>;
  getInputPos?(slot: number): ArrayLike<number>;
  connect(output: number, target: LiveNode, input: number): unknown;
  disconnectInput(input: number): unknown;
  onConnectionsChange?(...change: readonly unknown[]): unknown;
  /** The growing rows among its inputs, and other things that newer pages know of it. */
  comfyDynamic?: { autogrow?: unknown };
  expandToFitContent?(): void;
  onRemoved?(): void;
  serialize?(): { widgets_values?: unknown };
  configure?(saved: unknown): void;
  onWidgetChanged?(name: string, value: unknown, previous: unknown, widget: LiveWidget): void;
}

export interface LiveWatched {
  /** Vue's own, of what it watches: the object itself. */
  __v_raw?: unknown;
}

export interface LiveNodeState extends LiveWatched {
  inputs?: LiveWatched[];
  outputs?: LiveWatched[];
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
  /** What the page shows in the place of its name. */
  label?: string;
  type?: string;
  value: unknown;
  /** False for what is not saved with the workflow. */
  serialize?: boolean;
  /** The field of a text that is more than a line, or what a pack has built. */
  element?: { readOnly?: boolean };
  /** The field, of packs that build it into their own element. */
  inputEl?: { readOnly?: boolean };
  /** Of one that stands for a widget inside a subgraph, where some frontends save its value. */
  sourceWidgetName?: string;
  options?: {
    /** False for what does not go into the prompt. */
    serialize?: boolean;
    /** Declared so: nobody is shown it. */
    hidden?: boolean;
    values?: unknown;
    min?: number;
    max?: number;
    /** The real step; `step` is ten times as much. */
    step2?: number;
    precision?: number;
  };
  callback?(value: unknown, canvas: LiveCanvas, node: LiveNode, position?: unknown, event?: unknown): void;
  /** What stands in the prompt in place of the value, or a promise of it. */
  serializeValue?(...given: readonly unknown[]): unknown;
  setValue?(value: unknown, around: { e: unknown; node: LiveNode; canvas: LiveCanvas }): void;
  /** Of one whose choices the page fetches: it does so anew. */
  refresh?(): void;
}

export interface LiveLiteGraph {
  createNode(type: string): LiveNode | null;
  /** Whether what a node's constructor throws is written into the console, or thrown on. */
  catch_exceptions?: boolean;
  LGraphGroup: new (title: string) => LiveGroup;
  /** From 1.58 a node is saved from the state that the page keeps of it. */
  LGraphNode?: { prototype: { serializeFromStoreState?(state: LiveNodeState): unknown } };
  registered_node_types: Record<
    string,
    { title?: string; nodeData?: unknown; category?: unknown; desc?: unknown }
  >;
  /** Nodes 2.0: nodes are drawn as elements of the page, which are higher. */
  vueNodesMode?: boolean;
}

export interface LiveApi {
  serverSupportsFeature?(name: string): boolean;
  fetchApi(route: string, init?: RequestInit): Promise<Response>;
  apiURL(route: string): string;
  addEventListener(type: string, listener: (event: Event) => void): void;
  removeEventListener(type: string, listener: (event: Event) => void): void;
  queuePrompt(number: number, ...rest: unknown[]): Promise<unknown>;
  dispatchCustomEvent?(type: string, ...rest: unknown[]): unknown;
}

/** The graph on the canvas: an open subgraph, else the workflow. */
export function openGraph(page: Page): LiveGraph {
  return page.app.canvas.graph ?? rootGraph(page);
}

export function rootGraph(page: Page): LiveGraph {
  return page.app.rootGraph ?? page.app.graph;
}

/** The graph at a place. Throws where a subgraph on the way is missing. */
export function graphAt(page: Page, place: Place | undefined): LiveGraph {
  const graph = graphFound(page, place);
  if (!graph) throw new Error(`There is no subgraph node ${place?.join(":")}.`);
  return graph;
}

export function graphFound(page: Page, place: Place | undefined): LiveGraph | undefined {
  if (place === undefined) return openGraph(page);
  return place.reduce<LiveGraph | undefined>(
    (graph, id) => graph && liveNode(graph, id)?.subgraph,
    rootGraph(page),
  );
}

/** The first way from the workflow down to the graph on the canvas. */
export function openPlace(page: Page): Place {
  const open = openGraph(page);
  const seen = new Set<LiveGraph>();
  const search = (graph: LiveGraph): Place | undefined => {
    if (graph === open) return [];
    if (seen.has(graph)) return undefined;
    seen.add(graph);
    for (const node of graph.nodes) {
      const rest = node.subgraph && search(node.subgraph);
      if (rest) return [String(node.id), ...rest];
    }
    return undefined;
  };
  return search(rootGraph(page)) ?? [];
}

export function nodesOfAllGraphs(page: Page): LiveNode[] {
  const root = rootGraph(page);
  return [root, ...(root.subgraphs?.values() ?? [])].flatMap(({ nodes }) => nodes);
}

/** The nodes that stand for a subgraph, wherever they are. */
export function nodesOfSubgraph(page: Page, subgraph: LiveGraph): LiveNode[] {
  return nodesOfAllGraphs(page).filter((node) => node.subgraph === subgraph);
}

/** Ids are numbers on 1.32 and strings on 1.58. */
export function liveNode(graph: LiveGraph, id: string): LiveNode | undefined {
  const indexed = graph.getNodeById?.(id);
  return indexed && String(indexed.id) === id ? indexed : graph.nodes.find((node) => String(node.id) === id);
}
