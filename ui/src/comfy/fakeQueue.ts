import {
  findNode,
  type Graph,
  type GraphNode,
  type Json,
  type LinkSource,
  type NodeId,
} from "../graph/graph";
import { handedOn } from "../graph/handedOn";
import type { PromptNode, PromptNodes } from "../graph/prompt";
import { upstreamPart, withChanges } from "../graph/prompt";
import {
  changedMeanwhile,
  type NodeProblem,
  type PromptQueue,
  type RunEvent,
  type RunFailure,
  type RunRecord,
  type RunRequest,
} from "./bridge";

/** What becomes of a submitted prompt: called with it as soon as it is in the queue, before `submit` answers. */
export type FakeRunner = (run: FakeRun) => void;

export interface FakeRun {
  readonly promptId: string;
  readonly graph: Graph;
  /** What is executed. */
  readonly nodes: PromptNodes;
  /** Leaves the queue's waiting part, and says so unless the websocket is down. */
  start(): void;
  progress(node: NodeId, value: number, maximum: number): void;
  finish(record: RunRecord): void;
}

export interface FakeQueue extends PromptQueue {
  runner: FakeRunner;
  /** The websocket: without it, nothing that happens is told. */
  isConnected: boolean;
  /** Nothing answers at all. */
  isReachable: boolean;
  /** Ids of prompts that `cancel` took out or interrupted. */
  readonly canceled: readonly string[];
  readonly runs: readonly FakeRun[];
  /** Ids of prompts that an earlier page has queued. */
  readonly adopted: readonly string[];
  /** How many listen to events right now. */
  readonly listeners: number;
  /** What the page marks. */
  shown: RunFailure | undefined;
  /** A run of the person fails, or with undefined one is accepted. */
  fail(failure: RunFailure | undefined): void;
  /** Somebody else empties the queue, or ComfyUI restarts: waiting and running prompts vanish without a record. */
  forget(): void;
  /** The websocket is gone, or the queue's length has changed. */
  stir(): void;
  /** The page is loaded anew: who listened is gone. */
  leavePage(): void;
}

type Entry = { state: "pending" | "running" | "done"; record?: RunRecord };

