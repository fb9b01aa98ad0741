import { z } from "zod";
import { arrangeNodes as carryOut } from "./edit/calls/arrangeNodes";
import { defineTool } from "./tool";
import { listArgument, textArgument } from "./values/arguments";

export const arrangeNodes = defineTool({
  name: "arrangeNodes",
  description: "Lay nodes out in place, only when asked.",
  input: z.object({
    nodes: listArgument(textArgument("Id."), 'Ids, groups or "selection"; by default all.').optional(),
  }),
  effect: "edits",
  slim: { optional: ["nodes"] },
  run: carryOut,
  label: ({ nodes }) => (nodes && nodes.length > 0 ? "Arrange some nodes" : "Arrange the workflow"),
});
