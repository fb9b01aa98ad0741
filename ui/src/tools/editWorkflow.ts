import { z } from "zod";
import type { Json } from "../graph/graph";
import { nodePath } from "../graph/nodePath";
import { amountOf } from "../shared/amounts";
import { editList, exampleFor, readEdits } from "./edit/batchArguments";
import { type BatchDone, outcomeData, runBatchIfAllowed } from "./edit/runBatch";
import type { Adjustment } from "./edit/step";
import { toldOf } from "./edit/summary";
import { defineTool, type ToolResult, type ToolSuccess } from "./tool";
import { textArgument } from "./values/arguments";

export const editWorkflow = defineTool({
  name: "editWorkflow",
  description:
    "Change the open workflow in one batch, in this order, all or nothing. Nodes go by id, by a name given with `as`, or by path into a subgraph such as 12:3; inside one, input.NAME and output.NAME are its own slots. replace keeps fitting links and values. Results list what is still unconnected.",
  input: z.object({
    operations: editList,
    revision: textArgument("The revision it was planned on; by default the last one shown.").optional(),
  }),
  effect: "edits",
  usual: ({ operations, revision, ...operation }) => ({
    operations: operations === undefined && "op" in operation ? [operation] : operations,
    ...(revision !== undefined && { revision }),
    ...(operations !== undefined && operation),
  }),
  example: ({ operations }) => exampleFor(operations),
  async run({ operations, revision }, comfy, context): Promise<ToolResult<Json>> {
    const done = await runBatchIfAllowed(comfy, readEdits(operations), { ...context, revision });
    return "ok" in done ? done : success(done);
  },
  label: ({ operations }) =>
    operations && operations.length > 0
      ? `Edit the workflow: ${amountOf(operations.length, "operation")}`
      : "Edit the workflow",
});

function success(done: BatchDone): ToolSuccess<Json> {
  const { open, adjusted, subgraphs, plan } = done;
  const names = plan.draft
    .namesGiven()
    .map(([name, { at, node }]) => [name, nodePath(at.place.map(done.idOf), done.idOf(node.id), open)]);
  const lost = plan.steps.flatMap(({ loses }) => loses ?? []);
  const left = plan.steps.flatMap(({ leaves }) => leaves ?? []);
  return {
    ok: true,
    ...toldOf(done),
    data: {
      ...(names.length > 0 && { nodes: Object.fromEntries(names) }),
      ...(subgraphs.length > 0 && { subgraphs: [...subgraphs] }),
      ...outcomeData(done),
      revision: done.revision,
      ...(lost.length > 0 && { notCarriedOver: lost }),
      ...(left.length > 0 && { notMoved: left }),
      ...(adjusted.length > 0 && {
        adjusted: [...new Set(adjusted.map(adjustedWords))],
      }),
    },
  };
}

function adjustedWords({ node, widget, asked, kept }: Adjustment): string {
  return `${node}.${widget}: ComfyUI made ${JSON.stringify(kept)} of ${JSON.stringify(asked)}`;
}