/** By default a run succeeds at once and its events come before `submit` answers, as with a cached run. */
export function createFakeQueue(graph: () => Graph, openKey: () => string): FakeQueue {
  const entries = new Map<string, Entry>();
  const listeners = new Set<(event: RunEvent) => void>();
  const failureListeners: ((workflow: string, failure: RunFailure | undefined) => void)[] = [];
  const canceled: string[] = [];
  const runs: FakeRun[] = [];
  const adopted: string[] = [];

  const queue: FakeQueue = {
    runner: succeedAtOnce,
    isConnected: true,
    isReachable: true,
    shown: undefined,
    canceled,
    runs,
    adopted,
    get listeners() {
      return listeners.size;
    },
    async prompt() {
      reach();
      return { nodes: promptNodes(structuredClone(graph())), workflow: {} };
    },
    async submit(request, { isAsAsked } = {}) {
      reach();
      const submitted = structuredClone(graph());
      const isOfGraph = !(request && "prompt" in request);
      if (isOfGraph && isAsAsked && !(await isAsAsked(promptNodes(submitted))))
        return { accepted: false, code: changedMeanwhile, message: "Changed.", problems: [] };
      const nodes = requestedNodes(promptNodes(submitted), request);
      const absent = submitted.nodes.find(({ id, isInstalled }) => !isInstalled && id in nodes);
      if (absent)
        return {
          ...{ accepted: false, code: "missing_node_type", message: "A node has no class_type" },
          problems: [{ node: absent.id, type: absent.type, message: "This node type is not installed" }],
        };
      const outputs = Object.keys(nodes).filter((id) => isOutput(nodes[id]));
      if (outputs.length === 0)
        return { accepted: false, code: "prompt_no_outputs", message: "Prompt has no outputs", problems: [] };
      const problems = problemsOf(submitted, upstreamPart(nodes, outputs));
      const failing = problems.map(({ node }) => node);
      if (outputs.every((id) => failing.some((each) => each in upstreamPart(nodes, [id]))))
        return {
          accepted: false,
          code: "prompt_outputs_failed_validation",
          message: "Prompt outputs failed validation",
          problems,
        };
      const promptId = `prompt-${entries.size + 1}`;
      const entry: Entry = { state: "pending" };
      entries.set(promptId, entry);
      const run: FakeRun = {
        promptId,
        graph: submitted,
        nodes,
        start() {
          entry.state = "running";
          tell({ type: "started", promptId });
        },
        progress: (node, value, maximum) => tell({ type: "progress", promptId, node, value, maximum }),
        finish(record) {
          entry.state = "done";
          entry.record = record;
          if (record.error) tell({ type: "failed", promptId, error: record.error });
          tell({ type: "settled", promptId });
        },
      };
      runs.push(run);
      queue.runner(run);
      return { accepted: true, promptId, problems };
    },
    adopt(promptId) {
      adopted.push(promptId);
    },
    watchFailures(listener) {
      failureListeners.push(listener);
    },
    shownFailure: () => queue.shown,
    fail(failure) {
      queue.shown = failure;
      for (const listener of failureListeners) listener(openKey(), failure);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async place(promptId) {
      reach();
      const entry = entries.get(promptId);
      if (entry?.state === "running") return { state: "running" };
      if (entry?.state !== "pending") return { state: "absent" };
      const ids = [...entries.keys()];
      const ahead = ids
        .slice(0, ids.indexOf(promptId))
        .filter((id) => entries.get(id)?.state !== "done").length;
      return { state: "pending", ahead };
    },
    async record(promptId) {
      reach();
      return entries.get(promptId)?.record;
    },
    async freeMemory() {},

    async cancel(promptId) {
      reach();
      const entry = entries.get(promptId);
      if (!entry || entry.state === "done") return;
      canceled.push(promptId);
      if (entry.state === "pending") {
        entries.delete(promptId);
        return;
      }
      entry.state = "done";
      entry.record = { status: "interrupted", outputs: [] };
      tell({ type: "settled", promptId });
    },
    leavePage: () => listeners.clear(),
    stir: () => tell({ type: "stirred" }),
    forget() {
      for (const [id, { state }] of entries) if (state !== "done") entries.delete(id);
      tell({ type: "stirred" });
    },
  };

  function tell(event: RunEvent): void {
    if (queue.isConnected) for (const listener of [...listeners]) listener(event);
  }

  function reach(): void {
    if (!queue.isReachable) throw new TypeError("Failed to fetch");
  }

  return queue;
}

/** Every output node that saves shows one image, every other output node one text. */
function succeedAtOnce(run: FakeRun): void {
  run.start();
  const outputs = Object.entries(run.nodes).filter(([, node]) => isOutput(node));
  run.finish({ status: "success", seconds: 0.1, outputs: outputs.map(([id, node]) => outputOf(id, node)) });
}

function outputOf(node: NodeId, { class_type: type }: PromptNode): RunRecord["outputs"][number] {
  if (type !== "SaveImage" && type !== "PreviewImage") return { node, type, files: [], texts: ["text"] };
  const folder = type === "SaveImage" ? "output" : "temp";
  const file = { kind: "image" as const, filename: "ComfyUI_00001_.png", subfolder: "", type: folder };
  return { node, type, files: [file], texts: [] };
}

function isOutput(node: PromptNode | undefined): boolean {
  return node !== undefined && ["SaveImage", "PreviewImage", "PreviewAny"].includes(node.class_type);
}

function promptNodes(graph: Graph): PromptNodes {
  const active = graph.nodes.filter(({ mode }) => mode === "active");
  return Object.fromEntries(active.map((node) => [node.id, promptNode(node, graph)]));
}

/** What is behind bypassed nodes, which hand an input of the same type on; undefined where nothing comes. */
function sourceBehind(from: LinkSource, graph: Graph): LinkSource | undefined {
  const node = findNode(graph, from.node);
  if (!node || node.mode === "active") return from;
  const before = node.mode === "bypassed" && handedOn(node, from.output)?.linkedFrom;
  return before ? sourceBehind(before, graph) : undefined;
}

function promptNode({ type, title, widgets, inputs }: GraphNode, graph: Graph): PromptNode {
  const values = widgets
    .filter(({ name }) => name !== "control_after_generate")
    .map(({ name, value }): [string, Json] => [name, value]);
  const links = inputs.flatMap(({ name, linkedFrom }): [string, Json][] => {
    const source = linkedFrom && sourceBehind(linkedFrom, graph);
    return source ? [[name, [source.node, source.output]]] : [];
  });
  return { class_type: type, inputs: Object.fromEntries([...values, ...links]), _meta: { title } };
}

function requestedNodes(nodes: PromptNodes, request: RunRequest | undefined): PromptNodes {
  if (!request) return nodes;
  return "targets" in request
    ? upstreamPart(nodes, request.targets)
    : withChanges(request.prompt.nodes, request.changes);
}

function problemsOf(graph: Graph, needed: PromptNodes): NodeProblem[] {
  return graph.nodes
    .filter(({ id }) => id in needed)
    .flatMap((node) =>
      node.inputs
        .filter((input) => !input.isWidget && !input.isOptional && !input.linkedFrom)
        .map((input) => ({
          node: node.id,
          type: node.type,
          input: input.name,
          message: "Required input is missing",
        })),
    );
}
