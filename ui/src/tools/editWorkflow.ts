import { z } from "zod";
import { amountOf } from "../shared/amounts";
import { laterPart } from "./laterPart";
import { defineTool } from "./tool";
import { textArgument } from "./values/arguments";

const later = () => laterPart(import("./edit/calls"));

export const editWorkflow = defineTool({
  name: "editWorkflow",
  description:
    "Change the open workflow in one batch, in this order, all or nothing. Nodes go by id, by a name given with `as`, or by path into a subgraph such as 12:3; inside one, input.NAME and output.NAME are its own slots. replace keeps fitting links and values. Results list what is still unconnected.",
  input: async () =>
    z.object({
      operations: (await later()).editList,
      revision: textArgument("The revision it was planned on; by default the last one shown.").optional(),
    }),
  effect: "edits",
  usual: ({ operations, revision, ...operation }) => ({
    operations: operations === undefined && "op" in operation ? [operation] : operations,
    ...(revision !== undefined && { revision }),
    ...(operations !== undefined && operation),
  }),
  example: async ({ operations }) => (await later()).exampleFor(operations),
  run: async (args, comfy, context) => (await later()).editWorkflow(args, comfy, context),
  label: ({ operations }) =>
    operations && operations.length > 0
      ? `Edit the workflow: ${amountOf(operations.length, "operation")}`
      : "Edit the workflow",
});
