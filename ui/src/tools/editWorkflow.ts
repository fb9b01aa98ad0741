import { z } from "zod";
import { amountOf } from "../shared/amounts";
import { editList, exampleFor } from "./edit/batchArguments";
import { editWorkflow as carryOut } from "./edit/calls/editWorkflow";
import { defineTool } from "./tool";
import { textArgument } from "./values/arguments";

export const editWorkflow = defineTool({
  name: "editWorkflow",
  description:
    "Change the open workflow in one batch, in order, all or nothing. Nodes go by id, a name given with `as`, or a path into a subgraph such as 12:3; inside one, input.NAME and output.NAME are its own slots. replace keeps fitting links and values.",
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
  run: carryOut,
  label: ({ operations }) =>
    operations && operations.length > 0
      ? `Edit the workflow: ${amountOf(operations.length, "operation")}`
      : "Edit the workflow",
});
