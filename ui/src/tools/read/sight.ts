/** What a model has seen of a workflow, and what became different since. */

import type { Comfy, Workflow } from "../../comfy/bridge";
import { workflowInOrder } from "../../graph/compact/flow";
import { createWorkflowReader } from "../../graph/compact/readAgain";
import { withUnwired } from "../../graph/compact/unwired";
import { type CompactWorkflow, scopes } from "../../graph/compact/workflow";
import { workflowRevision } from "../../graph/revision";
import { type Known, knownInPart, knownWhole, type Shown, type Shows, type Sight } from "./known";

/** A conversation. */
export interface Reader {
  thread?: string | undefined;
  /** The workflow that its results tell of last: what was shown before the page was loaded is not known otherwise. */
  lastRead?: string | undefined;
}

const keptForEachWorkflow = 20;

interface Seen {
  /** By the key of the workflow. */
  known: Map<string, Known[]>;
  last?: Workflow;
}

const readers = new WeakMap<Comfy["whole"], ReturnType<typeof createWorkflowReader>>();

/** By thread: what one conversation has seen is news to another. */
const seen = new WeakMap<Comfy["whole"], Map<string, Seen>>();

/** The open workflow as it is now, all its subgraphs included. */
export function look(comfy: Comfy): Sight {
  const read = readers.get(comfy.whole) ?? createWorkflowReader();
  readers.set(comfy.whole, read);
  const workflow = read(comfy.whole.read(), comfy.whole.shape);
  return { revision: workflowRevision(workflow), workflow };
}

/** The same as a model is shown it, with the files that came to the server since the page was loaded. */
export async function lookForModel(comfy: Comfy): Promise<Sight> {
  const sight = await lookAfresh(comfy);
  return { ...sight, workflow: await forModel(comfy, sight.workflow) };
}

/** In order of flow, and with the links that no wire draws. */
async function forModel(comfy: Comfy, workflow: CompactWorkflow): Promise<CompactWorkflow> {
  return workflowInOrder(withUnwired(workflow, (await comfy.unwired()).links));
}

async function lookAfresh(comfy: Comfy): Promise<Sight> {
  const sight = look(comfy);
  return (await hasNewFiles(comfy, sight.workflow)) ? look(comfy) : sight;
}

/** Whether files came to the server since the page was loaded, for the nodes whose files are missing. */
export async function hasNewFiles(comfy: Comfy, workflow: CompactWorkflow): Promise<boolean> {
  const types = scopes(workflow).flatMap(({ graph }) =>
    graph.nodes.flatMap(({ type, values }) => (values.some(({ isMissing }) => isMissing) ? [type] : [])),
  );
  return types.length > 0 && comfy.refreshChoices(types);
}

/** The model has been shown the open workflow in this thread, or has made it so; with `shown`, only parts of it. */
export function remember(
  comfy: Comfy,
  sight: Sight,
  thread: string | undefined,
  shown?: Shows | Shown,
): void {
  const all = knownOf(comfy, thread);
  const parts = typeof shown === "function" ? { nodes: shown } : shown;
  const now = parts ? knownInPart(all.at(-1), sight, parts) : knownWhole(sight);
  const others = all.filter(({ revision }) => revision !== sight.revision);
  all.splice(0, all.length, ...others.slice(1 - keptForEachWorkflow), now);
  seenIn(comfy, thread).last = comfy.workflow();
}

/** The name of the workflow that the model has read last, where another one is open. */
export function otherWorkflow(comfy: Comfy, { thread, lastRead }: Reader): string | undefined {
  const open = comfy.workflow();
  const { last } = seenIn(comfy, thread);
  if (last) return last.key === open.key ? undefined : last.name;
  return lastRead === open.name ? undefined : lastRead;
}

/** What the model knows of the open workflow in this thread, or knew when it was told that revision. */
export function lastShown(comfy: Comfy, thread: string | undefined, revision?: string): Known | undefined {
  const all = knownOf(comfy, thread);
  return revision === undefined ? all.at(-1) : all.find((known) => known.revision === revision);
}

function knownOf(comfy: Comfy, thread: string | undefined): Known[] {
  return kept(seenIn(comfy, thread).known, comfy.workflow().key, []);
}

function seenIn({ whole }: Comfy, thread = ""): Seen {
  const threads = seen.get(whole) ?? new Map<string, Seen>();
  seen.set(whole, threads);
  return kept(threads, thread, { known: new Map() });
}

function kept<Value>(values: Map<string, Value>, key: string, fresh: Value): Value {
  const value = values.get(key) ?? fresh;
  values.set(key, value);
  return value;
}
