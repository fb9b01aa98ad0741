import { z } from "zod";
import { groupName, nodeWords } from "../graph/compact/changeWords";
import type { Json } from "../graph/graph";
import { nodePath } from "../graph/nodePath";
import { changeKinds } from "../shared/graphChanges";
import { editList, exampleFor, readEdits } from "./edit/batchArguments";
import { changesData } from "./edit/outcome";
import { type BatchDone, newsData, runBatchIfAllowed } from "./edit/runBatch";
import { defineTool, type ToolResult, type ToolSuccess } from "./tool";
import { textArgument } from "./values/arguments";

export const editWorkflow = defineTool({
  name: "editWorkflow",
  description:
    "Change the open workflow in one batch, all or nothing. Nodes go by id, by a name given with `as` in this batch, or by path into a subgraph such as 12:3; inside one, input.NAME and output.NAME are its own slots. replace keeps fitting links and values. Results list what is still unconnected.",
  input: z.object({
    operations: editList,
    revision: textArgument("The revision it was planned on; by default the last one shown.").optional(),
  }),
  effect: "edits",
  example: ({ operations }) => exampleFor(operations),
  async run({ operations, revision }, comfy, context): Promise<ToolResult<Json>> {
    const done = await runBatchIfAllowed(comfy, readEdits(operations), { ...context, revision });
    return "ok" in done ? done : success(done);
  },
  label: ({ operations }) =>
    operations && operations.length > 0
      ? `Edit the workflow: ${operations.length} operation${operations.length === 1 ? "" : "s"}`
      : "Edit the workflow",
});

const shown = 8;

function success(done: BatchDone): ToolSuccess<Json> {
  const { open, stillUnconnected, adjusted, subgraphs, plan } = done;
  const parts = changeKinds.flatMap((kind) => {
    const groups = done.groups.filter((change) => change.kind === kind);
    return phrase(kind, [...done[kind].map((change) => nodeWords(change, open)), ...groups.map(groupName)]);
  });
  const names = plan.draft
    .namesGiven()
    .map(([name, { at, node }]) => [name, nodePath(at.place.map(done.idOf), done.idOf(node.id), open)]);
  const lost = plan.steps.flatMap(({ loses }) => loses ?? []);
  const left = plan.steps.flatMap(({ leaves }) => leaves ?? []);
  return {
    ok: true,
    summary: `${sentence(parts)}${stillUnconnected.length > 0 ? ` Still unconnected: ${few(stillUnconnected)}.` : ""}`,
    data: {
      ...(names.length > 0 && { nodes: Object.fromEntries(names) }),
      changes: changesData(done, open),
      ...(subgraphs.length > 0 && { subgraphs: [...subgraphs] }),
      ...(stillUnconnected.length > 0 && { stillUnconnected }),
      ...newsData(done),
      revision: done.revision,
      ...(lost.length > 0 && { notCarriedOver: lost }),
      ...(left.length > 0 && { notMoved: left }),
      ...(adjusted.length > 0 && {
        adjusted: adjusted.map(
          ({ node, widget, asked, kept }) =>
            `${node}.${widget}: ComfyUI made ${JSON.stringify(kept)} of ${JSON.stringify(asked)}`,
        ),
      }),
    },
  };
}

function phrase(verb: string, nodes: readonly string[]): string[] {
  return nodes.length === 0 ? [] : [`${verb} ${few(nodes)}`];
}

function few(items: readonly string[]): string {
  const rest = items.length - shown;
  return `${items.slice(0, shown).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

function sentence(parts: readonly string[]): string {
  if (parts.length === 0) return "Done; nothing became different.";
  const text = parts.join("; ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
