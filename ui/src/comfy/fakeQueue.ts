import type { Graph, GraphNode, NodeId } from "../graph/graph";
import type { NodeProblem, PromptQueue, RunEvent, RunRecord } from "./bridge";

/** What becomes of a submitted prompt: called with it as soon as it is in the queue, before `submit` answers. */
export type FakeRunner = (run: FakeRun) => void;

export interface FakeRun {
  readonly promptId: string;
  readonly graph: Graph;
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
  /** How many listen to events right now. */
  readonly listeners: number;
  /** Somebody else empties the queue, or ComfyUI restarts: waiting and running prompts vanish without a record. */
  forget(): void;
}

type Entry = { state: "pending" | "running" | "done"; record?: RunRecord };

/** By default a run succeeds at once and its events come before `submit` answers, as with a cached run. */
export function createFakeQueue(graph: () => Graph): FakeQueue {
  const entries = new Map<string, Entry>();
  const listeners = new Set<(event: RunEvent) => void>();
  const canceled: string[] = [];
  const runs: FakeRun[] = [];

  const queue: FakeQueue = {
    runner: succeedAtOnce,
    isConnected: true,
    isReachable: true,
    canceled,
    runs,
    get listeners() {
      return listeners.size;
    },
    async submit() {
      reach();
      const submitted = structuredClone(graph());
      const problems = problemsOf(submitted);
      const runnable = submitted.nodes.filter((node) => isOutput(node) && node.mode === "active");
      if (runnable.length === 0)
        return { accepted: false, code: "prompt_no_outputs", message: "Prompt has no outputs", problems: [] };
      const failing = new Set(problems.map(({ node }) => node));
      if (runnable.every((node) => upstream(submitted, node).some(({ id }) => failing.has(id))))
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
export function succeedAtOnce(run: FakeRun): void {
  run.start();
  run.finish({ status: "success", seconds: 0.1, outputs: run.graph.nodes.filter(isOutput).map(outputOf) });
}

function outputOf({ id, type }: GraphNode): RunRecord["outputs"][number] {
  if (type !== "SaveImage" && type !== "PreviewImage") return { node: id, type, files: [], texts: ["text"] };
  const folder = type === "SaveImage" ? "output" : "temp";
  const file = { kind: "image" as const, filename: "ComfyUI_00001_.png", subfolder: "", type: folder };
  return { node: id, type, files: [file], texts: [] };
}

function isOutput(node: GraphNode): boolean {
  return ["SaveImage", "PreviewImage", "PreviewAny"].includes(node.type);
}

function problemsOf(graph: Graph): NodeProblem[] {
  const needed = new Set(graph.nodes.filter(isOutput).flatMap((node) => upstream(graph, node)));
  return [...needed].flatMap((node) =>
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

function upstream(graph: Graph, node: GraphNode): GraphNode[] {
  const found = new Set([node]);
  for (const each of found)
    for (const { linkedFrom } of each.inputs) {
      const source = graph.nodes.find(({ id }) => id === linkedFrom?.node);
      if (source) found.add(source);
    }
  return [...found];
}
