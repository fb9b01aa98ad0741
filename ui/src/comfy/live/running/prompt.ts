/** What `app.graphToPrompt` makes of the graph, and how a run's own values get into it. */

import { z } from "zod";
import type { Json } from "../../../graph/graph";
import { type RunChange, withChanges } from "../../../graph/prompt";
import { reasonOf } from "../../../shared/reasonOf";
import type { Prompt } from "../../bridge";
import { noteAppliedValues } from "../editing/appliedValues";
import { noteWrittenValues } from "../editing/writtenValues";
import { type LiveGraph, liveNode, type Page, rootGraph } from "../page";
import { checkRunSize } from "./runSize";

const promptSchema = z.looseObject({
  output: z.record(
    z.string(),
    z.looseObject({
      class_type: z.string().catch("?"),
      inputs: z.record(z.string(), z.custom<Json>()).catch({}),
      _meta: z
        .looseObject({ title: z.string().optional().catch(undefined) })
        .optional()
        .catch(undefined),
    }),
  ),
  workflow: z.unknown(),
});

const savedNode = z.looseObject({
  id: z.union([z.string(), z.number()]),
  type: z.string().catch("?"),
  widgets_values: z
    .union([z.array(z.unknown()), z.record(z.string(), z.unknown())])
    .optional()
    .catch(undefined),
  widgets_values_named: z.record(z.string(), z.unknown()).optional().catch(undefined),
});

const savedWorkflow = z.looseObject({
  nodes: z.array(savedNode),
  definitions: z
    .looseObject({
      subgraphs: z.array(z.looseObject({ id: z.string(), nodes: z.array(savedNode) })).catch([]),
    })
    .optional()
    .catch(undefined),
});

type SavedNode = z.infer<typeof savedNode>;

/** As the page makes it. */
export interface MadePrompt {
  made: unknown;
  packFailure?: string;
}

/**
 * What a run would get now. A pack that draws links for the time of a run alone hands it out itself; what it leaves in
 * the workflow by that is taken back. Where its function fails, the page's own prompt is what there is. Throws where it
 * would have more nodes than can be looked at.
 */
export async function makePrompt(page: Page): Promise<MadePrompt> {
  const { app } = page;
  const root = rootGraph(page);
  checkRunSize(root);
  const graphs = [root, ...(root.subgraphs?.values() ?? [])];
  const putBack = [noteAppliedValues(graphs), noteWrittenValues(graphs)];
  const kept = graphs.map((graph) => ({
    graph,
    extra: { ...graph.extra },
    lastLinkId: graph.state?.lastLinkId,
  }));
  const made = await madeBy(app).finally(() => {
    for (const each of putBack) each();
  });
  for (const { graph, extra, lastLinkId } of kept) {
    for (const key of Object.keys(graph.extra ?? {}))
      if (!(key in extra)) Reflect.deleteProperty(graph.extra ?? {}, key);
    Object.assign(graph.extra ?? {}, extra);
    if (graph.state && lastLinkId !== undefined && !hasLinkAfter(graph, lastLinkId, graph.state.lastLinkId))
      graph.state.lastLinkId = lastLinkId;
  }
  return made;
}

async function madeBy(app: Page["app"]): Promise<MadePrompt> {
  try {
    return { made: (await app.ue_modified_prompt?.()) ?? (await app.graphToPrompt()) };
  } catch (error) {
    if (!app.ue_modified_prompt) throw error;
    const made = await app.graphToPrompt();
    const why = reasonOf(error);
    return {
      made,
      packFailure: `The node package Use Everywhere failed where it hands on its links for a run (${why.replace(/\.$/, "")}), so they are not known.`,
    };
  }
}

/** Somebody may have drawn one meanwhile. */
function hasLinkAfter(graph: LiveGraph, before: number, last: number): boolean {
  for (let id = before + 1; id <= last; id++) if (graph.getLink(id)) return true;
  return false;
}

export function readPrompt({ made, packFailure }: MadePrompt): Prompt {
  const { output, workflow } = promptSchema.parse(made);
  return {
    nodes: output as Prompt["nodes"],
    workflow,
    ...(packFailure !== undefined && { packFailure }),
  };
}

/** With a run's own values, in what is run and in the workflow that its files carry. */
export function changedPrompt(page: Page, prompt: Prompt, changes: readonly RunChange[]): Prompt {
  if (changes.length === 0) return prompt;
  const saved = savedWorkflow.safeParse(structuredClone(prompt.workflow));
  if (saved.success) for (const change of changes) changeSaved(rootGraph(page), saved.data, change);
  return {
    nodes: withChanges(prompt.nodes, changes),
    workflow: saved.success ? saved.data : prompt.workflow,
  };
}

/** A subgraph's definition is shared by all its instances: the value of one of them is not written into it. */
function changeSaved(root: LiveGraph, workflow: z.infer<typeof savedWorkflow>, change: RunChange): void {
  const { node: holder, input } = change.shown ?? change;
  const path = holder.split(":");
  let live = root;
  let nodes: readonly SavedNode[] = workflow.nodes;
  for (const id of path.slice(0, -1)) {
    const instance = liveNode(live, id);
    const definition = workflow.definitions?.subgraphs.find((each) => each.id === instance?.type);
    if (!instance?.subgraph || !definition || instancesOf(workflow, definition.id) > 1) return;
    live = instance.subgraph;
    nodes = definition.nodes;
  }
  const id = path.at(-1) ?? "";
  const node = nodes.find((each) => String(each.id) === id);
  const index = liveNode(live, id)?.widgets?.findIndex(({ name }) => name === input) ?? -1;
  if (!node || index < 0) return;
  if (Array.isArray(node.widgets_values)) node.widgets_values[index] = change.value;
  else if (node.widgets_values) node.widgets_values[input] = change.value;
  if (node.widgets_values_named) node.widgets_values_named[input] = change.value;
}

function instancesOf({ nodes, definitions }: z.infer<typeof savedWorkflow>, id: string): number {
  const inner = definitions?.subgraphs.flatMap((each) => each.nodes) ?? [];
  return [...nodes, ...inner].filter(({ type }) => type === id).length;
}
